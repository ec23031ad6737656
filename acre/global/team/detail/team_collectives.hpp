// SPDX-License-Identifier: BSD-3-Clause
// Typed collectives; included by team.hpp.
#pragma once

#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/collective_bytes.hpp>
#include <acre/global/team/detail/collective_meaning.hpp>
#include <acre/global/team/detail/started_collectives.hpp>

#include <span>
#include <utility>
#include <vector>

namespace acre {

template <collectable T>
T team::broadcast(T value, rank_t root, const site& where) const {
  global::require_value_for_stack<T>();
  const global::team_ref& here = reference("broadcast", root);
  global::begin_collective<T>(*this, global::collective_kind::broadcast, "broadcast", where, root);
  if constexpr (travels_as_bytes<T>) {
    global::run_broadcast(here, root, global::bytes_of(value), where);
    return value;
  } else {
    return global::finish(here, global::start_broadcast_value(here, std::move(value), root),
                          global::collective_kind::broadcast, where);
  }
}

template <collectable T>
future<T> team::broadcast_async(T value, rank_t root) const {
  global::require_value_for_stack<T>();
  return global::start_broadcast_value(reference("broadcast", root), std::move(value), root);
}

template <reducible_in_place T>
void team::broadcast(std::span<T> values, rank_t root, const site& where) const {
  const global::team_ref& here = reference("broadcast", root);
  global::begin_collective<T>(*this, global::collective_kind::broadcast, "broadcast", where, root);
  global::run_broadcast(here, root, std::as_writable_bytes(values), where);
}

template <reducible_in_place T>
future<> team::broadcast_async(std::span<T> values, rank_t root) const {
  return global::start_broadcast(reference("broadcast", root), root,
                                 std::as_writable_bytes(values));
}

template <combinable T, operation_on<T> Operation>
T team::allreduce(T value, Operation operation, const site& where) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return allreduce(bytes, combine, where).value();
    });
  } else {
    global::begin_collective<T, Operation>(*this, global::collective_kind::allreduce, "allreduce",
                                           where);
    global::run_allreduce(reference(), global::combine_with<T>(operation), global::bytes_of(value),
                          where);
    return value;
  }
}

template <combinable T, operation_on<T> Operation>
future<T> team::allreduce_async(T value, Operation operation) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return allreduce_async(bytes, combine).then([](const global::carried<T>& all) {
        return all.value();
      });
    });
  } else {
    return global::start_allreduce_value(reference(), value, std::move(operation));
  }
}

template <reducible_in_place T, operation_on<T> Operation>
void team::allreduce(std::span<T> values, Operation operation, const site& where) const {
  global::begin_collective<T, Operation>(*this, global::collective_kind::allreduce, "allreduce",
                                         where);
  global::run_allreduce(reference(), global::combine_with<T>(operation),
                        std::as_writable_bytes(values), where);
}

template <reducible_in_place T, operation_on<T> Operation>
future<> team::allreduce_async(std::span<T> values, Operation operation) const {
  return global::start_allreduce_values(reference(), values, std::move(operation));
}

template <reproducible_addend T>
T team::allreduce(T value, op::reproducible_addition, const site& where) const {
  return allreduce(reproducible_sum<T>(value), op::sum, where).value();
}

template <reproducible_addend T>
future<T> team::allreduce_async(T value, op::reproducible_addition) const {
  return allreduce_async(reproducible_sum<T>(value)).then([](const reproducible_sum<T>& all) {
    return all.value();
  });
}

template <reproducible_addend T>
std::optional<T> team::reduce(T value, rank_t root, op::reproducible_addition,
                              const site& where) const {
  const auto all = reduce(reproducible_sum<T>(value), root, op::sum, where);
  return all ? std::optional<T>(all->value()) : std::nullopt;
}

template <combinable T, operation_on<T> Operation>
std::optional<T> team::reduce(T value, rank_t root, Operation operation, const site& where) const {
  if constexpr (!reducible<T>) {
    const auto all =
        global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
          return reduce(bytes, root, combine, where);
        });
    return all ? std::optional<T>(all->value()) : std::nullopt;
  } else {
    const global::team_ref& here = reference("reduce", root);
    global::begin_collective<T, Operation>(*this, global::collective_kind::reduce, "reduce", where,
                                           root);
    global::run_reduce(here, root, global::combine_with<T>(operation), global::bytes_of(value),
                       where);
    return rank() == root ? std::optional<T>(value) : std::nullopt;
  }
}

template <combinable T, operation_on<T> Operation>
future<std::optional<T>> team::reduce_async(T value, rank_t root, Operation operation) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return reduce_async(bytes, root, combine)
          .then([](const std::optional<global::carried<T>>& all) {
            return all ? std::optional<T>(all->value()) : std::nullopt;
          });
    });
  } else {
    return global::start_reduce_value(reference("reduce", root), value, root, std::move(operation));
  }
}

