// SPDX-License-Identifier: BSD-3-Clause
// Typed asynchronous collectives as tasks on bytes.
#pragma once

#include <acre/global/future/task.hpp>
#include <acre/global/team/detail/collective_bytes.hpp>
#include <acre/global/wire/detail/roomy.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::global {

template <class T>
consteval void require_value_for_stack() {
  static_assert(sizeof(T) <= most_by_value,
                "a value of a collective may have at most 1 MiB: pass a std::span of its elements, "
                "or a vector");
}

template <class T>
[[nodiscard]] std::span<std::byte> bytes_of(T& value) noexcept {
  return {reinterpret_cast<std::byte*>(&value), sizeof(T)};
}

template <class T>
[[nodiscard]] owned_bytes pack(const T& value) {
  owned_bytes packed(serialized_size(value));
  write_to(packed.span(), value);
  return packed;
}

template <class T, class Operation>
[[nodiscard]] combiner combine_with(const Operation& operation) noexcept {
  require_value_for_stack<T>();
  return {.apply =
              [](const void* erased, std::byte* result, const std::byte* left,
                 const std::byte* right, std::size_t count) {
                const auto& combine = *static_cast<const Operation*>(erased);
                for (std::size_t i = 0; i < count; ++i) {
                  const std::size_t at = i * sizeof(T);
                  const T combined = combine(load_bytes<T>(left + at), load_bytes<T>(right + at));
                  std::memcpy(result + at, &combined, sizeof(T));
                }
              },
          .operation = &operation,
          .element_bytes = sizeof(T)};
}

template <class T>
struct carried {
  alignas(
      payload_alignment) std::byte bytes[round_up(fixed_serialized_size<T>, payload_alignment)]{};

  explicit carried(const T& value) { write_to(bytes, value); }
  [[nodiscard]] T value() const {
    return deserialize<T>(std::span(bytes).first(fixed_serialized_size<T>));
  }
};
template <class T, class Operation>
struct carried_operation {
  Operation operation;

  carried<T> operator()(const carried<T>& left, const carried<T>& right) const {
    return carried<T>(operation(left.value(), right.value()));
  }
};
template <class T>
struct as_given<carried<T>> {
  using type = T;
};
template <class T, class Operation>
struct as_given<carried_operation<T, Operation>> {
  using type = Operation;
};
template <class T, class Operation, class Reduction>
[[nodiscard]] auto reduce_carried(const T& value, const Operation& operation,
                                  Reduction&& reduction) {
  return reduction(carried<T>(value), carried_operation<T, Operation>{operation});
}

// The coroutines own the memory to which the collectives' spans refer.

template <class T>
task<T> start_broadcast_value(team_ref team, T value, rank_t root) {
  if constexpr (travels_as_bytes<T>) {
    co_await start_broadcast(std::move(team), root, bytes_of(value));
  } else {
    const bool here = team->rank == root;
    const owned_bytes sent = here ? pack(value) : owned_bytes();
    const owned_bytes got = co_await start_broadcast_any(std::move(team), root, sent.span());
    if (!here) value = deserialize<T>(got.span());
  }
  co_return value;
}

template <class T, class Operation>
task<T> start_allreduce_value(team_ref team, T value, Operation operation) {
  co_await start_allreduce(std::move(team), combine_with<T>(operation), bytes_of(value));
  co_return value;
}

template <class T, class Operation>
task<> start_allreduce_values(team_ref team, std::span<T> values, Operation operation) {
  co_await start_allreduce(std::move(team), combine_with<T>(operation),
                           std::as_writable_bytes(values));
}

template <class T, class Operation>
task<std::optional<T>> start_reduce_value(team_ref team, T value, rank_t root,
                                          Operation operation) {
  const bool here = team->rank == root;
  co_await start_reduce(std::move(team), root, combine_with<T>(operation), bytes_of(value));
  co_return here ? std::optional<T>(value) : std::nullopt;
}

template <class T, class Operation>
task<> start_reduce_values(team_ref team, std::span<T> values, rank_t root, Operation operation) {
  const bool here = team->rank == root;
  owned_bytes scratch(here ? 0 : values.size_bytes());
  const std::span<std::byte> data = here ? std::as_writable_bytes(values) : scratch.span();
  if (!here && !values.empty()) std::memcpy(data.data(), values.data(), values.size_bytes());
  co_await start_reduce(std::move(team), root, combine_with<T>(operation), data);
}

