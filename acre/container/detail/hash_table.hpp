// The parts of a hash map together: whose a key is, and how an operation gets there.
//
// Each member of the team owns one part of equal capacity. The owner of a key is
// floor(hash × members), which does not depend on the capacity: growing moves no
// key to another rank. An operation works directly on the owner's buckets where
// they are mapped here, with loads, stores and the CPU's atomics; else it is one
// message to the owner and one back, and the same code runs there.
//
// A table does not move while it lives: writers refer to it.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/container/detail/hash_part.hpp>
#include <acre/container/detail/team_memory.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace acre::detail {

[[noreturn]] void throw_table_full(const char* call, std::uint64_t capacity, rank_t owner,
                                   rank_t members);
[[noreturn]] void throw_no_table(const char* call);
[[noreturn]] void throw_too_small(std::uint64_t capacity, const std::string& advice);
[[noreturn]] void throw_too_large(std::uint64_t capacity);
[[noreturn]] void throw_crowded(std::uint64_t capacity);
/// @throws acre::error unless it is a number above 0
void check_load(const char* call, double most_load);
[[noreturn]] void throw_failed_elsewhere(const char* call);
void check_message_size(const char* call, std::size_t bytes);

/// The head of a part's memory; the buckets follow.
struct part_head {
  /// How many entries came and went, by whom: ranks do not share a line unless
  /// there are more than this many.
  static constexpr std::size_t stripes = 16;
  struct alignas(64) stripe {
    std::atomic<std::int64_t> entries;
  };

  std::array<stripe, stripes> counts;

  void add(std::int64_t entries) noexcept {
    counts[rank() % stripes].entries.fetch_add(entries, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::int64_t sum = 0;
    for (const stripe& each : counts) sum += each.entries.load(std::memory_order_relaxed);
    return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
  }
};

/// What an operation brings back.
template <class V>
struct met {
  outcome what;
  std::optional<V> value = std::nullopt;
};

/// What an operation needs besides the key, when that is nothing.
struct no_operand {};

/// Something that this rank has under way, which must end before the buckets go.
class unfinished_work {
 public:
  virtual void finish_sent() = 0;
  virtual void table_ends() noexcept = 0;

