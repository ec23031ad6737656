// SPDX-License-Identifier: BSD-3-Clause
// Handles and names of collections.
#pragma once

#include <acre/agas/detail/collection_state.hpp>
#include <acre/agas/detail/credit.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

template <class T, std::size_t N = 1>
class object_collection;

/// A number in one dimension, else coordinates.
template <std::size_t N>
using member_index = std::conditional_t<N == 1, std::size_t, layout::coordinates<N>>;

namespace agas {

template <std::size_t N>
[[nodiscard]] layout::coordinates<N> coordinates_of(const member_index<N>& index) noexcept {
  if constexpr (N == 1) {
    return {index};
  } else {
    return index;
  }
}
template <std::size_t N>
[[nodiscard]] layout::coordinates<N> extents_of(const collection_state& all) noexcept {
  layout::coordinates<N> extents{};
  for (std::size_t d = 0; d < N; ++d) extents[d] = all.extents()[d];
  return extents;
}
template <std::size_t N>
[[nodiscard]] member_index<N> index_of(const collection_state& all, std::size_t number) noexcept {
  if constexpr (N == 1) {
    return number;
  } else {
    return layout::row_major::at<N>(number, extents_of<N>(all));
  }
}

template <class T, std::size_t N>
[[nodiscard]] std::optional<member_index<N>> index_in(const collection_state& all,
                                                      const object_id<T>& member) {
  const auto number = all.number_of(member.name());
  if (!number) return std::nullopt;
  return index_of<N>(all, *number);
}

/// Compile error: in C++20, c[i, j] would use the last index only.
template <class T, std::size_t N>
object_id<T> index_by_braces() {
  static_assert(N == 0, "a collection of several dimensions takes its index in braces: c[{i, j}]");
  return {};
}

/// @throws acre::error on an invalid index
template <class T, std::size_t N>
[[nodiscard]] object_id<T> member_of(const collection_state& all, const member_index<N>& index) {
  const auto at = coordinates_of<N>(index);
  const auto extents = extents_of<N>(all);
  if (!layout::box<N>{.extents = extents}.contains(at)) [[unlikely]] {
    throw_no_such_index(all, at);
  }
  return trusted_id<T>(all.name_of(layout::row_major::number<N>(at, extents)));
}

struct collection_access;

}  // namespace agas

template <class T, std::size_t N>
inline constexpr bool global::travels_by_id<object_collection<T, N>> = true;

/// Non-owning name: 16 bytes, valid on all ranks and in messages.
template <class T, std::size_t N = 1>
class collection_id {
 public:
  using object_type = T;
  using index_type = member_index<N>;

  constexpr collection_id() noexcept = default;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return bool(handle_); }
  [[nodiscard]] friend constexpr bool operator==(const collection_id&,
                                                 const collection_id&) noexcept = default;

  /// Name of a member. l: a search of this rank's collections.
  /// @throws acre::error on an invalid index or an ended collection
  [[nodiscard]] object_id<T> operator[](const index_type& index) const {
    return agas::member_of<T, N>(state(), index);
  }
  template <std::integral Number>
    requires(N > 1)
  object_id<T> operator[](Number) const {
    return agas::index_by_braces<T, N>();
  }
  /// Index of a member, or no value. l, as operator[].
  [[nodiscard]] std::optional<index_type> index_of(const object_id<T>& member) const {
    return agas::index_in<T, N>(state(), member);
  }
  [[nodiscard]] std::size_t size() const { return state().size(); }
  [[nodiscard]] layout::coordinates<N> extents() const { return agas::extents_of<N>(state()); }

 private:
  friend struct agas::collection_access;

  constexpr explicit collection_id(const gid& handle) noexcept : handle_(handle) {}
  [[nodiscard]] const agas::collection_state& state() const {
    return agas::collection_of(handle_, agas::type_of<T>(), N);
  }

  gid handle_;
};

template <class T, std::size_t N = 1>
struct local_member {
  member_index<N> index{};
  object_id<T> object;
};

/// Owning handle, from make_collection(). Move-only.
template <class T, std::size_t N>
class object_collection {
 public:
  using object_type = T;
  using index_type = member_index<N>;
  static constexpr std::size_t dimensions = N;

