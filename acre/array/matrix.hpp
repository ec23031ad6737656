// SPDX-License-Identifier: BSD-3-Clause
// Multidimensional distributed array. Default pattern: one balanced box per member; others:
// layout/. Construction, fill and destruction are collective; access is one-sided.
//
//     acre::matrix<double, 2> m(acre::world(), {1000, 800});
//     m(3, 4) = 1;                                  // one-sided
//     for (double& x : m.local().row(0)) x = 1;     // plain memory
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/base/construct.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/layout/properties.hpp>
#include <acre/view/box_span.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre {

template <class T, std::size_t N, class Pattern>
class matrix_block;

namespace arrays {

template <class Pattern>
struct matrix_kind {
  using pattern = Pattern;
  using memory = team_memory;
  static constexpr const char* name = "matrix";
  static constexpr const char* ending = "the destructor of the matrix made";
  static constexpr const char* maker = "matrix{team, extents}";
};

template <class F, class T, class Indices>
inline constexpr bool makes_elements_of = false;
template <class F, class T, std::size_t... D>
inline constexpr bool makes_elements_of<F, T, std::index_sequence<D...>> =
    element_function<F, T, std::conditional_t<D == 0, std::size_t, std::size_t>...>;
template <class F, class T, std::size_t N>
concept makes_elements = makes_elements_of<F, T, std::make_index_sequence<N>>;

template <std::size_t N>
inline constexpr bool has_at_least_one_dimension = N > 0;
template <class Pattern, std::size_t N>
inline constexpr bool is_a_pattern_of_as_many_dimensions = false;
template <layout::pattern Pattern, std::size_t N>
inline constexpr bool is_a_pattern_of_as_many_dimensions<Pattern, N> = Pattern::dimensions == N;

template <std::size_t N>
struct an_extent_for_each_dimension {
  template <std::integral... Extents>
    requires(sizeof...(Extents) > 0 && sizeof...(Extents) != N)
  an_extent_for_each_dimension(Extents...) = delete;  // matrix<T, 2>(team, {rows, columns})
};
template <class T, std::size_t N>
struct an_element_or_a_function_of_its_indices {
  template <class X>
    requires(!global::gives_in_braces<X, T> && !makes_elements<X, T, N> &&
             !std::same_as<std::remove_cvref_t<X>, site>)
  an_element_or_a_function_of_its_indices(X&&) = delete;  // [](std::size_t i, std::size_t j) {}
};

[[noreturn]] void throw_no_own_block(std::size_t number, std::size_t blocks, const site& where);
void check_members(layout::member_t of_pattern, const team& members, const site& where);

}  // namespace arrays

/// @tparam Pattern  a layout::composed: cuts, mapping and memory layout
template <class T, std::size_t N, class Pattern = layout::boxes<(N > 0 ? N : 1)>>
  requires(arrays::has_at_least_one_dimension<N> &&
           arrays::is_a_pattern_of_as_many_dimensions<Pattern, N>)
