// One operation on many keys. The buckets of a table lie anywhere, so each key
// is a miss of the cache: some keys ahead are hashed, and their buckets asked
// for, before it is their turn. Keys of other nodes travel together, as many as
// a message carries, to all owners at once.
#pragma once

#include <acre/container/hash/detail/hash_table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::detail {

/// Asks for a line that is about to be read.
inline void prefetch_for_look(const void* address) noexcept { __builtin_prefetch(address, 0); }

/// A message for many keys: the items one after the other, each at a multiple of 8. Its
/// answer: a code for each (answered_code), then, at multiples of 8, the values.
inline constexpr std::size_t many_alignment = payload_alignment;

/// How far an item of a batch came.
enum : std::uint8_t {
  many_value = 0x80,      ///< a value follows
  many_not_done = 0xff,   ///< the answer is full: ask again
  many_too_large = 0xfe,  ///< its value fits into no message
};

/// Keys for one member that travel together, and what came back.
struct many_batch : awaited_reply {
  rank_t member = 0;
  bool is_sent = false;
  std::vector<std::uint64_t> items;  ///< their numbers among the caller's keys
  std::vector<std::byte> payload;
};

/// At the owner: runs `Operation` on all keys of a batch. `words[1]` is their number.
template <class Table, class Operation, class K, class V>
void serve_many(std::span<const fabric::word> words, std::span<const std::byte> payload,
                call_answer& answer) {
  Table::note_request(words, "a request of another node");
  auto here = Table::part_of_request(words);
  std::byte* const block = Table::block_of_request(words);
  const std::uint64_t count = words[1];
  std::vector<std::byte>& bytes = answer.bytes;
  bytes.assign(round_up(count, std::uint64_t{many_alignment}), std::byte{many_not_done});
  for (std::uint64_t i = 0; i < count; ++i) {
    reader from(payload);
    const K key = from.read<K>();
    const auto operands = read_all(from, std::type_identity<typename Operation::operands>{});
    payload = payload.subspan(
        std::min(payload.size(), round_up(payload.size() - from.remaining(), many_alignment)));
    const std::uint64_t hash = here.hash_of(key);
    met<V> result{outcome::absent};
    result.what = std::apply(
        [&](const auto&... each) { return Operation::run(here, key, hash, result.value, each...); },
        operands);
    Table::settle(block, result.what);
    auto code = static_cast<std::uint8_t>(result.what);
    if (result.value) {
      const std::size_t size = round_up(serialized_size(*result.value), many_alignment);
      const std::size_t at = bytes.size();
      if (at + size > runtime::max_payload()) {
        // What fits into no answer has been the first value of this one.
        if (at > round_up(count, std::uint64_t{many_alignment})) return;
        code = many_too_large;
      } else {
        bytes.resize(at + size);
        write_to(std::span(bytes).subspan(at), *result.value);
        code |= many_value;
      }
    }
    bytes[i] = std::byte{code};
  }
}

/// The keys of a call that live on other nodes. Used by one thread.
template <class Table, class Operation, class Guarantee, class K, class V>
class many_elsewhere {
 public:
  many_elsewhere(const Table& table, Guarantee guarantee, const char* call,
                 const std::source_location& where)
      : table_(table), guarantee_(guarantee), call_(call), where_(where) {}
  /// Answers must find their batches.
  ~many_elsewhere() {
    for (const many_batch& each : batches_) {
      if (!each.is_sent || each.is_done()) continue;
      runtime::wait_until([&] { return each.is_done(); }, call_, runtime::may_run::internal,
                          where_);
    }
  }
  many_elsewhere(const many_elsewhere&) = delete;
  many_elsewhere& operator=(const many_elsewhere&) = delete;

  /// @return false for what no message carries
  template <class... Operands>
  bool add(std::uint64_t item, rank_t member, const K& key, const Operands&... operands) {
    if (open_.empty()) open_.resize(table_.parts(), nullptr);
    many_batch* batch = open_[member];
    const std::size_t size = serialized_size(key, operands...);
    const std::size_t most = runtime::max_payload();
    if (size > most) return false;
    if (batch != nullptr && (round_up(batch->payload.size(), many_alignment) + size > most ||
                             batch->items.size() >= most_items())) {
      send(*batch);
      batch = nullptr;
    }
    if (batch == nullptr) {
      batch = open_[member] = &batches_.emplace_back();
      batch->member = member;
    }
    const std::size_t at = round_up(batch->payload.size(), many_alignment);
    batch->payload.resize(at + size);
    write_to(std::span(batch->payload).subspan(at), key, operands...);
    batch->items.push_back(item);
    return true;
  }

  /// Sends what is left and hands all that comes back to take(item, met); items that are
  /// to be asked for one at a time go to `single(item)`.
  /// @return the items that did not get an answer yet
  template <class Take, class Single>
  std::vector<std::uint64_t> finish(Take&& take, Single&& single) {
    for (many_batch*& batch : open_) {
      if (batch != nullptr) send(*batch);
    }
    std::vector<std::uint64_t> again;
    for (; !batches_.empty(); batches_.pop_front()) {
      many_batch& batch = batches_.front();
      batch.await(Operation::runner, table_.world_rank(batch.member), call_, where_);
      read_answer(batch, take, single, again);
    }
    return again;
  }

