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
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/container/hash/detail/hash_travel.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/phase_record.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/global/rpc.hpp>
#include <acre/global/team_memory.hpp>
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
/// What the members bring when a table may grow: the entries of the fullest part, and the
/// loads that they were asked for, which should be one.
struct load_request {
  std::uint64_t entries;
  double least;
  double most;
};
/// Not a number is the least of all, so that it is not lost.
[[nodiscard]] load_request merge_requests(const load_request& a, const load_request& b) noexcept;
/// @throws acre::error unless all have named the same number above 0
void check_load(const load_request& all);
[[noreturn]] void throw_growth_differs(const char* call);
/// @throws acre::error unless a call on many keys was given as many of the other
void check_as_many(const char* call, std::size_t keys, std::size_t others);
[[noreturn]] void throw_many_refused(const char* call, std::uint64_t items, std::uint64_t capacity);
[[noreturn]] void throw_failed_elsewhere(const char* call);
void check_message_size(const char* call, std::size_t bytes);

/// How full a part is let become before it grows.
inline constexpr double usual_load = 0.75;
/// The capacity for so many entries, spread as by good hashes.
[[nodiscard]] std::uint64_t capacity_for(std::uint64_t entries) noexcept;

/// The head of a part's memory; the buckets follow.
struct part_head {
  /// How many entries came and went, by whom: ranks do not share a line unless
  /// there are more than this many.
  static constexpr std::size_t stripes = 16;
  struct alignas(64) stripe {
    std::atomic<std::int64_t> entries;
  };

  std::array<stripe, stripes> counts;
  alignas(64) phase_record phase;

  void add(std::int64_t entries) noexcept {
    counts[rank() % stripes].entries.fetch_add(entries, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::int64_t sum = 0;
    for (const stripe& each : counts) sum += each.entries.load(std::memory_order_relaxed);
    return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
  }
};

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
inline constexpr std::size_t most_entry_bytes = std::size_t{1} << 16;

template <class K, class V, class Hash, class Equal>
class hash_table {
  static_assert(sizeof(K) + sizeof(V) <= most_entry_bytes,
                "a key and a value of hash_map take at most 64 KiB together: "
                "make what is larger a vector, or store a global_ptr to it");

 public:
  template <company Others>
  using part_among = hash_part<K, V, Hash, Equal, Others>;
  using part = part_among<company::anyone>;
  using bucket_type = typename part::bucket_type;

  /// Which member owns a key, and its hash as a fraction of that member's part.
  struct location {
    rank_t owner;
    std::uint64_t hash;
  };

  hash_table(const team& members, std::uint64_t capacity, growth grows, const char* call)
      : members_(members), parts_(members.size()), grows_(grows) {
    const runtime::failures_held until_all_is_done;
    memory_ = allocate(capacity, call);
    part_capacity_ = capacity_of_part(capacity);
    const auto automatic = members_.allreduce(rank_t{grows == growth::automatic ? 1U : 0U});
    if (automatic != 0 && automatic != members_.size()) throw_growth_differs(call);
  }
  ~hash_table() {
    for (unfinished_work* each : work_) each->table_ends();
    finish_promised();
    if (end_.release(memory_, members_)) local_part().release_all();
  }
  hash_table(const hash_table&) = delete;
  hash_table& operator=(const hash_table&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] rank_t world_rank(rank_t member) const { return members_.world_rank(member); }
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t part_capacity() const noexcept { return part_capacity_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return part_capacity_ * parts_; }
  [[nodiscard]] std::uint64_t local_size() const noexcept {
    return head_of(memory_.mine())->size();
  }

  template <class Key>
  [[nodiscard]] location locate(const Key& key) const {
    const scaled place = scale(good_hash<Hash>(key), parts_);
    return {static_cast<rank_t>(place.whole), place.fraction};
  }