template <class T, class Operation>
task<T> start_inclusive_scan(team_ref team, T value, Operation operation) {
  co_await start_scan(std::move(team), combine_with<T>(operation), bytes_of(value), {});
  co_return value;
}

template <class T, class Operation>
task<T> start_exclusive_scan(team_ref team, T value, T initial, Operation operation) {
  const bool first = team->rank == 0;
  T before = value;
  co_await start_scan(std::move(team), combine_with<T>(operation), bytes_of(value),
                      bytes_of(before));
  co_return first ? initial : T(operation(initial, before));
}

template <class T>
class elements {
  using value = std::remove_const_t<T>;

 public:
  explicit elements(std::size_t count) : storage_(directly ? count : count * sizeof(T)) {}

  [[nodiscard]] std::span<std::byte> bytes() noexcept {
    if constexpr (directly) {
      return std::as_writable_bytes(std::span(storage_));
    } else {
      return storage_.span();
    }
  }

  [[nodiscard]] std::vector<value> take() && {
    if constexpr (directly) {
      return std::move(storage_);
    } else {
      std::vector<value> made;
      append_to(made);
      return made;
    }
  }

 private:
  /// Copies the received elements to the empty `made`; needed for bool and types without default
  /// constructor.
  void append_to(std::vector<value>& made) {
    const std::size_t count = storage_.size() / sizeof(T);
    if constexpr (!std::same_as<value, bool> && alignof(value) <= alignof(std::max_align_t)) {
      const auto* const first = reinterpret_cast<const value*>(storage_.data());
      made.assign(first, first + count);
    } else {
      made.reserve(count);
      for (std::size_t i = 0; i < count; ++i) {
        made.push_back(load_bytes<value>(storage_.data() + i * sizeof(T)));
      }
    }
  }

  static constexpr bool directly = std::default_initializable<value> && !std::same_as<value, bool>;
  std::conditional_t<directly, std::vector<value>, owned_bytes> storage_;
};

template <class T>
[[nodiscard]] std::vector<T> unpack(const std::vector<owned_bytes>& parts) {
  std::vector<T> values;
  values.reserve(parts.size());
  for (const owned_bytes& each : parts) values.push_back(deserialize<T>(each.span()));
  return values;
}

template <class T>
task<std::vector<T>> start_gather_packed(team_ref team, owned_bytes mine, rank_t root) {
  owned_parts taken;
  co_await start_gather_parts(std::move(team), root, mine.span(), taken);
  co_return unpack<T>(std::move(taken).take());
}

template <class T>
task<std::vector<T>> start_allgather_packed(team_ref team, owned_bytes mine) {
  owned_parts taken;
  co_await start_allgather_parts(std::move(team), mine.span(), taken);
  co_return unpack<T>(std::move(taken).take());
}

template <class T>
[[nodiscard]] std::size_t elements_in(std::size_t bytes, std::size_t member, const char* call) {
  if (bytes % sizeof(T) != 0) throw_no_elements(call, member, bytes, sizeof(T));
  return bytes / sizeof(T);
}

template <class T>
class vectors_of_parts final : public parts_taker {
 public:
  explicit vectors_of_parts(const char* call) noexcept : call_(call) {}
  void make_room(std::span<const std::size_t> bytes) override {
    parts_.reserve(bytes.size());
    for (std::size_t each = 0; each < bytes.size(); ++each) {
      parts_.emplace_back(elements_in<T>(bytes[each], each, call_));
    }
  }
  [[nodiscard]] std::span<std::byte> place_of(rank_t member) noexcept override {
    return parts_[member].bytes();
  }
  [[nodiscard]] std::vector<std::vector<std::remove_const_t<T>>> take() && {
    std::vector<std::vector<std::remove_const_t<T>>> made;
    made.reserve(parts_.size());
    for (auto& each : parts_) made.push_back(std::move(each).take());
    return made;
  }

 private:
  const char* call_;
  std::vector<elements<T>> parts_;
};

template <class T>
class joined_parts final : public parts_taker {
 public:
  explicit joined_parts(const char* call) noexcept : call_(call) {}
  void make_room(std::span<const std::size_t> bytes) override {
    begins_.assign(1, 0);
    for (std::size_t each = 0; each < bytes.size(); ++each) {
      counts.push_back(elements_in<T>(bytes[each], each, call_));
      begins_.push_back(begins_.back() + bytes[each]);
    }
    all.emplace(begins_.back() / sizeof(T));
  }
  [[nodiscard]] std::span<std::byte> place_of(rank_t member) noexcept override {
    return all->bytes().subspan(begins_[member], begins_[member + 1] - begins_[member]);
  }

