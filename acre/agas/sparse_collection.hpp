// SPDX-License-Identifier: BSD-3-Clause
// Collections whose members may be inserted and erased.
//
//     tree.insert({0, 4, 1}, level).get();
//     acre::invoke_ff(tree[{0, 4, 1}], &cell::refine);
//
// The hash of an index selects its home, which holds a reference to the member.
#pragma once

#include <acre/agas/detail/call_digest.hpp>
#include <acre/agas/detail/sparse_parts.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/invoke_all.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/sparse_collection_id.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/collectable.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// Owning; move-only.
template <class T, class Index>
class sparse_collection : public sparse_collection_id<T, Index> {
 public:
  using id_type = sparse_collection_id<T, Index>;

  sparse_collection() = default;
  /// Collective.
  explicit sparse_collection(const site& where)
      : id_type(agas::add_sparse_part(std::make_unique<agas::sparse_part<T, Index>>())),
        end_("the end of the sparse collection", where) {
    try {
      const auto made = global::common_call("make_sparse_collection", where)
                            .with_type("the members' type", typeid(T))
                            .with_type("the indices' type", typeid(Index))
                            .with_identity("the number", this->number());
      global::require_same_call(world(), made);
    } catch (...) {
      agas::remove_sparse_part(this->number());
      throw;
    }
  }
  sparse_collection(sparse_collection&& other) noexcept
      : id_type(std::exchange(static_cast<id_type&>(other), id_type())), end_(other.end_) {}
  sparse_collection& operator=(sparse_collection&& other) noexcept {
    sparse_collection taken(std::move(other));
    std::swap(static_cast<id_type&>(*this), static_cast<id_type&>(taken));
    std::swap(end_, taken.end_);
    return *this;
  }
  /// Removes all members; later calls by index fail. Collective. Cost: drain(), 2 B.
  ~sparse_collection() {
    if (*this && end_.meet(world(), this->number())) agas::end_sparse_part(this->number());
  }

  [[nodiscard]] const id_type& id() const noexcept { return *this; }
  /// Collective: allreduce.
  [[nodiscard]] std::size_t size() const { return world().allreduce(this->homed_size(), op::sum); }

 private:
  collective_end end_{"the end of the sparse collection", site()};
};

template <class T, class Index>
inline constexpr bool global::travels_by_id<sparse_collection<T, Index>> = true;

/// Collective over the job. Cost: 1 allreduce.
/// @throws acre::error on all ranks if types differ
template <class T, sparse_index Index>
[[nodiscard]] sparse_collection<T, Index> make_sparse_collection(
    const site& where = site::current()) {
  return sparse_collection<T, Index>(where);
}

namespace agas {

template <class T, class Index, class F, class... Arguments>
[[nodiscard]] global::common_call call_of_all(const char* name,
                                              const sparse_collection<T, Index>& all, const F& f,
                                              const Arguments&... arguments) {
  call_digest given;
  (given.add(arguments), ...);
  return global::common_call(name, site())
      .with_identity("the collection", all.number())
      .with_identity("the function", call_digest().add_function(travelling_t<F>(f)).number())
      .with_identity("the arguments", given.number());
}

struct call_sparse {
  template <class T, class Index, class F, class... Arguments>
  void operator()(const sparse_collection_id<T, Index>& all, const F& function,
                  const Arguments&... arguments) const {
    for (const auto& [index, member] : all.homed_members()) {
      invoke_ff(member, function, arguments...);
    }
  }
};

template <class T, class Index>
struct members_of<sparse_collection_id<T, Index>> {
  static constexpr bool can_call = false;

  template <class F, class... Arguments>
  static void spread(const sparse_collection_id<T, Index>& members, const F& f,
                     const Arguments&... arguments) {
    using function = travelling_t<F>;
    constexpr auto flaw = find_invoke_flaw<function, T, Arguments...>();
    if constexpr (flaw != global::rpc_flaw::none) {
      global::explain_call<flaw, on_object<function, T>, Arguments...>();
    } else {
      agas::spread(size(), call_sparse(), members, function(f), arguments...);
    }
  }
};

/// Calls the members that exist when their home makes the calls. Results are combined per home by
/// the hash of indices, then by rank.
template <class T, class Index>
struct members_of<sparse_collection<T, Index>> : members_of<sparse_collection_id<T, Index>> {
  static constexpr bool can_call = true;

  template <class F, class... Arguments>
  static void call(const sparse_collection<T, Index>& members, const F& f,
                   const Arguments&... arguments) {
    global::succeed_together(world(), call_of_all("invoke_all", members, f, arguments...), [&] {
      std::vector<future<void>> running;
      for (const auto& [index, member] : members.homed_members()) {
        auto coming = invoke(member, f, arguments...);
        running.push_back(
            std::move(coming).then([](decltype(coming) done) { static_cast<void>(done.get()); }));
      }
      when_all(std::move(running)).get();
    });
  }
  template <class Operation, class F, class... Arguments>
  static auto reduce(const sparse_collection<T, Index>& members, Operation operation, const F& f,
                     const Arguments&... arguments) {
    using result = typename decltype(invoke(object_ref<T>(), f, arguments...))::value_type;
    static_assert(combinable<result> && operation_on<Operation, result>,
                  "the operation combines two results of the function, of fixed size, to a third");
    std::optional<result> mine;
    global::succeed_together(world(), call_of_all("invoke_reduce", members, f, arguments...), [&] {
      std::vector<future<result>> running;
      for (const auto& [index, member] : members.homed_members()) {
        running.push_back(invoke(member, f, arguments...));
      }
      for (result& each : when_all(std::move(running)).get()) {
        mine = mine ? operation(*mine, each) : each;
      }
    });
    const auto combine = [&](const auto& a, const auto& b) {
      if (!a.first || !b.first) return a.first ? a : b;
      return std::pair<bool, result>(true, operation(a.second, b.second));
    };
    return world()
        .allreduce(std::pair<bool, result>(mine.has_value(), mine.value_or(result())), combine)
        .second;
  }
};

}  // namespace agas
}  // namespace acre
