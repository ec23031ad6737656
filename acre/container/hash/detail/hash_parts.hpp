// The parts of a hash map together: whose a key is, and how an operation gets there.
//
// Each member of the team owns one part of equal capacity (global/owned_hash.hpp), so
// growing moves no key to another rank. An operation works directly on the owner's
// buckets where they are mapped here, with loads, stores and the CPU's atomics; else
// it is a service of the owner's (global/at_owner.hpp), which runs the same code there.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/wire/owned_hash.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/running_code.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::detail {

/// The head of a part's memory; the link of its first block and the buckets follow.
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

/// Asks for a line that is about to be changed.
inline void prefetch_for_change(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// One more operation under way, while this lives.
class counted_operation {
 public:
  explicit counted_operation(std::atomic<std::uint64_t>& under_way) noexcept
      : under_way_(&under_way) {
    under_way.fetch_add(1, std::memory_order_relaxed);
  }
  counted_operation(counted_operation&& other) noexcept
      : under_way_(std::exchange(other.under_way_, nullptr)) {}
  counted_operation& operator=(counted_operation&&) = delete;
  ~counted_operation() {
    if (under_way_ != nullptr) under_way_->fetch_sub(1, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* under_way_;
};

/// Operations copy keys and values on the stack, some of them a few times.
inline constexpr std::size_t most_entry_bytes = std::size_t{1} << 16;

template <class K, class V, class Hash, class Equal>
class hash_parts {
  static_assert(sizeof(K) + sizeof(V) <= most_entry_bytes,
                "a key and a value of hash_map take at most 64 KiB together: "
                "make what is larger a vector, or store a global_ptr to it");

 public:
  template <company Others>
  using part_among = hash_part<K, V, Hash, Equal, Others, blocks::all>;
  using part = part_among<company::anyone>;
  using bucket_type = typename part::bucket_type;

  hash_parts(const hash_parts&) = delete;
  hash_parts& operator=(const hash_parts&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] rank_t world_rank(rank_t member) const { return members_.world_rank(member); }
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t part_capacity() const noexcept { return part_capacity_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return part_capacity_ * parts_; }
  [[nodiscard]] std::uint64_t local_size() const noexcept {
    return head_of(memory_.mine())->size();
  }

  template <class Key>
  [[nodiscard]] owned_hash locate(const Key& key) const {
    return detail::locate(good_hash<Hash>(key), parts_);
  }

  /// The memory of a member's part where it is mapped here, else null.
  [[nodiscard]] std::byte* direct_block(rank_t member) const noexcept {
    return memory_.direct(member);
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
                  const site& where, const Operands&... operands) const {
    require_no_lock_for<Operation>(call);
    const owned_hash at = locate(key);
    if (std::byte* block = reach<Guarantee>(at, call)) [[likely]] {
      return run_here<Operation>(guarantee, block, key, at, value, call, operands...);
    }
    met<V> result = perform_remotely<Operation>(guarantee, at, K(key), call, where, operands...);
    value = std::move(result.value);
    return result.what;
  }

  /// The same without waiting, when the owner is on another node. The future has convert(met).
  template <class Operation, class Guarantee, class Key, class Convert, class... Operands>
  auto start(Guarantee guarantee, const Key& key, const char* call, Convert convert,
             const Operands&... operands) const {
    using converted = std::invoke_result_t<Convert, met<V>>;
    try {
      require_no_lock_for<Operation>(call);
      const owned_hash at = locate(key);
      if (std::byte* block = reach<Guarantee>(at, call)) [[likely]] {
        met<V> result{outcome::absent};
        result.what =
            run_here<Operation>(guarantee, block, key, at, result.value, call, operands...);
        return make_ready_future(convert(std::move(result)));
      }
      return at_owner::ask_with_async<key_service<Operation>>(
          world_rank(at.owner), request_words(at, Operation::kind, guarantee), call,
          [convert, counted = counted_operation(in_flight_)](at_owner::answered&& answer) {
            return convert(met_of<V>(answer));
          },
          K(key), operands...);
    } catch (...) {
      return make_failed_future<converted>(std::current_exception());
    }
  }

  /// Runs f(value, operands...) on the value of a key, here or at its owner.
  template <class R, class Guarantee, class F, class... Operands>
  application<R> apply(Guarantee guarantee, const K& key, F& f, const char* call,
                       const Operands&... operands) const {
    require_small<R, F>();
    runtime::require_may_wait(call);
    const owned_hash at = locate(key);
    if (std::byte* const block = reach<Guarantee>(at, call)) {
      return apply_here<R>(guarantee, block, key, at, f, call, operands...);
    }
    return applied_there<R>(
        at_owner::ask_with<apply_service<R, F, std::remove_cvref_t<Operands>...>>(
            world_rank(at.owner), request_words(at, container_operation::update, guarantee), call,
            {}, key, carried_function(f), operands...));
  }

  /// The same without waiting, when the owner is on another node. The future has
  /// convert(application).
  template <class R, class Guarantee, class F, class Convert, class... Operands>
  auto start_apply(Guarantee guarantee, const K& key, F& f, const char* call, Convert convert,
                   const Operands&... operands) const {
    using converted = std::invoke_result_t<Convert, application<R>>;
    require_small<R, F>();
    try {
      runtime::require_may_wait(call);
      const owned_hash at = locate(key);
      if (std::byte* const block = reach<Guarantee>(at, call)) {
        application<R> done = apply_here<R>(guarantee, block, key, at, f, call, operands...);
        if constexpr (std::is_void_v<converted>) {
          convert(std::move(done));
          return make_ready_future();
        } else {
          return make_ready_future(convert(std::move(done)));
        }
      }
      return at_owner::ask_with_async<apply_service<R, F, std::remove_cvref_t<Operands>...>>(
          world_rank(at.owner), request_words(at, container_operation::update, guarantee), call,
          [convert, counted = counted_operation(in_flight_)](at_owner::answered&& answer) {
            return convert(applied_there<R>(answer));
          },
          key, carried_function(f), operands...);
    } catch (...) {
      return make_failed_future<converted>(std::current_exception());
    }
  }

  // --- many keys ---------------------------------------------------------------------

  /// Runs `Operation` on each key, with operands(i), and hands take(i, met) what it
  /// brings back, in any order.
  template <class Operation, class Guarantee, class Operands, class Take>
  void perform_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands, Take&& take,
                    const char* call, const site& where) const;

  // --- for those who work on parts themselves -------------------------------------------

  /// Counts the entries that an operation on a block has brought or taken. Threads of a
  /// rank may do so at once.
  [[gnu::always_inline]] static void count_entries(std::byte* block, outcome what) noexcept {
    if (what == outcome::added) head_of(block)->add(1);
    if (what == outcome::erased) head_of(block)->add(-1);
  }
  /// The same, for what finds, when the code is made: nothing.
  template <container_operation Kind>
  [[gnu::always_inline]] static void count_entries_of(std::byte* block, outcome what) noexcept {
    if constexpr (Kind != container_operation::find) count_entries(block, what);
  }
  static part_head* head_of(std::byte* block) noexcept {
    return reinterpret_cast<part_head*>(block);
  }

  /// What a request says of where it is to be executed, the part that it means, and what
  /// was guaranteed.
  using request_word_array = std::array<fabric::word, 5>;
  template <class Guarantee = no_guarantee>
  [[nodiscard]] request_word_array request_words(
      const owned_hash& at, container_operation operation = container_operation::update,
      Guarantee guarantee = {}) const noexcept {
    return {memory_.bits_of(at.owner) & offset_mask, at.fraction, part_capacity_, parts_,
            entry_if_checked(members_, operation, guarantee).bits()};
  }
  /// @throws acre::error when it is not in the segment
  static std::byte* block_of_request(std::span<const fabric::word> words) {
    const std::size_t most = runtime::world.segment_bytes / sizeof(bucket_type);
    if (words[2] == 0 || words[2] > most || words[3] == 0) at_owner::throw_not_here();
    return at_owner::block_here(words[0], head_bytes + words[2] * sizeof(bucket_type));
  }
  static part part_of_request(std::span<const fabric::word> words) {
    return make_part<company::anyone>(block_of_request(words), words[2], words[3]);
  }
  /// @throws acre::error when a guarantee is broken, in builds with ACRE_CHECKS
  static void note_request(std::span<const fabric::word> words, const char* call) {
    note_if_checked(head_of(block_of_request(words))->phase, call, phase_entry(words[4]));
  }
  template <class Guarantee = no_guarantee>
  void note(std::byte* block, container_operation operation, const char* call,
            Guarantee guarantee = {}) const {
    note_if_checked(head_of(block)->phase, call, entry_if_checked(members_, operation, guarantee));
  }
  /// Somebody looks at all entries of a part that is mapped here.
  void note_walk(rank_t member, const char* call) const {
    note(direct_block(member), container_operation::find, call);
  }

 protected:
  explicit hash_parts(const team& members) : members_(members), parts_(members.size()) {}
  ~hash_parts() = default;

  static constexpr std::size_t head_bytes =
      round_up(sizeof(part_head), larger(alignof(part_head), alignof(bucket_type))) +
      link_bytes<bucket_type>;

  /// Of the first block of a part.
  static block_link& link_of(std::byte* block) noexcept {
    return link_before(reinterpret_cast<bucket_type*>(block + head_bytes));
  }

  template <company Others>
  static part_among<Others> make_part(std::byte* block, std::uint64_t capacity,
                                      std::uint64_t parts) noexcept {
    return part_among<Others>({reinterpret_cast<bucket_type*>(block + head_bytes), capacity},
                              parts);
  }

  /// The owner's block where it is mapped here, else null.
  template <class Guarantee>
  [[nodiscard]] std::byte* reach(const owned_hash& at, const char* call) const {
    if constexpr (is_local<Guarantee>) {
      if (at.owner != members_.rank()) throw_not_local(call, at.owner);
      return memory_.mine();
    } else {
      return direct_block(at.owner);
    }
  }

  team members_;
  std::uint64_t parts_;
  std::uint64_t part_capacity_ = 0;
  team_memory memory_;
  mutable std::atomic<std::uint64_t> in_flight_{0};  ///< asynchronous operations

 private:
  /// Functions of users are refused under a lock in every build; what else would meet a lock
  /// between nodes only, in builds with checks (and there as a wait, in every build).
  template <class Operation>
  static void require_no_lock_for(const char* call) {
    if constexpr (has_checks || Operation::runner == at_owner::run_by::owner) {
      runtime::require_may_wait(call);
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome run_here(Guarantee guarantee, std::byte* block, const Key& key, const owned_hash& at,
                   std::optional<V>& value, const char* call, const Operands&... operands) const {
    note(block, Operation::kind, call, guarantee);
    auto there = part_in<company_of<Guarantee>>(block);
    const outcome what = Operation::run(there, key, at.fraction, value, operands...);
    count_entries_of<Operation::kind>(block, what);
    // What is local costs others nothing.
    if constexpr (!is_local<Guarantee>) runtime::count(there.costs());
    return what;
  }

  template <class R, class F>
  static consteval void require_small() {
    static_assert(
        sizeof(result_of_application<R>) <= most_on_stack && sizeof(F) <= most_on_stack,
        "the function of apply() and what it returns take at most 64 KiB each: give large "
        "values as operands, and read the changed one by find()");
  }

  template <class R, class Guarantee, class F, class... Operands>
  application<R> apply_here(Guarantee guarantee, std::byte* block, const K& key,
                            const owned_hash& at, F& f, const char* call,
                            const Operands&... operands) const {
    note(block, container_operation::update, call, guarantee);
    auto there = part_in<company_of<Guarantee>>(block);
    application<R> done{outcome::absent};
    done.what = apply_to<R, V>(there, key, at.fraction, f, done.result, operands...);
    count_entries(block, done.what);
    if constexpr (!is_local<Guarantee>) runtime::count(there.costs());
    return done;
  }
  /// @throws acre::error when the bytes are not those of an R
  template <class R>
  static application<R> applied_there(const at_owner::answered& answer) {
    application<R> done{outcome(answer.code)};
    if constexpr (!std::is_void_v<R>) {
      if (!answer.bytes.empty()) done.result.emplace(deserialize<R>(answer.bytes));
    }
    return done;
  }

  template <class Operation, class Guarantee, class... Operands>
  /// @param at, where  by value: their place in memory would cost the caller's way stores
  [[gnu::noinline, gnu::cold]] met<V> perform_remotely(Guarantee guarantee, owned_hash at,
                                                       const K& key, const char* call, site where,
                                                       const Operands&... operands) const {
    return met_of<V>(at_owner::ask_with<key_service<Operation>>(
        world_rank(at.owner), request_words(at, Operation::kind, guarantee), call, where, key,
        operands...));
  }

  /// At the owner: `Operation` on the key that `item` begins with, with the operands after it.
  template <class Operation>
  static met<V> run_item(part& here, std::byte* block, const K& key, std::uint64_t hash,
                         reader& item) {
    const auto operands =
        at_owner::read_all(item, std::type_identity<typename Operation::operands>{});
    met<V> result{outcome::absent};
    result.what = std::apply(
        [&](const auto&... each) { return Operation::run(here, key, hash, result.value, each...); },
        operands);
    count_entries_of<Operation::kind>(block, result.what);
    return result;
  }

  template <class Operation>
  struct key_service {
    static constexpr at_owner::run_by runner = Operation::runner;

    static void serve(const at_owner::asked& request, at_owner::answer& reply) {
      note_request(request.words, "a request of another node");
      part here = part_of_request(request.words);
      reader from(request.payload);
      const K key = from.read<K>();
      const met<V> result =
          run_item<Operation>(here, block_of_request(request.words), key, request.words[1], from);
      reply.code = code_of(result);
      // What changes an entry brings back a number at most, for which there is always room.
      if (result.value) reply.write(*result.value);
    }
  };

  /// A function of the user's, with operands of any type.
  template <class R, class F, class... Operands>
  struct apply_service {
    static constexpr at_owner::run_by runner = at_owner::run_by::owner;

    static void serve(const at_owner::asked& request, at_owner::answer& reply) {
      note_request(request.words, "a request of another node");
      part here = part_of_request(request.words);
      reader from(request.payload);
      const K key = from.read<K>();
      F f = from.read<carried_function<F>>().unpack();
      std::tuple<roomy<received_t<Operands>>...> operands{roomy<received_t<Operands>>(
          std::in_place, [&] { return from.read<received_t<Operands>>(); })...};
      std::span<std::byte> room;  // before anything changes
      if constexpr (!std::is_void_v<R>) room = reply.room(fixed_serialized_size<R>);
      result_of_application<R> result{};
      const outcome what = std::apply(
          [&](auto&... each) {
            return apply_to<R, V>(here, key, request.words[1], f, result, std::as_const(*each)...);
          },
          operands);
      std::byte* const block = block_of_request(request.words);
      count_entries(block, what);
      reply.code = static_cast<fabric::word>(what);
      if constexpr (!std::is_void_v<R>) {
        if (result) {
          write_to(room, *result);
        } else {
          reply.keep_first(0);
        }
      }
    }
  };

  /// `Operation` on many keys of one owner.
  template <class Operation>
  class keys_service {
   public:
    static constexpr at_owner::run_by runner = Operation::runner;
    static constexpr std::size_t answer_bytes =
        Operation::brings_value ? fixed_serialized_size<V> : 0;

    explicit keys_service(std::span<const fabric::word> words)
        : block_(block_of_request(words)), part_(part_of_request(words)) {
      note_request(words, "a request of another node");
    }
    void prefetch(reader item) const
      requires(fixed_serialized_size<K> != variable_size)
    {
      prefetch_home<Operation>(part_, part_.hash_of(item.read<K>()));
    }
    std::uint8_t serve(reader item, at_owner::item_answer& reply) {
      const K key = item.read<K>();
      const met<V> result = run_item<Operation>(part_, block_, key, part_.hash_of(key), item);
      if (result.value) reply.write(*result.value);
      return static_cast<std::uint8_t>(result.what);
    }

   private:
    std::byte* block_;
    part part_;
  };

  template <class Operation, class Part>
  static void prefetch_home(const Part& of, std::uint64_t hash) noexcept {
    if constexpr (Operation::kind == container_operation::find) {
      __builtin_prefetch(of.home(hash));
    } else {
      prefetch_for_change(of.home(hash));
    }
  }
};

}  // namespace acre::detail