  object_collection() = default;
  object_collection(object_collection&&) noexcept = default;
  /// Ends the collection assigned to, as the destructor.
  object_collection& operator=(object_collection&& other) noexcept {
    object_collection taken(std::move(other));
    std::swap(state_, taken.state_);
    std::swap(end_, taken.end_);
    return *this;
  }
  /// Ends all unpinned members despite references, after earlier calls; later calls fail.
  /// Collective. No effect after the job. Cost: drain(), 2 B, 1 allreduce.
  ~object_collection() {
    if (state_ == nullptr || state_->has_outlived_job()) return;
    if (end_.meet(world(), state_->identity())) state_->end();
  }

  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// Number of members, including destroyed ones.
  [[nodiscard]] std::size_t size() const { return state("size").size(); }
  [[nodiscard]] layout::coordinates<N> extents() const {
    return agas::extents_of<N>(state("extents"));
  }
  [[nodiscard]] collection_id<T, N> id() const;

  /// Name of a member. l. @throws acre::error on an invalid index
  [[nodiscard]] object_id<T> operator[](const index_type& index) const {
    return agas::member_of<T, N>(state("operator[]"), index);
  }
  template <std::integral Number>
    requires(N > 1)
  object_id<T> operator[](Number) const {
    return agas::index_by_braces<T, N>();
  }
  /// Index of a member, or no value. l.
  [[nodiscard]] std::optional<index_type> index_of(const object_id<T>& member) const {
    return agas::index_in<T, N>(state("index_of"), member);
  }
  /// Returns a counted reference; the member still ends with the collection. Cost: 2 M.
  [[nodiscard]] future<object_ref<T>> ref(const index_type& index) const {
    return agas::refer_to((*this)[index].name()).then([](future<agas::reference> come) {
      return object_ref<T>(come.get());
    });
  }

  /// Members on this rank; they may leave during calls. Cost: l per member whose home is this rank,
  /// and per migrated object here.
  [[nodiscard]] std::vector<local_member<T, N>> local_members() const {
    std::vector<local_member<T, N>> here;
    for (const agas::resident& each : state("local_members").residents()) {
      here.push_back({agas::index_of<N>(*state_, each.number), agas::trusted_id<T>(each.name)});
    }
    return here;
  }
  const T* begin() const = delete;  // loop over c.local_members(), or call all: invoke_all(c, f)
  const T* end() const;
  /// Calls f(index, object) for local members, pinned meanwhile.
  template <std::invocable<const index_type&, T&> F>
  void for_each_local(F&& f) const {
    for (const local_member<T, N>& each : local_members()) {
      const pinned<T> object(each.object);
      if (object) f(each.index, *object);
    }
  }

 private:
  friend struct agas::collection_access;

  object_collection(std::unique_ptr<agas::collection_state> made, const site& where)
      : state_(std::move(made)), end_("the end of the collection", where) {}
  [[nodiscard]] const agas::collection_state& state(const char* call) const {
    return global::require_object(state_.get(), call, "collection", "make_collection<T>(…)");
  }

  std::unique_ptr<agas::collection_state> state_;
  collective_end end_{"the end of the collection", site()};
};

namespace agas {

struct collection_access {
  template <class T, std::size_t N>
  [[nodiscard]] static const collection_state& state(const object_collection<T, N>& of) {
    return of.state("invoke");
  }
  template <class T, std::size_t N>
  [[nodiscard]] static const collection_state& state(const collection_id<T, N>& of) {
    return of.state();
  }
  template <class T, std::size_t N>
  [[nodiscard]] static collection_id<T, N> id(const gid& handle) noexcept {
    return collection_id<T, N>(handle);
  }
  template <class T, std::size_t N>
  [[nodiscard]] static gid handle(const collection_id<T, N>& of) noexcept {
    return of.handle_;
  }
  template <class T, std::size_t N>
  [[nodiscard]] static object_collection<T, N> make(std::unique_ptr<collection_state> made,
                                                    const site& where) {
    return {std::move(made), where};
  }
};

}  // namespace agas

template <class T, std::size_t N>
collection_id<T, N> object_collection<T, N>::id() const {
  return agas::collection_access::id<T, N>(state("id").handle());
}

template <class T, std::size_t N>
struct agas::call_by<object_collection<T, N>> {
  using object_type = T;

  template <class... Call>
  static future<global::fits_everything> answered(const Call&...) {
    static_assert(N == 0, "call one member, invoke(c[i], f, ...), or all, invoke_all(c, f, ...)");
    return {};
  }
  template <class... Call>
  static void forgotten(const Call&...) {
    static_assert(N == 0,
                  "call one member, invoke_ff(c[i], f, ...), or all, invoke_all_ff(c, f, ...)");
  }
};

}  // namespace acre