  /// The memory of a member's part where it is mapped here, else null.
  [[nodiscard]] std::byte* direct_block(rank_t member) const noexcept {
    return memory_.direct(member);
  }
  [[nodiscard]] std::uint64_t block_bits(rank_t member) const noexcept {
    return memory_.bits_of(member);
  }
  template <company Others = company::anyone>
  [[nodiscard]] part_among<Others> part_in(std::byte* block) const noexcept {
    return make_part<Others>(block, part_capacity_, parts_);
  }
  [[nodiscard]] part local_part() const noexcept { return part_in(memory_.mine()); }

  // --- one key ----------------------------------------------------------------------

  /// Runs `Operation` on a key, here or at its owner. What it brings back comes into `value`.
  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome perform(Guarantee guarantee, const Key& key, std::optional<V>& value, const char* call,
                  const std::source_location& where, const Operands&... operands) const {
    const location at = locate(key);
    if (std::byte* block = reach<Guarantee>(at, call)) [[likely]] {
      return run_here<Operation>(guarantee, block, key, at, value, call, operands...);
    }
    met<V> result = perform_remotely<Operation>(guarantee, at, K(key), call, where, operands...);
    value = std::move(result.value);
    return result.what;
  }

  /// The same without waiting, when the owner is on another node.
  template <class Operation, class Guarantee, class Key, class Convert, class... Operands>
  auto start(Guarantee guarantee, const Key& key, const char* call, Convert convert,
             const Operands&... operands) const {
    using answer = std::invoke_result_t<Convert, met<V>>;
    const location at = locate(key);
    try {
      if (std::byte* block = reach<Guarantee>(at, call)) [[likely]] {
        met<V> result{outcome::absent};
        result.what =
            run_here<Operation>(guarantee, block, key, at, result.value, call, operands...);
        return make_ready_future(convert(std::move(result)));
      }
      return start_remotely<Operation>(guarantee, at, K(key), call, convert, operands...);
    } catch (...) {
      return make_failed_future<answer>(std::current_exception());
    }
  }

  // --- many keys ---------------------------------------------------------------------

  /// Runs `Operation` on each key, with operands(i), and hands take(i, met) what it
  /// brings back, in any order.
  template <class Operation, class Guarantee, class Operands, class Take>
  void perform_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands, Take&& take,
                    const char* call, const std::source_location& where) const;

  // --- for those who work on parts themselves -------------------------------------------

  /// Counts what an operation on a block did. Threads of a rank may do so at once.
  static void settle(std::byte* block, outcome what) noexcept {
    if (what == outcome::added) head_of(block)->add(1);
    if (what == outcome::erased) head_of(block)->add(-1);
  }
  static void tally(const part_costs& costs) noexcept {
    runtime::count(runtime::counted::direct_get, costs.reads);
    if (costs.writes != 0) runtime::count(runtime::counted::direct_put, costs.writes);
    if (costs.atomics != 0) runtime::count(runtime::counted::direct_atomic, costs.atomics);
  }
  static part_head* head_of(std::byte* block) noexcept {
    return reinterpret_cast<part_head*>(block);
  }

  /// What a message says of where it is to be executed, the part that it means, and what
  /// was guaranteed.
  template <class Guarantee = no_guarantee>
  [[nodiscard]] std::array<fabric::word, 5> request_words(
      const location& at, container_operation operation = container_operation::update,
      Guarantee guarantee = {}) const noexcept {
    return {memory_.bits_of(at.owner) & offset_mask, at.hash, part_capacity_, parts_,
            has_checks ? phase_entry::of(members_, operation, guarantee).bits() : 0};
  }
  static std::byte* block_of_request(std::span<const fabric::word> words) noexcept {
    return runtime::world.segment + words[0];
  }
  static part part_of_request(std::span<const fabric::word> words) noexcept {
    return make_part<company::anyone>(block_of_request(words), words[2], words[3]);
  }
  /// @throws acre::error when a guarantee is broken, in builds with ACRE_CHECKS
  static void note_request(std::span<const fabric::word> words, const char* call) {
    if constexpr (has_checks) {
      head_of(block_of_request(words))->phase.note(call, phase_entry(words[4]));
    }
  }
  template <class Guarantee = no_guarantee>
  void note(std::byte* block, container_operation operation, const char* call,
            Guarantee guarantee = {}) const {
    if constexpr (has_checks) {
      head_of(block)->phase.note(call, phase_entry::of(members_, operation, guarantee));
    }
  }