 private:
  /// So that the values of all items find room in the answer.
  static std::size_t most_items() {
    if constexpr (std::is_same_v<Operation, find_operation<V>>) {
      constexpr std::size_t value =
          fixed_serialized_size<V> == variable_size ? 64 : fixed_serialized_size<V>;
      return std::max<std::size_t>(
          (runtime::max_payload() - many_alignment) / (1 + round_up(value, many_alignment)), 1);
    } else {
      return runtime::max_payload();
    }
  }

  void send(many_batch& batch) {
    open_[batch.member] = nullptr;
    batch.is_sent = true;
    const auto words =
        table_.request_words({batch.member, batch.items.size()}, Operation::kind, guarantee_);
    start_remote_call(table_.world_rank(batch.member), Operation::runner,
                      token_of<&serve_many<Table, Operation, K, V>>(), words, batch.payload, batch);
  }

  template <class Take, class Single>
  void read_answer(const many_batch& batch, Take& take, Single& single,
                   std::vector<std::uint64_t>& again) {
    const std::span<const std::byte> bytes = batch.bytes();
    std::size_t at = round_up(batch.items.size(), many_alignment);
    for (std::size_t i = 0; i < batch.items.size(); ++i) {
      const auto code = std::to_integer<std::uint8_t>(bytes[i]);
      if (code == many_not_done) {
        again.push_back(batch.items[i]);
      } else if (code == many_too_large) {
        single(batch.items[i]);
      } else {
        met<V> result{outcome(code & ~many_value)};
        if ((code & many_value) != 0) {
          reader from(bytes.subspan(at));
          result.value.emplace(from.read<V>());
          at = round_up(bytes.size() - from.remaining(), many_alignment);
        }
        take(batch.items[i], std::move(result));
      }
    }
  }

  const Table& table_;
  Guarantee guarantee_;
  const char* call_;
  std::source_location where_;
  std::deque<many_batch> batches_;
  std::vector<many_batch*> open_;  ///< of each member, the one that is not sent yet
};

template <class K, class V, class Hash, class Equal>
template <class Operation, class Guarantee, class Operands, class Take>
void hash_table<K, V, Hash, Equal>::perform_many(Guarantee guarantee, std::span<const K> keys,
                                                 Operands&& operands, Take&& take, const char* call,
                                                 const std::source_location& where) const {
  constexpr std::size_t chunk = 128;
  constexpr std::size_t ahead = 16;
  constexpr std::size_t window = 64 * chunk;  // bounds what waits for other nodes
  constexpr company others = company_of<Guarantee>;
  constexpr bool changes = Operation::kind != container_operation::find;
  many_elsewhere<hash_table, Operation, Guarantee, K, V> elsewhere(*this, guarantee, call, where);

  const auto single = [&](std::uint64_t item) {
    met<V> result{outcome::absent};
    result.what = std::apply(
        [&](const auto&... each) {
          return perform<Operation>(guarantee, keys[item], result.value, call, where, each...);
        },
        operands(item));
    take(item, std::move(result));
  };
  const auto travel = [&](std::uint64_t item, rank_t member) {
    const bool added = std::apply(
        [&](const auto&... each) { return elsewhere.add(item, member, keys[item], each...); },
        operands(item));
    if (!added) single(item);
  };

  struct target {
    std::byte* block;
    location at;
  };
  std::array<target, chunk> targets;
  for (std::size_t start = 0; start < keys.size(); start += chunk) {
    const std::size_t count = std::min(chunk, keys.size() - start);
    const auto prefetch = [&](std::size_t i) {
      if (targets[i].block == nullptr) return;
      const auto* home = part_in(targets[i].block).home(targets[i].at.hash);
      if constexpr (changes) {
        prefetch_for_change(home);
      } else {
        prefetch_for_look(home);
      }
    };
    for (std::size_t i = 0; i < count; ++i) {
      const location at = locate(keys[start + i]);
      targets[i] = {reach<Guarantee>(at, call), at};
      if (i < ahead) prefetch(i);
    }
    part_costs spent;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead < count) prefetch(i + ahead);
      const auto& [block, at] = targets[i];
      if (block == nullptr) {
        travel(start + i, at.owner);
        continue;
      }
      note(block, Operation::kind, call, guarantee);
      auto there = part_in<others>(block);
      met<V> result{outcome::absent};
      result.what = std::apply(
          [&](const auto&... each) {
            return Operation::run(there, keys[start + i], at.hash, result.value, each...);
          },
          operands(start + i));
      settle(block, result.what);
      spent += there.costs();
      take(start + i, std::move(result));
    }
    if constexpr (!is_local<Guarantee>) tally(spent);
    if ((start + chunk) % window == 0 || start + chunk >= keys.size()) {
      std::vector<std::uint64_t> again = elsewhere.finish(take, single);
      while (!again.empty()) {
        for (const std::uint64_t item : again) travel(item, locate(keys[item]).owner);
        again = elsewhere.finish(take, single);
      }
    }
  }
}

}  // namespace acre::detail