 protected:
  ~unfinished_work() = default;
};

template <class T>
[[nodiscard]] T load_unaligned(const std::byte* source) noexcept {
  alignas(T) std::byte copy[sizeof(T)];
  std::memcpy(copy, source, sizeof(T));
  return *std::launder(reinterpret_cast<T*>(copy));
}

/// Asks for a line that is about to be changed.
inline void prefetch_for_change(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// Operations copy keys and values on the stack, some of them a few times.
inline constexpr std::size_t most_entry_bytes = std::size_t{1} << 20;

template <class K, class V, class Hash, class Equal>
class hash_table {
  static_assert(sizeof(K) + sizeof(V) <= most_entry_bytes,
                "a key and a value of hash_map take at most 1 MiB together: "
                "store a global_ptr to what is larger");

 public:
  using part = hash_part<K, V, Hash, Equal>;
  using bucket_type = typename part::bucket_type;

  /// Which member owns a key, and its hash as a fraction of that member's part.
  struct location {
    rank_t owner;
    std::uint64_t hash;
  };

  hash_table(const team& members, std::uint64_t capacity, const char* call)
      : members_(members), parts_(members.size()) {
    const runtime::failures_held until_all_is_done;
    check_message_size(call, sizeof(K) + sizeof(V));
    memory_ = allocate(capacity, call);
    part_capacity_ = capacity_of_part(capacity);
    members_.barrier();
  }
  ~hash_table() {
    for (unfinished_work* each : work_) each->table_ends();
    end_.release(memory_, members_);
  }
  hash_table(const hash_table&) = delete;
  hash_table& operator=(const hash_table&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t part_capacity() const noexcept { return part_capacity_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return part_capacity_ * parts_; }
  [[nodiscard]] std::uint64_t local_size() const noexcept {
    return head_of(memory_.mine())->size();
  }

  [[nodiscard]] location locate(const K& key) const {
    const scaled place = scale(good_hash<Hash>(key), parts_);
    return {static_cast<rank_t>(place.whole), place.fraction};
  }

  /// The memory of a member's part where it is mapped here, else null.
  [[nodiscard]] std::byte* direct_block(rank_t member) const noexcept {
    return runtime::direct_address(memory_.bits_of(member));
  }
  [[nodiscard]] std::uint64_t block_bits(rank_t member) const noexcept {
    return memory_.bits_of(member);
  }
  [[nodiscard]] part part_in(std::byte* block) const noexcept {
    return make_part(block, part_capacity_, parts_);
  }
  [[nodiscard]] part local_part() const noexcept { return part_in(memory_.mine()); }

  /// Runs `Operation` on a key, here or at its owner.
  template <class Operation>
  met<V> perform(const K& key, const typename Operation::operand& operand, const char* call,
                 const std::source_location& where) const {
    const location at = locate(key);
    if (std::byte* block = direct_block(at.owner)) [[likely]] {
      part there = part_in(block);
      const met<V> result = Operation::run(there, key, at.hash, operand);
      settle(block, result.what, there.costs());
      return result;
    }
    return perform_remotely<Operation>(at, key, operand, call, where);
  }

  /// Replaces the value by change(value), or adds the key with `initial`.
  template <class Change>
  outcome update(const K& key, const V& initial, Change& change,
                 const std::source_location& where) const {
    const location at = locate(key);
    if (std::byte* block = direct_block(at.owner)) [[likely]] {
      part there = part_in(block);
      const outcome what =
          there.upsert(key, at.hash, change, [&]() -> const V& { return initial; });
      settle(block, what, there.costs());
      return what;
    }
    std::array<std::byte, sizeof(K) + sizeof(V) + sizeof(Change)> payload;
    std::memcpy(payload.data(), &key, sizeof(K));
    std::memcpy(payload.data() + sizeof(K), &initial, sizeof(V));
    std::memcpy(payload.data() + sizeof(K) + sizeof(V), &change, sizeof(Change));
    const auto words = request_words(at);
    return outcome(run_remote_call(members_.world_rank(at.owner), run_by::owner,
                                   token_of<&serve_update<Change>>(), words, payload, {},
                                   "hash_map::update", where));
  }

  /// Counts what an operation on a block did. Threads of a rank may do so at once.
  static void settle(std::byte* block, outcome what, const part_costs& costs) noexcept {
    if (what == outcome::added) head_of(block)->add(1);
    if (what == outcome::erased) head_of(block)->add(-1);
    tally(costs);
  }
  static void tally(const part_costs& costs) noexcept {
    runtime::count(runtime::counted::direct_get, costs.reads);
    runtime::count(runtime::counted::direct_put, costs.writes);
    runtime::count(runtime::counted::direct_atomic, costs.atomics);
  }
  static part_head* head_of(std::byte* block) noexcept {
    return reinterpret_cast<part_head*>(block);
  }

  /// What a message says of where it is to be executed, and the part that it means.
  [[nodiscard]] std::array<fabric::word, 4> request_words(const location& at) const noexcept {
    return {memory_.bits_of(at.owner) & offset_mask, at.hash, part_capacity_, parts_};
  }
  static std::byte* block_of_request(std::span<const fabric::word> words) noexcept {
    return runtime::world.segment + words[0];
  }
  static part part_of_request(std::span<const fabric::word> words) noexcept {
    return make_part(block_of_request(words), words[2], words[3]);
  }

  // --- collective ---------------------------------------------------------------

  [[nodiscard]] std::uint64_t size() const {
    const runtime::failures_held until_all_is_done;
    // Others may have work under way in this rank's part until they are here too.
    members_.barrier();
    return members_.allreduce(local_size());
  }

  /// Moves all entries to buckets of another number. Each rank moves its own.
  void resize(std::uint64_t capacity) {
    const runtime::failures_held until_all_is_done;
    finish_sent();
    // From here on nobody uses the old buckets but their owner.
    members_.barrier();
    const std::uint64_t most = members_.allreduce(local_size(), op::max);
    if (most > capacity_of_part(capacity)) {
      throw_too_small(capacity,
                      "the fullest part needs a capacity of " + std::to_string(most * parts_));
    }
    team_memory fresh = allocate(capacity, "hash_map::resize");
    enum : int { fits, too_small, failed };
    int outcome_here = failed;
    std::exception_ptr failure;
    try {
      outcome_here = copy_local_to(fresh.mine(), capacity_of_part(capacity)) ? fits : too_small;
    } catch (...) {
      failure = std::current_exception();  // a hash function that throws
    }
    const int worst = members_.allreduce(outcome_here, op::max);
    if (failure) std::rethrow_exception(failure);
    if (worst == failed) throw_failed_elsewhere("hash_map::resize");
    if (worst == too_small) throw_too_small(capacity, "leave a fifth of the buckets free");
    memory_ = std::move(fresh);
    part_capacity_ = capacity_of_part(capacity);
    members_.barrier();
  }

  bool grow_if_needed(double most_load) {
    const runtime::failures_held until_all_is_done;
    const std::uint64_t entries = fullest_part();
    std::uint64_t wanted = part_capacity_;
    while (is_fuller(entries, wanted, most_load)) wanted = twice(wanted);
    if (wanted == part_capacity_) return false;
    resize(wanted * parts_);
    return true;
  }

  void grow() { resize(twice(part_capacity_) * parts_); }

  /// Whether all parts are so empty that no key with a good hash is refused.
  [[nodiscard]] bool is_sparse() const {
    const runtime::failures_held until_all_is_done;
    return !is_fuller(fullest_part(), part_capacity_, 0.25);
  }

  void clear() {
    const runtime::failures_held until_all_is_done;
    finish_sent();
    members_.barrier();
    erase_all(memory_.mine(), part_capacity_);
    members_.barrier();
  }

  /// Writers sign on, so that the buckets do not change under what they have sent.
  void sign_on(unfinished_work& work) { work_.push_back(&work); }
  void sign_off(unfinished_work& work) noexcept { std::erase(work_, &work); }

 private:
  static constexpr std::size_t head_bytes =
      round_up(sizeof(part_head), std::max(alignof(part_head), alignof(bucket_type)));

  static part make_part(std::byte* block, std::uint64_t capacity, std::uint64_t parts) noexcept {
    return part({reinterpret_cast<bucket_type*>(block + head_bytes), capacity}, parts);
  }

  [[nodiscard]] std::uint64_t capacity_of_part(std::uint64_t capacity) const noexcept {
    return std::max<std::uint64_t>(divide_up(capacity, parts_), 1);
  }

  /// Empty buckets for this member, and where those of the others are.
  team_memory allocate(std::uint64_t capacity, const char* call) {
    const std::uint64_t per_part = capacity_of_part(capacity);
    if (per_part > (std::numeric_limits<std::size_t>::max() >> 1) / sizeof(bucket_type)) {
      throw_too_large(capacity);
    }
    team_memory memory(members_, head_bytes + per_part * sizeof(bucket_type), alignof(bucket_type),
                       call);
    erase_all(memory.mine(), per_part);
    return memory;
  }

  /// The entries of the fullest part. Collective.
  [[nodiscard]] std::uint64_t fullest_part() const {
    members_.barrier();
    return members_.allreduce(local_size(), op::max);
  }
  static bool is_fuller(std::uint64_t entries, std::uint64_t capacity, double load) noexcept {
    return static_cast<double>(entries) > load * static_cast<double>(capacity);
  }
  [[nodiscard]] std::uint64_t twice(std::uint64_t part_capacity) const {
    if (part_capacity > std::numeric_limits<std::uint64_t>::max() / 2 / parts_) {
      throw_too_large(std::numeric_limits<std::uint64_t>::max());
    }
    return 2 * part_capacity;
  }

  /// @return whether the entries fit
  [[nodiscard]] bool copy_local_to(std::byte* block, std::uint64_t capacity) const {
    part target = make_part(block, capacity, parts_);
    const auto entries = local_part().copy_to(target);
    if (entries) head_of(block)->add(static_cast<std::int64_t>(*entries));
    return entries.has_value();
  }
  static void erase_all(std::byte* block, std::uint64_t capacity) noexcept {
    std::memset(block, 0, head_bytes + capacity * sizeof(bucket_type));
  }

  void finish_sent() {
    for (unfinished_work* each : work_) each->finish_sent();
  }

  template <class Operation>
  met<V> perform_remotely(const location& at, const K& key,
                          const typename Operation::operand& operand, const char* call,
                          const std::source_location& where) const {
    constexpr bool has_operand = !std::is_same_v<typename Operation::operand, no_operand>;
    std::array<std::byte, sizeof(K) + (has_operand ? sizeof(operand) : 0)> payload;
    std::memcpy(payload.data(), &key, sizeof(K));
    if constexpr (has_operand) std::memcpy(payload.data() + sizeof(K), &operand, sizeof(operand));
    alignas(V) std::byte value[sizeof(V)];
    const auto words = request_words(at);
    const fabric::word code =
        run_remote_call(members_.world_rank(at.owner), run_by::anyone,
                        token_of<&serve<Operation>>(), words, payload, value, call, where);
    met<V> result{.what = outcome(code & 0xff)};
    if ((code & with_value) != 0) result.value = *std::launder(reinterpret_cast<V*>(value));
    return result;
  }

  static constexpr fabric::word with_value = 0x100;

  /// At the owner.
  template <class Operation>
  static void serve(std::span<const fabric::word> words, std::span<const std::byte> payload,
                    call_answer& answer) {
    using operand = typename Operation::operand;
    const K key = load_unaligned<K>(payload.data());
    part here = part_of_request(words);
    met<V> result{};
    if constexpr (std::is_same_v<operand, no_operand>) {
      result = Operation::run(here, key, words[1], no_operand{});
    } else {
      result =
          Operation::run(here, key, words[1], load_unaligned<operand>(payload.data() + sizeof(K)));
    }
    settle(block_of_request(words), result.what, {});
    answer.code = static_cast<fabric::word>(result.what);
    if (result.value) {
      answer.code |= with_value;
      const auto bytes = std::as_bytes(std::span(&*result.value, 1));
      answer.bytes.assign(bytes.begin(), bytes.end());
    }
  }

  template <class Change>
  static void serve_update(std::span<const fabric::word> words, std::span<const std::byte> payload,
                           call_answer& answer) {
    const K key = load_unaligned<K>(payload.data());
    const V initial = load_unaligned<V>(payload.data() + sizeof(K));
    Change change = load_unaligned<Change>(payload.data() + sizeof(K) + sizeof(V));
    part here = part_of_request(words);
    const outcome what = here.upsert(key, words[1], change, [&]() -> const V& { return initial; });
    settle(block_of_request(words), what, {});
    answer.code = static_cast<fabric::word>(what);
  }

  team members_;
  std::uint64_t parts_;
  std::uint64_t part_capacity_ = 0;
  team_memory memory_;
  std::vector<unfinished_work*> work_;
  collective_end end_;
};

}  // namespace acre::detail
