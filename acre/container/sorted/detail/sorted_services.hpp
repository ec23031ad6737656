// SPDX-License-Identifier: BSD-3-Clause
// Services of sorted maps for other nodes.
#pragma once

#include <acre/container/sorted/detail/sorted_part.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/many_at_owners.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

template <class V>
struct sorted_met {
  bool is_done;
  std::optional<V> value = std::nullopt;
};

template <class V>
struct sorted_find {
  using operands = std::tuple<>;
  static constexpr container_operation kind = container_operation::find;
  static constexpr bool brings_value = true;

  template <class Guarantee, class Part, class K>
  static bool run(const Part& part, const K& key, std::optional<V>& value,
                  runtime::direct_costs& spent) {
    return part.template find<Guarantee>(key, &value, spent);
  }
};

template <class V>
struct sorted_contains {
  using operands = std::tuple<>;
  static constexpr container_operation kind = container_operation::find;
  static constexpr bool brings_value = false;

  template <class Guarantee, class Part, class K>
  static bool run(const Part& part, const K& key, std::optional<V>&, runtime::direct_costs& spent) {
    return part.template find<Guarantee>(key, nullptr, spent);
  }
};

template <class V, put_kind How>
struct sorted_put {
  using operands = std::tuple<V>;
  static constexpr container_operation kind =
      How == put_kind::assign ? container_operation::update : container_operation::insert;
  static constexpr bool brings_value = false;

  template <class Guarantee, class Part, class K>
  static bool run(const Part& part, const K& key, std::optional<V>&, runtime::direct_costs& spent,
                  const V& value) {
    return part.template put<Guarantee>(key, value, How, spent);
  }
};

template <class V>
struct sorted_erase {
  using operands = std::tuple<>;
  static constexpr container_operation kind = container_operation::erase;
  static constexpr bool brings_value = false;

  template <class Guarantee, class Part, class K>
  static bool run(const Part& part, const K& key, std::optional<V>&, runtime::direct_costs& spent) {
    return part.template erase<Guarantee>(key, spent);
  }
};

template <class Operation, class Part>
sorted_met<typename Part::mapped_type> run_request(const Part& part, reader& from) {
  const auto key = from.read<typename Part::key_type>();
  const auto operands =
      at_owner::read_all(from, std::type_identity<typename Operation::operands>{});
  sorted_met<typename Part::mapped_type> result{false};
  runtime::direct_costs here;
  result.is_done = std::apply(
      [&](const auto&... each) {
        return Operation::template run<no_guarantee>(part, key, result.value, here, each...);
      },
      operands);
  return result;
}

template <class Operation, class Part>
struct sorted_key_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    reader from(request.payload);
    const auto result = run_request<Operation>(Part::requested(request.words), from);
    reply.code = result.is_done ? 1 : 0;
    if (result.value) reply.write(*result.value);
  }

  static sorted_met<typename Part::mapped_type> result_of(const at_owner::answered& answer) {
    sorted_met<typename Part::mapped_type> result{answer.code != 0};
    if constexpr (Operation::brings_value) {
      if (result.is_done) {
        result.value.emplace(deserialize<typename Part::mapped_type>(answer.bytes));
      }
    }
    return result;
  }
};

template <class Operation, class Part>
class sorted_keys_service {
 public:
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static constexpr std::size_t answer_bytes =
      Operation::brings_value ? fixed_serialized_size<typename Part::mapped_type> : 0;

  explicit sorted_keys_service(std::span<const fabric::word> words)
      : part_(Part::requested(words)) {}
  std::uint8_t serve(reader item, at_owner::item_answer& reply) {
    const auto result = run_request<Operation>(part_, item);
    if (result.value) reply.write(*result.value);
    return result.is_done ? 1 : 0;
  }

 private:
  Part part_;
};

/// Flags of the keys in the payload.
inline constexpr fabric::word has_start = 1;
inline constexpr fabric::word starts_after = 2;
inline constexpr fabric::word has_bound = 4;

/// Entries in order, each at a multiple of 8, at most a message. Words: as others, flags, maximum
/// of entries. Code: scan_end.
template <class Part>
struct sorted_scan_service {
  using K = typename Part::key_type;
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  /// Bounds the time that other traffic waits.
  static constexpr std::size_t most_entries = 1024;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const Part part = Part::requested(request.words);
    const fabric::word flags = request.words[2];
    reader from(request.payload);
    std::optional<K> start;
    std::optional<K> bound;
    if ((flags & has_start) != 0) start.emplace(from.read<K>());
    if ((flags & has_bound) != 0) bound.emplace(from.read<K>());
    typename Part::entries found;
    runtime::direct_costs here;
    scan_end end =
        part.scan({.key = start ? &*start : nullptr, .is_after = (flags & starts_after) != 0},
                  bound ? &*bound : nullptr, smaller<std::size_t>(request.words[3], most_entries),
                  found, here);
    std::vector<std::byte> entries;
    for (const auto& [key, value] : found) {
      const std::size_t at = round_up(entries.size(), payload_alignment);
      const std::size_t size = serialized_size(key, value);
      if (at != 0 && at + size > runtime::max_payload()) {
        end = scan_end::full;
        break;
      }
      entries.resize(at + size);
      write_to(std::span(entries).subspan(at), key, value);
    }
    const std::span<std::byte> room = reply.room(entries.size());
    if (!entries.empty()) std::memcpy(room.data(), entries.data(), entries.size());
    reply.code = static_cast<fabric::word>(end);
  }

  static scan_end take(const at_owner::answered& answer, typename Part::entries& into) {
    const std::span<const std::byte> payload(answer.bytes);
    for (std::size_t at = 0; at < payload.size();) {
      reader from(payload.subspan(at));
      K key = from.read<K>();
      auto value = from.read<typename Part::mapped_type>();
      into.emplace_back(std::move(key), std::move(value));
      at = round_up(payload.size() - from.remaining(), payload_alignment);
    }
    return scan_end(answer.code);
  }
};

}  // namespace acre::container
