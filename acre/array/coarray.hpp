// SPDX-License-Identifier: BSD-3-Clause
// Coarrays: an array of equal shape (image) on each member, remotely accessible. Construction and
// destruction are collective.
//
//     acre::coarray<double[100][80]> x(acre::world());
//     x[3][4] = 1;                               // plain memory
//     x(left)[3][4] = 2;                         // one-sided
//     acre::coarray<double[][80]> rows(acre::world(), n);
#pragma once

#include <acre/array/array.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/pairwise_barrier.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/view/global_span.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre {

namespace arrays {

template <class T>
[[nodiscard]] constexpr std::size_t elements_in() noexcept {
  if constexpr (std::is_bounded_array_v<T>) {
    return std::extent_v<T> * elements_in<std::remove_extent_t<T>>();
  } else {
    return std::is_unbounded_array_v<T> ? elements_in<std::remove_extent_t<T>>() : 1;
  }
}

}  // namespace arrays

/// Elements of one image; each index removes a dimension.
/// @tparam Row  type after one index: T[80] for T[100][80]
template <class Row>
class image_elements {
 public:
  using element_type = std::remove_all_extents_t<Row>;

  constexpr image_elements(global_ptr<element_type> first, std::size_t rows) noexcept
      : first_(first), rows_(rows) {}

  /// Checked in builds with ACRE_CHECKS.
  [[nodiscard]] auto operator[](std::size_t row) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (row >= rows_) [[unlikely]] {
        arrays::throw_out_of_range("coarray", "operator()[]", row, rows_, {});
      }
    }
    const auto at = first_ + static_cast<std::ptrdiff_t>(row * arrays::elements_in<Row>());
    if constexpr (std::rank_v<Row> == 1) {
      return global_span<element_type>(at, std::extent_v<Row>);
    } else {
      return image_elements<std::remove_extent_t<Row>>(at, std::extent_v<Row>);
    }
  }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return rows_; }
  /// All elements, row-major, for bulk transfers.
  [[nodiscard]] constexpr global_span<element_type> flat() const noexcept {
    return {first_, rows_ * arrays::elements_in<Row>()};
  }

 private:
  global_ptr<element_type> first_;
  std::size_t rows_;
};

/// Moves: local, pointers stay valid. Destruction: collective, 2 B.
/// @tparam T  T, T[N], T[N][M] …; run-time first extent: T[], T[][M] …
template <class T>
class coarray : private arrays::array_elements<std::remove_all_extents_t<T>, arrays::blocked_kind> {
  static_assert(arrays::is_array_element<std::remove_all_extents_t<T>>,
                "images read and write the elements of a coarray<T> as bytes: they must be "
                "trivially copyable, and not pointers");
  using elements = arrays::array_elements<std::remove_all_extents_t<T>, arrays::blocked_kind>;
  using elements_memory = arrays::array_memory<arrays::blocked_kind>;
  static constexpr bool is_array = std::is_array_v<T>;
  static constexpr bool is_sized = !std::is_unbounded_array_v<T>;
  using row = std::remove_extent_t<T>;

 public:
  using element_type = std::remove_all_extents_t<T>;
  using typename elements::const_iterator;
  using typename elements::const_reference;
  using typename elements::difference_type;
  using typename elements::iterator;
  using typename elements::reference;
  using typename elements::size_type;
  using typename elements::value_type;

  coarray() = default;

  /// Fills all images with `initial`. Collective. Cost: 2 B and 2 allgathers.
  /// @throws acre::error on all members for short memory
  explicit coarray(const team& of, const element_type& initial = element_type{},
                   const site& where = site::current())
    requires is_sized
      : coarray(of, arrays::elements_in<T>(), initial, where, of_so_many{}) {}
  /// As above. @throws acre::error also if `first_extent` differs between members
  coarray(const team& of, std::size_t first_extent, const element_type& initial = element_type{},
          const site& where = site::current())
    requires(!is_sized)
      : coarray(of, base::bytes_for(first_extent, arrays::elements_in<T>()), initial, where,
                of_so_many{}) {}

  coarray(global::the_team_before_the_size, const team&);
  coarray(const team&, arrays::a_size_after_the_team)
    requires(!is_sized);

  /// Returns a reference to a single value, or the image for [i][j] …. Cost: l; then R or W per
  /// element. With ACRE_CHECKS `image` is checked, as in pointer().
  [[nodiscard]] auto operator()(rank_t image, const site& where = site::current()) const
      noexcept(!base::has_checks) {
    const global_ptr<element_type> first = pointer(image, where);
    if constexpr (!is_array) {
      return global_ref<element_type>(first);
    } else if constexpr (std::rank_v<T> == 1) {
      return global_span<element_type>(first, extent());
    } else {
      return image_elements<row>(first, extent());
    }
  }
  [[nodiscard]] auto operator()(member image, const site& where = site::current()) const {
    return (*this)(members().number_of(image), where);
  }
  /// Checked access. @throws acre::error for an invalid image
  [[nodiscard]] auto at(rank_t image, const site& where = site::current()) const {
    static_cast<void>(members()[image]);
    return (*this)(image, where);
  }