  std::vector<std::size_t> counts;
  std::optional<elements<T>> all;

 private:
  const char* call_;
  std::vector<std::size_t> begins_;
};

/// Receives contiguous vectors or strings, of which only the elements are sent.
template <class T>
class whole_ranges final : public parts_taker {
  using element = typename T::value_type;

 public:
  explicit whole_ranges(const char* call) noexcept : call_(call) {}
  void make_room(std::span<const std::size_t> bytes) override {
    values.resize(bytes.size());
    for (std::size_t each = 0; each < bytes.size(); ++each) {
      values[each].resize(elements_in<element>(bytes[each], each, call_));
    }
  }
  [[nodiscard]] std::span<std::byte> place_of(rank_t member) noexcept override {
    return std::as_writable_bytes(std::span(values[member]));
  }

  std::vector<T> values;

 private:
  const char* call_;
};
template <class T>
concept whole_range =
    encoding_of<T> == encoding::contiguous && std::default_initializable<typename T::value_type> &&
    !std::same_as<typename T::value_type, bool> &&
    requires(T& range) { range.resize(std::size_t{}); };

template <class T>
task<std::vector<std::vector<std::remove_const_t<T>>>> start_gatherv(team_ref team,
                                                                     std::span<T> mine,
                                                                     rank_t root) {
  const bool here = team->rank == root;
  vectors_of_parts<T> taken("gatherv");
  co_await start_gather_parts(std::move(team), root, std::as_bytes(mine), taken);
  if (!here) co_return {};
  co_return std::move(taken).take();
}

template <class T>
task<std::vector<std::vector<std::remove_const_t<T>>>> start_allgatherv(team_ref team,
                                                                        std::span<T> mine) {
  vectors_of_parts<T> taken("allgatherv");
  co_await start_allgather_parts(std::move(team), std::as_bytes(mine), taken);
  co_return std::move(taken).take();
}

template <class T>
task<std::vector<std::remove_const_t<T>>> start_gather_elements(team_ref team, std::span<T> mine,
                                                                rank_t root) {
  const bool here = team->rank == root;
  elements<T> result(here ? mine.size() * team->size : 0);
  const bundle all = co_await start_gather(std::move(team), root, std::as_bytes(mine));
  if (here) place_equal_parts(all, result.bytes(), mine.size_bytes());
  co_return std::move(result).take();
}

template <class T>
task<std::vector<std::remove_const_t<T>>> start_allgather_elements(team_ref team,
                                                                   std::span<T> mine) {
  elements<T> result(mine.size() * team->size);
  co_await start_allgather_equal(std::move(team), std::as_bytes(mine), result.bytes());
  co_return std::move(result).take();
}

template <class T>
task<std::vector<std::remove_const_t<T>>> start_alltoall_elements(team_ref team,
                                                                  std::span<T> mine) {
  elements<T> result(mine.size());
  co_await start_alltoall(std::move(team), std::as_bytes(mine), result.bytes());
  co_return std::move(result).take();
}

template <class T>
task<std::vector<T>> start_alltoall_packed(team_ref team, std::vector<owned_bytes> parts) {
  co_return unpack<T>(co_await start_alltoall_any(std::move(team), std::move(parts)));
}

template <class T, class Values>
task<std::vector<T>> start_alltoall_ranges(team_ref team, Values values) {
  std::vector<std::span<const std::byte>> parts;
  parts.reserve(values.size());
  for (const T& each : values) parts.push_back(std::as_bytes(std::span(each)));
  whole_ranges<T> taken("alltoallv");
  co_await start_alltoall_parts(std::move(team), std::move(parts), taken);
  co_return std::move(taken.values);
}

template <class T>
task<joined_parts<std::remove_const_t<T>>> start_alltoall_joined(
    team_ref team, std::span<T> values, std::span<const std::size_t> counts) {
  std::vector<std::span<const std::byte>> parts;
  parts.reserve(counts.size());
  for (const std::size_t count : counts) {
    parts.push_back(std::as_bytes(values.first(count)));
    values = values.subspan(count);
  }
  joined_parts<std::remove_const_t<T>> taken("alltoallv");
  co_await start_alltoall_parts(std::move(team), std::move(parts), taken);
  co_return taken;
}

}  // namespace acre::global