class matrix : public arrays::array_elements<T, arrays::matrix_kind<Pattern>>,
               private view::other_indices<N> {
  static_assert(
      arrays::is_array_element<T>,
      "ranks read and write the elements of a matrix<T, N> as bytes: T must be trivially copyable, "
      "and not a pointer, reference or handle. For objects store their id(). For text use "
      "std::array<char, N>, an acre::ragged_array<char> or an acre::hash_map");
  using elements = arrays::array_elements<T, arrays::matrix_kind<Pattern>>;

 public:
  static constexpr std::size_t dimensions = N;
  using coordinates = layout::coordinates<N>;
  using box = layout::box<N>;

  matrix() = default;

  /// Fills with `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members for short memory or differing extents
  matrix(const team& members, const coordinates& extents, const T& initial,
         const site& where = site::current())
    requires std::same_as<Pattern, layout::boxes<N>>
      : matrix(members, boxes_of(extents, members), initial, where) {}
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T> && std::same_as<Pattern, layout::boxes<N>>
  matrix(const team& members, const coordinates& extents, const Where& where = site::current())
      : matrix(members, extents, T{}, where) {}
  matrix(const team& members, const Pattern& pattern, const T& initial,
         const site& where = site::current())
      : elements(members, checked(pattern, members, where), initial, where), own_(find_own()) {}
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T>
  matrix(const team& members, const Pattern& pattern, const Where& where = site::current())
      : matrix(members, pattern, T{}, where) {}
  /// Element (i, j, …) is f(i, j, …), called by its owner; margins are zeroed. Collective. Cost: 1
  /// allgather and 1 allreduce.
  /// @throws the exception of `f`; acre::error on the others
  template <arrays::makes_elements<T, N> F>
  matrix(const team& members, const Pattern& pattern, F&& f, const site& where = site::current())
      : elements(
            members, checked(pattern, members, where),
            [&f](const arrays::array_memory<arrays::matrix_kind<Pattern>>& made) {
              each_block_of<T>(made, [&f](const box& lies, box_span<T, N> block) {
                write_each(f, lies, block);
              });
            },
            where),
        own_(find_own()) {}
  template <arrays::makes_elements<T, N> F>
    requires std::same_as<Pattern, layout::boxes<N>>
  matrix(const team& members, const coordinates& extents, F&& f,
         const site& where = site::current())
      : matrix(members, boxes_of(extents, members), std::forward<F>(f), where) {}

  matrix(global::the_team_before_the_size, const team&);
  template <std::integral... Rest>
  explicit matrix(global::the_team_before_the_size, Rest...);
  template <class... Rest>
  matrix(const team&, arrays::an_extent_for_each_dimension<N>, const Rest&...);
  matrix(const team&, const coordinates&, arrays::an_element_or_a_function_of_its_indices<T, N>);

  /// Uses existing segment memory in pattern order, which must outlive the matrix; elements keep
  /// their values. Collective. Cost: 1 allgather.
  /// @param mine  local_size() elements; local_capacity() of them for patterns with gaps
  /// @throws acre::error on all members for memory outside the segment or a wrong count
  [[nodiscard]] static matrix adopt(const team& members, const Pattern& pattern, std::span<T> mine,
                                    const site& where = site::current()) {
    return matrix(members, checked(pattern, members, where), mine,
                  arrays::gather_blocks(members, mine.data(), mine.size(), sizeof(T), typeid(T),
                                        elements::shape_of(pattern), "matrix::adopt", where),
                  where);
  }

  /// A moved-from matrix is empty.
  matrix(matrix&& other) noexcept
      : elements(std::move(other)), own_(std::exchange(other.own_, own_part())) {}
  matrix& operator=(matrix&& other) noexcept {
    elements::operator=(std::move(other));
    own_ = std::exchange(other.own_, own_part());
    return *this;
  }

  /// Reference to an element. Cost: R or W; l if local. Checked in builds with ACRE_CHECKS, as
  /// pointer() and owner().
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == N)
  [[nodiscard]] global_ref<T> operator()(Indices... indices) noexcept(!base::has_checks) {
    return reference<T>({static_cast<std::size_t>(indices)...}, "matrix::operator()");
  }
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == N)
  [[nodiscard]] global_ref<const T> operator()(Indices... indices) const
      noexcept(!base::has_checks) {
    return reference<const T>({static_cast<std::size_t>(indices)...}, "matrix::operator()");
  }
  [[nodiscard]] global_ref<T> operator[](const coordinates& at) noexcept(!base::has_checks) {
    return reference<T>(at, "matrix::operator[]");
  }
  [[nodiscard]] global_ref<const T> operator[](const coordinates& at) const
      noexcept(!base::has_checks) {
    return reference<const T>(at, "matrix::operator[]");
  }
  /// Checked access. @throws acre::error for invalid coordinates
  [[nodiscard]] global_ref<T> at(const coordinates& at) {
    check(at, "matrix::at");
    return (*this)[at];
  }
  [[nodiscard]] global_ref<const T> at(const coordinates& at) const {
    check(at, "matrix::at");
    return (*this)[at];
  }

  using view::other_indices<N>::operator();
  using view::other_indices<N>::operator[];
  /// Address for put, get, copy and atomics.
  [[nodiscard]] global_ptr<T> pointer(const coordinates& at) noexcept(!base::has_checks) {
    if constexpr (base::has_checks) check(at, "matrix::pointer");
    return this->memory().template pointer<T>(this->pattern().place_of(at));
  }
  [[nodiscard]] global_ptr<const T> pointer(const coordinates& at) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) check(at, "matrix::pointer");
    return this->memory().template pointer<const T>(this->pattern().place_of(at));
  }
  [[nodiscard]] global_ptr<T> pointer_to(layout::place at) noexcept {
    return this->memory().template pointer<T>(at);
  }
  [[nodiscard]] global_ptr<const T> pointer_to(layout::place at) const noexcept {
    return this->memory().template pointer<const T>(at);
  }
  [[nodiscard]] member owner(const coordinates& at) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) check(at, "matrix::owner");
    return this->members()[this->pattern().place_of(at).member];
  }

  [[nodiscard]] coordinates extents() const noexcept {
    return this->size() == 0 && !this->is_made() ? coordinates{} : this->pattern().extents();
  }
  [[nodiscard]] std::size_t extent(std::size_t d) const noexcept { return extents()[d]; }

  /// Local elements as one box, with coordinates from 0, which begins at local_box().first if there
  /// is one block.
  [[nodiscard]] box_span<T, N> local() noexcept
    requires layout::has_property<Pattern, layout::canonical_layout>
  {
    return all_own<T>();
  }
  [[nodiscard]] box_span<const T, N> local() const noexcept
    requires layout::has_property<Pattern, layout::canonical_layout>
  {
    return all_own<const T>();
  }
  /// Part of the matrix that local() covers.
  [[nodiscard]] const box& local_box() const noexcept
    requires layout::has_property<Pattern, layout::minimal_partitioning>
  {
    return own_.lies;
  }
  /// Block by coordinates in the grid of blocks; needs matrix_blocks.hpp. For a const matrix:
  /// acre::block(m, number). @throws acre::error for an invalid block
  [[nodiscard]] auto block(const coordinates& number, const site& where = site::current()) {
    return matrix_block<T, N, Pattern>(*this, number, where);
  }
  /// This rank's block `number`, in the order of each_local_block(). Cost: l for each before it.
  /// @throws acre::error if this rank has no more than `number` blocks
  [[nodiscard]] auto local_block(std::size_t number, const site& where = site::current()) {
    const Pattern& pattern = this->pattern();
    std::size_t found = 0;
    for (std::size_t slot = 0; slot < pattern.slots(); ++slot) {
      const auto at = pattern.block_at({.member = this->members().rank(), .number = slot});
      if (at && !pattern.block(*at).where.empty() && found++ == number) return block(*at, where);
    }
    arrays::throw_no_own_block(number, found, where);
  }
  /// Calls f(box, span) for each local block.
  template <class F>
  void each_local_block(F&& f) {
    each_own_block<T>(f);
  }
  template <class F>
  void each_local_block(F&& f) const {
    each_own_block<const T>(f);
  }

 protected:
  /// One balanced box per member, over the grid of a grid team.
  [[nodiscard]] static layout::boxes<N> boxes_of(const coordinates& extents, const team& members) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return make_distribution(extents, members.size(), members.template spec<N>(),
                               (static_cast<void>(D), dist::balanced)...);
    }(std::make_index_sequence<N>());
  }

 private:
  matrix(const team& members, const Pattern& pattern, std::span<T> mine,
         const arrays::brought_blocks& all, const site& where)
      : elements(members, mine, all, pattern, "matrix::adopt", where), own_(find_own()) {}

  static constexpr bool has_one_block =
      layout::has_property<Pattern, layout::minimal_partitioning> &&
      layout::has_property<Pattern, layout::canonical_layout>;

  [[nodiscard]] static const Pattern& checked(const Pattern& pattern, const team& members,
                                              const site& where) {
    arrays::check_members(pattern.members(), members, where);
    return pattern;
  }
  /// The member's only block, cached.
  struct own_part {
    box lies{};
    coordinates room{};
    T* first = nullptr;
  };
  [[nodiscard]] own_part find_own() const noexcept {
    if constexpr (has_one_block) {
      const Pattern& pattern = this->pattern();
      if (pattern.slots() == 0) return {};
      const auto block = pattern.block_at({.member = this->members().rank(), .number = 0});
      if (!block) return {};
      const box lies = pattern.block(*block).where;
      return {lies, pattern.room_of(lies.extents), all_own<T>().data()};
    } else {
      return {};
    }
  }

  void check(const coordinates& at, const char* call) const {
    static_cast<void>(this->pattern());
    if (!box{.extents = extents()}.contains(at)) [[unlikely]] {
      view::throw_outside_box(call, at, extents());
    }
  }

  template <class U>
  [[nodiscard]] global_ref<U> reference(const coordinates& at, const char* call) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) check(at, call);
    if constexpr (has_one_block) {
      coordinates inside{};
      if (find_inside(own_.lies, at, inside)) [[likely]] {
        constexpr bool has_margins = layout::has_property<Pattern, layout::margin_layout>;
        const coordinates& room = has_margins ? own_.room : own_.lies.extents;
        return this->memory().template own_reference<U>(
            own_.first + Pattern::order::template number<N>(inside, room));
      }
      return std::apply([&](auto... each) { return global_ref<U>(pointer_to_another<U>(each...)); },
                        at);
    } else {
      return global_ref<U>(pointer_by_pattern<U>(at));
    }
  }
  /// One loop, as two would be vectorised and slower.
  [[nodiscard]] static bool find_inside(const box& where, const coordinates& at,
                                        coordinates& inside) noexcept {
    for (std::size_t d = 0; d < N; ++d) {
      inside[d] = at[d] - where.first[d];
      if (inside[d] >= where.extents[d]) return false;
    }
    return true;
  }
  /// Not inlined: keeps loops over local elements short.
  template <class U, std::same_as<std::size_t>... Indices>
  [[gnu::noinline]] [[nodiscard]] global_ptr<U> pointer_to_another(Indices... at) const noexcept {
    return pointer_by_pattern<U>({at...});
  }
  template <class U>
  [[nodiscard]] global_ptr<U> pointer_by_pattern(const coordinates& at) const noexcept {
    return this->memory().template pointer<U>(this->memory().pattern().place_of(at));
  }

  template <class U>
  [[nodiscard]] box_span<U, N> all_own() const noexcept {
    if (!this->is_made()) return {};
    const coordinates extents = this->pattern().local_extents(this->members().rank());
    if (box{.extents = extents}.empty()) return {};
    return {this->memory().template own<U>() + this->pattern().offset_inside({}, extents), extents,
            Pattern::order::template strides<N>(this->pattern().room_of(extents))};
  }
  template <class U, class F>
  void each_own_block(F& f) const {
    static_cast<void>(this->pattern());
    each_block_of<U>(this->memory(), f);
  }
  template <class U, class F>
  static void each_block_of(const arrays::array_memory<arrays::matrix_kind<Pattern>>& memory,
                            F&& f) {
    const Pattern& pattern = memory.pattern();
    for (std::size_t number = 0; number < pattern.slots(); ++number) {
      const auto block = pattern.block_at({.member = memory.members().rank(), .number = number});
      if (!block) continue;
      const layout::piece<N> lies = pattern.block(*block);
      if (lies.where.empty()) continue;
      f(lies.where,
        box_span<U, N>(memory.template own<U>() + lies.offset, lies.where.extents, lies.strides));
    }
  }
  template <class F>
  static void write_each(F& f, const box& lies, const box_span<T, N>& block) {
    coordinates inside{};
    for (std::size_t left = lies.size(); left != 0; --left) {
      coordinates at = inside;
      for (std::size_t d = 0; d < N; ++d) at[d] += lies.first[d];
      base::construct(&block[inside], std::apply(f, at));
      layout::row_major::advance(inside, lies.extents);
    }
  }

  own_part own_{};
};

template <class T, layout::pattern Pattern>
[[nodiscard]] matrix<T, Pattern::dimensions, Pattern> make_matrix(
    const team& members, const Pattern& pattern, const T& initial = T{},
    const site& where = site::current()) {
  return {members, pattern, initial, where};
}

}  // namespace acre