template <reducible_in_place T, operation_on<T> Operation>
void team::reduce(std::span<T> values, rank_t root, Operation operation, const site& where) const {
  const global::team_ref& here = reference("reduce", root);
  global::begin_collective<T, Operation>(*this, global::collective_kind::reduce, "reduce", where,
                                         root);
  if (here->in_one_node()) {
    global::run_reduce(here, root, global::combine_with<T>(operation),
                       std::as_writable_bytes(values), where);
  } else {
    global::finish(here, global::start_reduce_values(here, values, root, std::move(operation)),
                   global::collective_kind::reduce, where);
  }
}

template <reducible_in_place T, operation_on<T> Operation>
future<> team::reduce_async(std::span<T> values, rank_t root, Operation operation) const {
  return global::start_reduce_values(reference("reduce", root), values, root, std::move(operation));
}

template <combinable T, operation_on<T> Operation>
T team::inclusive_scan(T value, Operation operation, const site& where) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return inclusive_scan(bytes, combine, where).value();
    });
  } else {
    global::begin_collective<T, Operation>(*this, global::collective_kind::scan, "inclusive_scan",
                                           where);
    global::run_scan(reference(), global::combine_with<T>(operation), global::bytes_of(value), {},
                     where);
    return value;
  }
}

template <combinable T, operation_on<T> Operation>
future<T> team::inclusive_scan_async(T value, Operation operation) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return inclusive_scan_async(bytes, combine).then([](const global::carried<T>& all) {
        return all.value();
      });
    });
  } else {
    return global::start_inclusive_scan(reference(), value, std::move(operation));
  }
}

template <combinable T, operation_on<T> Operation>
T team::exclusive_scan(T value, std::type_identity_t<T> initial, Operation operation,
                       const site& where) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return exclusive_scan(bytes, global::carried<T>(initial), combine, where).value();
    });
  } else {
    global::begin_collective<T, Operation>(*this, global::collective_kind::scan, "exclusive_scan",
                                           where);
    T before = value;
    global::run_scan(reference(), global::combine_with<T>(operation), global::bytes_of(value),
                     global::bytes_of(before), where);
    return rank() == 0 ? initial : T(operation(initial, before));
  }
}

template <combinable T, operation_on<T> Operation>
future<T> team::exclusive_scan_async(T value, std::type_identity_t<T> initial,
                                     Operation operation) const {
  if constexpr (!reducible<T>) {
    return global::reduce_carried(value, operation, [&](const auto& bytes, const auto& combine) {
      return exclusive_scan_async(bytes, global::carried<T>(initial), combine)
          .then([](const global::carried<T>& all) { return all.value(); });
    });
  } else {
    return global::start_exclusive_scan(reference(), value, initial, std::move(operation));
  }
}

template <collectable T>
std::vector<T> team::gather(const T& value, rank_t root, const site& where) const {
  if constexpr (travels_as_bytes<T>) {
    return gather(std::span(&value, 1), root, where);
  } else {
    const global::team_ref& here = reference("gather", root);
    global::begin_collective<T>(*this, global::collective_kind::gather, "gather", where, root);
    return global::finish(here, global::start_gather_packed<T>(here, global::pack(value), root),
                          global::collective_kind::gather, where);
  }
}

template <collectable T>
future<std::vector<T>> team::gather_async(const T& value, rank_t root) const {
  return global::start_gather_packed<T>(reference("gather", root), global::pack(value), root);
}

template <collectable T>
std::vector<T> team::allgather(const T& value, const site& where) const {
  if constexpr (travels_as_bytes<T>) {
    return allgather(std::span(&value, 1), where);
  } else {
    global::begin_collective<T>(*this, global::collective_kind::allgather, "allgather", where);
    return global::finish(reference(), allgather_async(value), global::collective_kind::allgather,
                          where);
  }
}

template <collectable T>
future<std::vector<T>> team::allgather_async(const T& value) const {
  return global::start_allgather_packed<T>(reference(), global::pack(value));
}

template <reducible T>
std::vector<std::remove_const_t<T>> team::gather(std::span<T> values, rank_t root,
                                                 const site& where) const {
  const global::team_ref& here = reference("gather", root);
  global::begin_collective<T>(*this, global::collective_kind::gather, "gather", where, root);
  global::elements<T> result(rank() == root ? values.size() * size() : 0);
  global::run_gather(here, root, std::as_bytes(values), result.bytes(), where);
  return std::move(result).take();
}

