// SPDX-License-Identifier: BSD-3-Clause
// Names of sparse collections and of their members by index.
#pragma once

#include <acre/agas/detail/sparse_parts.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/container/hash.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/wire/owned_hash.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/undisturbed_sends.hpp>
#include <acre/runtime/world.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

template <class T, class Index>
class sparse_collection_id;
/// Equality, acre::hash and serialisation.
template <class Index>
concept sparse_index = serializable<Index> && std::equality_comparable<Index> &&
                       std::copy_constructible<Index> && hash_for<hash<Index>, Index>;

/// A member by index, as c[index], for invoke() and invoke_ff(). It need not exist.
template <class T, class Index>
struct sparse_member {
  sparse_collection_id<T, Index> of;
  Index index;

  friend auto acre_fields(sparse_member& m)
    requires(!std::is_trivially_copyable_v<Index>)
  {
    return std::tie(m.of, m.index);
  }
};

/// Non-owning name of a sparse collection, valid on all ranks and in messages.
template <class T, class Index>
class sparse_collection_id {
 public:
  using object_type = T;
  using index_type = Index;

  constexpr sparse_collection_id() noexcept = default;
  constexpr explicit sparse_collection_id(std::uint64_t number) noexcept : number_(number) {}

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return number_ != 0; }
  [[nodiscard]] friend constexpr bool operator==(const sparse_collection_id&,
                                                 const sparse_collection_id&) noexcept = default;
  [[nodiscard]] constexpr std::uint64_t number() const noexcept { return number_; }

  /// Rank that holds the reference to the member. l.
  [[nodiscard]] static rank_t home_of(const Index& index) {
    return global::locate(hash<Index>()(index), size()).owner;
  }
  [[nodiscard]] sparse_member<T, Index> operator[](const Index& index) const {
    return {*this, index};
  }

  /// Makes a member on its home; false if the index has one. Cost: 2 M.
  /// @throws by the future: the constructor's exceptions
  template <class... Arguments>
  future<bool> insert(const Index& index, const Arguments&... arguments) const {
    if constexpr (agas::require_constructor<T, global::owned_t<Arguments>...>()) {
      return rpc(
          home_of(index),
          [](const sparse_collection_id& all, const Index& at, global::owned_t<Arguments>... each) {
            auto& here = all.part();
            return !here.contains(at) && here.add(at, create_here<T>(std::move(each)...));
          },
          *this, index, arguments...);
    } else {
      return {};
    }
  }
  /// As insert(), of an object that exists, on any rank.
  /// @throws acre::error if the reference is empty
  future<bool> insert_object(const Index& index, const object_ref<T>& member) const {
    agas::require_name(member.name(), "sparse_collection::insert_object");
    return rpc(
        home_of(index),
        [](const sparse_collection_id& all, const Index& at, object_ref<T> added) {
          return all.part().add(at, std::move(added));
        },
        *this, index, member);
  }
  /// Drops the reference to a member; false if unknown. Cost: 2 M.
  future<bool> erase(const Index& index) const {
    return rpc(
        home_of(index),
        [](const sparse_collection_id& all, const Index& at) {
          return bool(all.part().remove(at));
        },
        *this, index);
  }
  /// Reference to a member, or null. Cost: 2 M.
  [[nodiscard]] future<object_ref<T>> find(const Index& index) const {
    return rpc(
        home_of(index),
        [](const sparse_collection_id& all, const Index& at) { return all.part().find(at); }, *this,
        index);
  }

  /// Members with this home, at one moment. l each.
  [[nodiscard]] std::vector<std::pair<Index, object_ref<T>>> homed_members() const {
    return part().all();
  }
  /// Number of members with this home. l.
  [[nodiscard]] std::size_t homed_size() const { return part().size(); }

 private:
  template <class>
  friend struct agas::call_by;

  [[nodiscard]] agas::sparse_part<T, Index>& part() const {
    return static_cast<agas::sparse_part<T, Index>&>(agas::sparse_part_of(number_));
  }

  std::uint64_t number_ = 0;
};

namespace agas {

/// Calls a member for another rank, in the family of its caller (admission.hpp). It is numbered
/// before the home runs other requests, which keeps the order of issue.
template <class T, class F, class... Arguments>
[[nodiscard]] auto invoke_for(const runtime::call_tag& caller, const object_ref<T>& member,
                              const F& function, const Arguments&... arguments) {
  const runtime::within_call of_caller(caller, nullptr);
  const runtime::undisturbed_sends in_order;
  return invoke(member, function, arguments...);
}

template <class T, class Index>
struct call_by<sparse_member<T, Index>> {
  using object_type = T;

  template <class F, class... Arguments>
  static auto answered(const sparse_member<T, Index>& member, F&& f,
                       const Arguments&... arguments) {
    using function = travelling_t<std::decay_t<F>>;
    return rpc(
        member.of.home_of(member.index),
        [](const sparse_member<T, Index>& at, const runtime::call_tag& caller,
           const function& called, const global::owned_t<Arguments>&... each) {
          const object_ref<T> found = at.of.part().find(at.index);
          if (!found) throw_no_sparse_member("invoke");
          return invoke_for(caller, found, called, each...);
        },
        member, runtime::current_call(), function(f), arguments...);
  }
  template <class F, class... Arguments>
  static void forgotten(const sparse_member<T, Index>& member, F&& f,
                        const Arguments&... arguments) {
    using function = travelling_t<std::decay_t<F>>;
    rpc_ff(
        member.of.home_of(member.index),
        [](const sparse_member<T, Index>& at, const runtime::call_tag& caller,
           const function& called, const global::owned_t<Arguments>&... each) {
          const object_ref<T> found = at.of.part().find(at.index);
          if (!found) throw_no_sparse_member("invoke_ff");
          const runtime::within_call of_caller(caller, nullptr);
          const runtime::undisturbed_sends in_order;
          invoke_ff(found, called, each...);
        },
        member, runtime::current_call(), function(f), arguments...);
  }
};

}  // namespace agas
}  // namespace acre