  /// The entries of one bucket of a member on another node, however large they are.
  [[nodiscard]] std::vector<std::pair<K, V>> read_bucket_by_rpc(rank_t member,
                                                                std::uint64_t bucket) const {
    return rpc(
               world_rank(member),
               [](const std::array<fabric::word, 5>& words) {
                 std::vector<std::pair<K, V>> found;
                 part_of_request(words).visit(words[1], [&](const K& key, const V& value) {
                   found.emplace_back(key, value);
                 });
                 return found;
               },
               request_words({member, bucket}, container_operation::find))
        .get();
  }

  /// Somebody looks at all entries of a part that is mapped here.
  void note_walk(rank_t member, const char* call) const {
    note(direct_block(member), container_operation::find, call);
  }

  // --- collective ---------------------------------------------------------------

  [[nodiscard]] std::uint64_t size() {
    const runtime::failures_held until_all_is_done;
    sync();
    return members_.allreduce(local_size());
  }

  void sync() {
    const runtime::failures_held until_all_is_done;
    // Others may have work under way in this rank's part until they are here too.
    finish_sent();
    members_.barrier();
    if (grows_ == growth::automatic) grow_if_needed(usual_load);
  }

  /// Moves all entries to buckets of another number. Each rank moves its own.
  void resize(std::uint64_t capacity) {
    const runtime::failures_held until_all_is_done;
    finish_sent();
    // From here on nobody uses the old buckets but their owner.
    members_.barrier();
    const std::uint64_t most = members_.allreduce(local_size(), op::max);
    // This is where capacities that differ are noticed.
    team_memory fresh = allocate(capacity, "hash_map::resize");
    if (most > capacity_of_part(capacity)) {
      throw_too_small(capacity,
                      "the fullest part needs a capacity of " + std::to_string(most * parts_));
    }
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

  /// Room for so many entries, if their hashes are good.
  void reserve(std::uint64_t entries) {
    const runtime::failures_held until_all_is_done;
    const std::uint64_t wanted = capacity_for(members_.allreduce(entries, op::max));
    if (wanted > capacity()) rehash(wanted);
  }

  /// To so many buckets, or as many more as the entries need.
  void rehash(std::uint64_t capacity) {
    const runtime::failures_held until_all_is_done;
    finish_sent();
    const std::uint64_t needed = capacity_for(fullest_part());
    const std::uint64_t per_part = std::max(capacity_of_part(capacity), needed);
    if (per_part > std::numeric_limits<std::uint64_t>::max() / parts_) throw_too_large(capacity);
    resize(per_part * parts_);
  }

  /// @throws acre::error on all members unless they name the same load, above 0
  bool grow_if_needed(double most_load) {
    const runtime::failures_held until_all_is_done;
    members_.barrier();
    const load_request all = members_.allreduce(
        load_request{.entries = local_size(), .least = most_load, .most = most_load},
        merge_requests);
    check_load(all);
    const std::uint64_t entries = all.entries;
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
    local_part().release_all();
    erase_all(memory_.mine(), part_capacity_);
    members_.barrier();
  }

  /// Writers sign on, so that the buckets do not change under what they have sent.
  void sign_on(unfinished_work& work) { work_.push_back(&work); }
  void sign_off(unfinished_work& work) noexcept { std::erase(work_, &work); }

 private:
  static constexpr std::size_t head_bytes =
      round_up(sizeof(part_head), std::max(alignof(part_head), alignof(bucket_type)));

  template <company Others>
  static part_among<Others> make_part(std::byte* block, std::uint64_t capacity,
                                      std::uint64_t parts) noexcept {
    return part_among<Others>({reinterpret_cast<bucket_type*>(block + head_bytes), capacity},
                              parts);
  }

  [[nodiscard]] std::uint64_t capacity_of_part(std::uint64_t capacity) const noexcept {
    return std::max<std::uint64_t>(divide_up(capacity, parts_), 1);
  }

  /// Empty buckets for this member, and where those of the others are.
  team_memory allocate(std::uint64_t capacity, const char* call) {
    const std::uint64_t per_part = capacity_of_part(capacity);
    // More than any memory is asked for all the same: the others must hear of it.
    constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() >> 1;
    const std::uint64_t bytes = per_part > (most - head_bytes) / sizeof(bucket_type)
                                    ? most
                                    : head_bytes + per_part * sizeof(bucket_type);
    team_memory memory(members_, bytes, alignof(bucket_type), call,
                       {.number = capacity, .unit = "buckets"});
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
    part target = make_part<company::anyone>(block, capacity, parts_);
    const auto entries = local_part().copy_to(target);
    if (entries) head_of(block)->add(static_cast<std::int64_t>(*entries));
    return entries.has_value();
  }
  static void erase_all(std::byte* block, std::uint64_t capacity) noexcept {
    std::memset(block, 0, head_bytes + capacity * sizeof(bucket_type));
  }

  /// What this rank has sent must not come to buckets that are no more.
  void finish_sent() {
    for (unfinished_work* each : work_) each->finish_sent();
    await_promised();
  }
  void await_promised() {
    if (in_flight_.load(std::memory_order_acquire) == 0) return;
    runtime::wait_until([this] { return in_flight_.load(std::memory_order_acquire) == 0; },
                        "hash_map: asynchronous operations", runtime::may_run::user_code,
                        std::source_location::current());
  }
  void finish_promised() noexcept {
    try {
      await_promised();
    } catch (...) {
      // A peer is lost: the job ends, and says so itself.
    }
  }

  /// The owner's block where it is mapped here, else null.
  template <class Guarantee>
  [[nodiscard]] std::byte* reach(const location& at, const char* call) const {
    if constexpr (is_local<Guarantee>) {
      if (at.owner != members_.rank()) throw_not_local(call, at.owner);
      return memory_.mine();
    } else {
      return direct_block(at.owner);
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome run_here(Guarantee guarantee, std::byte* block, const Key& key, const location& at,
                   std::optional<V>& value, const char* call, const Operands&... operands) const {
    note(block, Operation::kind, call, guarantee);
    auto there = part_in<company_of<Guarantee>>(block);
    const outcome what = Operation::run(there, key, at.hash, value, operands...);
    settle(block, what);
    // What is local costs others nothing.
    if constexpr (!is_local<Guarantee>) tally(there.costs());
    return what;
  }

  template <class Operation, class Guarantee, class... Operands>
  met<V> perform_remotely(Guarantee guarantee, location at, const K& key, const char* call,
                          std::source_location where, const Operands&... operands) const {
    if (serialized_size(key, operands...) <= runtime::max_payload()) {
      awaited_reply reply;
      with_payload(
          [&](std::span<const std::byte> payload) {
            send<Operation>(guarantee, at, payload, reply);
          },
          key, operands...);
      reply.await(Operation::runner, world_rank(at.owner), call, where);
      if (reply.code() != answer_is_too_large) return met_of<V>(reply.code(), reply.bytes());
    }
    return perform_by_rpc<Operation>(guarantee, at, key, operands...).get(where);
  }

  template <class Operation, class Guarantee>
  void send(Guarantee guarantee, const location& at, std::span<const std::byte> payload,
            call_ticket& ticket) const {
    const auto words = request_words(at, Operation::kind, guarantee);
    start_remote_call(world_rank(at.owner), Operation::runner, token_of<&serve<Operation>>(), words,
                      payload, ticket);
  }

  /// At the owner.
  template <class Operation>
  static void serve(std::span<const fabric::word> words, std::span<const std::byte> payload,
                    call_answer& answer) {
    const met<V> result = run_request<Operation>(words, payload);
    answer.code = code_of(result);
    if (!result.value) return;
    if (serialized_size(*result.value) > runtime::max_payload()) {
      answer.code = answer_is_too_large;
    } else {
      answer.bytes = serialize(*result.value);
    }
  }
  template <class Operation>
  static met<V> run_request(std::span<const fabric::word> words,
                            std::span<const std::byte> payload) {
    reader from(payload);
    const K key = from.read<K>();
    const auto operands = read_all(from, std::type_identity<typename Operation::operands>{});
    note_request(words, "a request of another node");
    part here = part_of_request(words);
    met<V> result{outcome::absent};
    result.what = std::apply(
        [&](const auto&... each) {
          return Operation::run(here, key, words[1], result.value, each...);
        },
        operands);
    settle(block_of_request(words), result.what);
    return result;
  }

  /// For what no message carries in one piece: it waits for the owner's own calls.
  template <class Operation, class Guarantee, class... Operands>
  future<met<V>> perform_by_rpc(Guarantee guarantee, const location& at, const K& key,
                                const Operands&... operands) const {
    const std::vector<std::byte> payload = serialize(key, operands...);
    auto asked = rpc(
        world_rank(at.owner),
        [](const std::array<fabric::word, 5>& words, std::span<const std::byte> bytes) {
          met<V> result = run_request<Operation>(words, bytes);
          return std::pair(static_cast<fabric::word>(result.what), std::move(result.value));
        },
        request_words(at, Operation::kind, guarantee), std::span(payload));
    in_flight_.fetch_add(1, std::memory_order_relaxed);
    return std::move(asked).then(
        [this](future<std::pair<fabric::word, std::optional<V>>> answered) {
          in_flight_.fetch_sub(1, std::memory_order_release);
          auto answer = answered.get();
          return met<V>{outcome(answer.first), std::move(answer.second)};
        });
  }

  template <class Operation, class Guarantee, class Convert, class... Operands>
  auto start_remotely(Guarantee guarantee, const location& at, const K& key, const char* call,
                      Convert convert, const Operands&... operands) const
      -> future<std::invoke_result_t<Convert, met<V>>> {
    const auto by_rpc = [this, guarantee, at, convert](const K& which, const auto&... with) {
      return this->template perform_by_rpc<Operation>(guarantee, at, which, with...).then(convert);
    };
    if (serialized_size(key, operands...) > runtime::max_payload()) return by_rpc(key, operands...);
    auto ticket = std::make_unique<promised_met<V>>(call, world_rank(at.owner), in_flight_);
    auto answer = ticket->get_future();
    with_payload(
        [&](std::span<const std::byte> payload) {
          send<Operation>(guarantee, at, payload, *ticket);
        },
        key, operands...);
    static_cast<void>(ticket.release());
    if constexpr (std::is_same_v<Operation, find_operation<V>>) {
      return std::move(answer).then([by_rpc, convert, key](std::optional<met<V>> here) {
        if (!here) return by_rpc(key);
        return make_ready_future(convert(std::move(*here)));
      });
    } else {
      return std::move(answer).then(
          [convert](std::optional<met<V>> here) { return convert(std::move(here).value()); });
    }
  }

  team members_;
  std::uint64_t parts_;
  growth grows_;
  std::uint64_t part_capacity_ = 0;
  team_memory memory_;
  std::vector<unfinished_work*> work_;
  mutable std::atomic<std::uint64_t> in_flight_{0};  ///< asynchronous operations
  collective_end end_;
};

}  // namespace acre::detail