template <reducible T>
std::vector<std::remove_const_t<T>> team::allgather(std::span<T> values, const site& where) const {
  const global::team_ref& here = reference();
  global::begin_collective<T>(*this, global::collective_kind::allgather, "allgather", where);
  global::elements<T> result(values.size() * size());
  global::run_allgather(here, std::as_bytes(values), result.bytes(), where);
  return std::move(result).take();
}

template <reducible T>
future<std::vector<std::remove_const_t<T>>> team::gather_async(std::span<T> values,
                                                               rank_t root) const {
  return global::start_gather_elements(reference("gather", root), values, root);
}

template <reducible T>
future<std::vector<std::remove_const_t<T>>> team::allgather_async(std::span<T> values) const {
  return global::start_allgather_elements(reference(), values);
}

template <reducible T>
std::vector<std::vector<std::remove_const_t<T>>> team::gatherv(std::span<T> values, rank_t root,
                                                               const site& where) const {
  const global::team_ref& here = reference("gatherv", root);
  global::begin_collective<T>(*this, global::collective_kind::gather, "gatherv", where, root);
  return global::finish(here, global::start_gatherv(here, values, root),
                        global::collective_kind::gather, where);
}

template <reducible T>
std::vector<std::vector<std::remove_const_t<T>>> team::allgatherv(std::span<T> values,
                                                                  const site& where) const {
  global::begin_collective<T>(*this, global::collective_kind::allgather, "allgatherv", where);
  return global::finish(reference(), global::start_allgatherv(reference(), values),
                        global::collective_kind::allgather, where);
}

template <reducible T>
std::vector<std::remove_const_t<T>> team::alltoall(std::span<T> values, const site& where) const {
  const global::team_ref& here = reference();
  if (values.size() % size() != 0) global::throw_bad_parts("alltoall", values.size(), size());
  global::begin_collective<T>(*this, global::collective_kind::alltoall, "alltoall", where);
  global::elements<T> result(values.size());
  global::run_alltoall(here, std::as_bytes(values), result.bytes(), where);
  return std::move(result).take();
}

template <reducible T>
future<std::vector<std::remove_const_t<T>>> team::alltoall_async(std::span<T> values) const {
  const global::team_ref& here = reference();
  if (values.size() % size() != 0) global::throw_bad_parts("alltoall", values.size(), size());
  return global::start_alltoall_elements(here, values);
}

template <collectable T>
std::vector<T> team::alltoallv(const std::vector<T>& values, const site& where) const {
  if constexpr (global::whole_range<T>) {
    const global::team_ref& here = reference();
    if (values.size() != size()) global::throw_bad_parts("alltoallv", values.size(), size());
    global::begin_collective<T>(*this, global::collective_kind::alltoall, "alltoallv", where);
    return global::finish(here,
                          global::start_alltoall_ranges<T, const std::vector<T>&>(here, values),
                          global::collective_kind::alltoall, where);
  } else {
    global::begin_collective<T>(*this, global::collective_kind::alltoall, "alltoallv", where);
    return global::finish(reference(), alltoallv_async(values), global::collective_kind::alltoall,
                          where);
  }
}

template <collectable T>
future<std::vector<T>> team::alltoallv_async(const std::vector<T>& values) const {
  const global::team_ref& here = reference();
  if (values.size() != size()) global::throw_bad_parts("alltoallv", values.size(), size());
  if constexpr (global::whole_range<T>) {
    return global::start_alltoall_ranges<T, std::vector<T>>(here, values);
  }
  std::vector<global::owned_bytes> outgoing;
  outgoing.reserve(values.size());
  for (const auto& each : values) outgoing.push_back(global::pack<T>(each));
  return global::start_alltoall_packed<T>(here, std::move(outgoing));
}

inline std::vector<global::owned_bytes> team::alltoallv(std::vector<global::owned_bytes> packed,
                                                        const site& where) const {
  const global::team_ref& here = reference();
  if (packed.size() != size()) global::throw_bad_parts("alltoallv", packed.size(), size());
  return global::finish(here, global::start_alltoall_any(here, std::move(packed)),
                        global::collective_kind::alltoall, where);
}

template <reducible T>
auto team::alltoallv(std::span<T> values, std::span<const std::size_t> counts,
                     const site& where) const -> parts<std::remove_const_t<T>> {
  global::require_counts(values.size(), counts, size());
  global::begin_collective<T>(*this, global::collective_kind::alltoall, "alltoallv", where);
  auto got = global::finish(reference(), global::start_alltoall_joined(reference(), values, counts),
                            global::collective_kind::alltoall, where);
  return {.values = std::move(*got.all).take(), .counts = std::move(got.counts)};
}

}  // namespace acre