  /// First element of an image, for put, get and atomics.
  [[nodiscard]] global_ptr<element_type> pointer(rank_t image,
                                                 const site& where = site::current()) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (image >= members().size()) [[unlikely]] {
        global::throw_no_member(("coarray" + describe_place(where)).c_str(), image,
                                members().size());
      }
    }
    return this->memory().template pointer<element_type>(layout::place{image, 0});
  }
  [[nodiscard]] global_ptr<element_type> pointer(member image) const {
    return pointer(members().number_of(image));
  }

  /// Local row or element. The first index is checked in builds with ACRE_CHECKS.
  [[nodiscard]] row& operator[](std::size_t index) const noexcept(!base::has_checks)
    requires is_array
  {
    if constexpr (base::has_checks) {
      static_cast<void>(members());
      if (index >= extent()) [[unlikely]] {
        arrays::throw_out_of_range("coarray", "operator[]", index, extent(), {});
      }
    }
    return *reinterpret_cast<row*>(this->memory().template own<element_type>() +
                                   index * arrays::elements_in<row>());
  }
  [[nodiscard]] element_type& operator*() const noexcept(!base::has_checks)
    requires(!is_array)
  {
    if constexpr (base::has_checks) static_cast<void>(members());
    return *this->memory().template own<element_type>();
  }
  [[nodiscard]] element_type* operator->() const noexcept(!base::has_checks)
    requires(!is_array)
  {
    return &**this;
  }
  /// Local elements, row-major.
  using elements::local;
  /// First extent, e.g. 100 for a T[100][80].
  [[nodiscard]] std::size_t extent() const noexcept
    requires is_array
  {
    if constexpr (is_sized) {
      return std::extent_v<T>;
    } else {
      return local().size() / arrays::elements_in<T>();
    }
  }

  /// Number of images, then the extents of one.
  [[nodiscard]] std::array<std::size_t, 1 + std::rank_v<T>> extents() const noexcept {
    std::array<std::size_t, 1 + std::rank_v<T>> all{};
    if (!this->is_made()) return all;
    all[0] = members().size();
    [&]<std::size_t... D>(std::index_sequence<D...>) {
      ((all[D + 1] = std::extent_v<T, D>), ...);
    }(std::make_index_sequence<std::rank_v<T>>());
    if constexpr (is_array) all[1] = extent();
    return all;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return this->is_made(); }
  /// The members, one per image.
  using elements::members;
  /// Elements of all images.
  using elements::begin;
  using elements::end;
  using elements::size;

  /// Barrier. Cost: B.
  void sync_all(const site& where = site::current()) const { members().barrier(where); }
  /// Waits until each of `images` calls this function with the calling image. Cost: quiet, and A
  /// per image.
  /// @throws acre::error for an invalid or repeated image
  void sync_images(std::initializer_list<rank_t> images, const site& where = site::current()) {
    pairs_.sync(images, where);
  }
  void sync_images(std::span<const rank_t> images, const site& where = site::current()) {
    pairs_.sync(images, where);
  }

  /// Replaces each element, on all images, by the sum (minimum, …) over images. Collective;
  /// requires completed puts (sync_all). Cost: 1 allreduce.
  void co_sum(const site& where = site::current()) { co_reduce(op::sum, where); }
  void co_min(const site& where = site::current()) { co_reduce(op::min, where); }
  void co_max(const site& where = site::current()) { co_reduce(op::max, where); }
  template <operation_on<element_type> Operation>
  void co_reduce(Operation operation, const site& where = site::current()) {
    if constexpr (base::has_checks) {
      require_same_call(
          members(),
          global::common_call("coarray::co_reduce", where)
              .with_identity("the object", this->identity())
              .with_identity("the operation", global::number_of_operation(typeid(Operation))));
    }
    members().allreduce(local(), operation, where);
  }
  /// Copies the elements of one image to all. Collective. Cost: 1 broadcast.
  void co_broadcast(rank_t source, const site& where = site::current()) {
    global::require_same_object(members(), "coarray::co_broadcast", this->identity(), where);
    members().broadcast(local(), source, where);
  }

 private:
  struct of_so_many {};

  coarray(const team& of, std::size_t each, const element_type& initial, const site& where,
          of_so_many)
      : elements(make(of, each, initial, where)), pairs_(of, where) {}

  [[nodiscard]] static base::unique_object<elements_memory> make(const team& of, std::size_t each,
                                                                 const element_type& initial,
                                                                 const site& where) {
    const runtime::failures_held until_it_is_there;
    team_memory blocks(of, base::bytes_for(each, sizeof(element_type)), alignof(element_type),
                       "coarray",
                       {.number = each, .unit = "elements of an image", .type = &typeid(T)}, where);
    auto made = base::make_unique_object<elements_memory>(
        of, layout::blocked(each * of.size(), of.size()), std::move(blocks), where,
        "the destructor of the coarray made");
    elements::make_elements(*made, initial, where);
    return made;
  }

  pairwise_barrier pairs_;
};

}  // namespace acre
