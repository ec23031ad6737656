// One rank's part of a hash map: open addressing in an array of buckets that
// all threads of the node's ranks may use at once. No communication here.
//
// A hash is a fraction of the part: the home of a key is bucket floor(hash ×
// capacity), so the order of the homes is the order of the hashes, whatever the
// capacity, and growing is one pass from left to right over old and new array.
// A key lives at its home or at the next free bucket after it (wrapping around).
//
// Each home knows its reach: how many buckets, from itself on, may hold keys of
// this home. A search looks at no more than these. So a miss costs O(1) however
// many keys have come and gone, and a bucket that was erased is free for any
// key at once: there are no tombstones.
//
// No reach is longer than `most_reach`: a key that finds no free bucket within
// it is refused. So a part of up to so many buckets takes keys until its last
// bucket is full; a larger one is full a little before that (not before
// four fifths, when the hashes are good), and then, too, a search and an insert
// that is refused cost no more than the longest reach.
//
// The rules that make it right while others do the same (the words are
// explained in bucket.hpp):
//
//  - Keys do not move. A key that is there during all of a search is found: its
//    bucket lies within the reach that its home shows, for the reach is raised
//    before the insert returns. A search that finds nothing had a moment at
//    which the key was absent.
//  - A key is added only under the lock of its home, after a search: so never twice.
//  - The holder of a home's lock never waits for another bucket, it only tries:
//    no deadlock. A free bucket that is locked by another is passed over.
//  - Updates and erasures need no home: they change the bucket from a state in
//    which it held the key.
//  - A reach shrinks when the farthest key of the home is erased, under the
//    home's lock, to the farthest that is left.
//
// A part may have further blocks (block_chain.hpp), each with homes and reaches of its own.
// What is not found in the first is looked for in those, in their order. Then:
//
//  - A key is added, to whichever block, only under the lock of its home in the first, after
//    a search of all: so never twice. It goes to the first block that has room.
//  - A search that finds nothing had a moment at which the key was absent: a key that is there
//    all the time stays in one block, and the search of that block finds it. One that was
//    erased from a block and added to another was absent in between. Whether there is another
//    block is asked after the search of the one before: who has added a key to it has let go of
//    a home's lock since, and a search that has seen this sees the block as well.
//  - The holder of a home's lock in the first may wait for one in a further block, whose holders
//    wait for none: no deadlock. A block is made when no lock is held.
//
// User code under a lock (equality, the function of an update) may throw: the
// lock is let go and nothing has changed. It must not call Acre: whatever made
// progress there could meet the same lock. An operation of such code that meets
// a lock, which may be its own, is an error instead of a wait.
//
// Keys and values lie as stored.hpp says. What is guaranteed about the company of an
// operation (guarantee.hpp) decides which of these precautions are in its code.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/block_chain.hpp>
#include <acre/container/hash/detail/bucket.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::detail {

/// What an operation met. No memory: no room, in a part that would have grown.
enum class outcome : std::uint8_t { absent, found, added, erased, no_room, no_memory };

[[nodiscard]] constexpr bool is_refused(outcome what) noexcept { return what >= outcome::no_room; }

/// The farthest that a key may lie from its home is one bucket less. Long enough
/// for the longest row of full buckets in a part with a load of 0.8 and any size
/// that memory has: about (ln n - 2.5 ln ln n) / (load - 1 - ln load), which is
/// 480 for n = 10^8 (Pittel, 1987).
inline constexpr std::uint64_t most_reach = 1024;

/// The same in a further block, where memory counts for less than the time of those who look
/// through all blocks.
inline constexpr std::uint64_t most_reach_in_further = 64;

/// Which blocks of a part are seen through a hash_part.
enum class blocks : std::uint8_t {
  one,     ///< it has only one
  all,     ///< all, from the first on; a block_link lies before each
  further  ///< one that is not the first
};

/// Who else may use a part meanwhile.
enum class company : std::uint8_t {
  anyone,   ///< who may do anything
  finders,  ///< who change nothing
  nobody
};

template <class Guarantee>
inline constexpr company company_of =
    is_local<Guarantee> ? company::nobody
    : excludes<Guarantee, container_operation::insert, container_operation::update,
               container_operation::erase>
        ? company::finders
        : company::anyone;

/// Whether keys may be compared that nobody has put in: the comparison is not the user's.
template <class K, class Equal>
inline constexpr bool compares_anything = (std::is_arithmetic_v<K> || std::is_pointer_v<K>) &&
                                          is_word<K> && std::is_same_v<Equal, equal_by_operator>;

/// What an update makes of a value: a function that replaces it need not see the old one.
template <class V>
struct replaced_by {
  const V& value;
  void operator()(V& old) const noexcept(std::is_nothrow_copy_assignable_v<V>) { old = value; }
};

/// A view of the buckets, and a tally of what was done through it.
template <class K, class V, class Hash, class Equal, company Others = company::anyone,
          blocks Seen = blocks::one>
class hash_part {
  using key_form = stored_form<K>;
  using value_form = stored_form<V>;
  using stored_key = stored_t<K>;
  using stored_mapped = stored_t<V>;

 public:
  using mapped_type = V;
  using bucket_type = bucket<stored_key, stored_mapped>;
  using state = typename bucket_type::state;

  /// @param buckets  of the first block
  /// @param parts how many parts the map has: which part of the hashes is this one's
  constexpr hash_part(std::span<bucket_type> buckets, std::uint64_t parts) noexcept
      : first_(buckets.data()), capacity_(buckets.size()), parts_(parts) {}

  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::span<bucket_type> buckets() const noexcept { return {first_, capacity_}; }
  [[nodiscard]] const runtime::direct_costs& costs() const noexcept { return costs_; }

  /// Where the search for a hash begins; for prefetching.
  [[nodiscard]] bucket_type* home(std::uint64_t hash) const noexcept {
    return first_ + scale(hash, capacity_).whole;
  }

  /// The hash of a key as a fraction of this part.
  template <class Key>
  [[nodiscard]] std::uint64_t hash_of(const Key& key) const {
    return scale(good_hash<Hash>(key), parts_).fraction;
  }

  // In all of these `hash` is hash_of(key), and a Key is a K or what Hash and Equal
  // take for one.

  // Each begins with what most calls meet, which is inlined and short: the next calls are
  // begun while this one waits for memory, as many as fit into the processor.

  /// Writes the value into an empty place.
  /// @return found or absent
  template <class Key>
  outcome find_into(std::optional<V>& value, const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    if (seems_to_hold(*start, seen, key, hash)) {
      if (read_value(value, {start, seen, 0})) [[likely]] {
        ++costs_.reads;
        return outcome::found;
      }
    } else if (seen.has_no_key_elsewhere() && !has_more()) {
      ++costs_.reads;
      return outcome::absent;
    }
    if constexpr (is_word<V>) {
      value = aside([key = operand<Key>{key}, hash](hash_part& part) {
        std::optional<V> met;
        part.find_somewhere(met, key.value, hash);
        return met;
      });
    } else {
      value.reset();
      aside([&](hash_part& part) { return part.find_somewhere(value, key, hash); });
    }
    return value ? outcome::found : outcome::absent;
  }
  template <class Key>
  [[nodiscard]] bool contains(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    const bool is_here = holds(*start, seen, key, hash);
    if (is_here || (seen.has_no_key_elsewhere() && !has_more())) {
      ++costs_.reads;
      return is_here;
    }
    return aside([key = operand<Key>{key}, hash](hash_part& part) {
      return part.contains_somewhere(key.value, hash);
    });
  }

  /// Replaces the value by change(value), if the key is there; else adds the
  /// key with fresh(), if there is room. `change` is called once, under the
  /// bucket's lock.
  /// @return found, added, no_room or no_memory
  template <class Change, class Fresh>
  outcome upsert(const K& key, std::uint64_t hash, Change&& change, Fresh&& fresh) {
    bucket_type* const start = home(hash);
    if (modify_at_home(start, key, hash, change)) [[likely]]
      return outcome::found;
    return aside([key = operand<K>{key}, hash, &change, &fresh](hash_part& part) {
      return part.upsert(part.home(hash), key.value, hash, change, fresh);
    });
  }
  /// The same with the home of the hash, for those who have prefetched it: they do not wait.
  template <class Change, class Fresh>
  outcome upsert(bucket_type* start, const K& key, std::uint64_t hash, Change&& change,
                 Fresh&& fresh) {
    for (;;) {
      if (modify_from(start, key, hash, change) == outcome::found) [[likely]]
        return outcome::found;
      const outcome done = add(start, key, hash, fresh);
      if (done != outcome::found) return done;
    }
  }

  /// Adds the key unless it is there.
  /// @return found, added, no_room or no_memory
  outcome insert(const K& key, std::uint64_t hash, const V& value) {
    bucket_type* const start = home(hash);
    if (insert_at_home(start, key, hash, value)) [[likely]]
      return outcome::added;
    return aside([key = operand<K>{key}, hash, value = operand<V>{value}](hash_part& part) {
      return part.insert_somewhere(part.home(hash), key.value, hash, value.value);
    });
  }
  outcome insert(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    if (insert_at_home(start, key, hash, value)) return outcome::added;
    return insert_somewhere(start, key, hash, value);
  }

  /// Replaces the value if the key is there.
  /// @return found or absent
  template <class Change>
  outcome modify(const K& key, std::uint64_t hash, Change&& change) {
    bucket_type* const start = home(hash);
    if (modify_at_home(start, key, hash, change)) [[likely]]
      return outcome::found;
    return aside([key = operand<K>{key}, hash, &change](hash_part& part) {
      return part.modify_from(part.home(hash), key.value, hash, change);
    });
  }

  /// @return whether the key was there
  template <class Key>
  bool erase(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    if (seems_to_hold(*start, seen, key, hash) && try_empty(start, {start, seen, 0})) [[likely]] {
      ++costs_.reads;
      return true;
    }
    return aside([key = operand<Key>{key}, hash](hash_part& part) {
      return part.erase_somewhere(key.value, hash);
    });
  }

  /// Gives back what the entries of a part have elsewhere; nobody uses it any more.
  void release_all() noexcept {
    if constexpr (is_separate<K> || is_separate<V>) {
      for (bucket_type& each : buckets()) {
        if (each.look().is_full()) release(separate_parts_of(each));
      }
      for_each_further([](further_part there) {
        there.release_all();
        return true;
      });
    }
  }

  /// Copies all entries to a part that is empty, into one block. Nobody else uses either now,
  /// so it goes without locks.
  /// @return how many they are; nothing when they do not fit
  template <class Target>
  std::optional<std::uint64_t> copy_to(Target& target) const {
    // From the first free bucket on: then no row of full buckets is cut in two,
    // and each key finds a free bucket as near to its home as it did here.
    bucket_type* start = first_;
    while (start != first_ + capacity_ && start->look().is_full()) ++start;
    std::uint64_t entries = 0;
    bucket_type* at = start == first_ + capacity_ ? first_ : start;
    for (std::uint64_t left = capacity_; left != 0; --left, at = after(at)) {
      if (!at->look().is_full()) continue;
      const stored_key key = at->key();
      const std::uint64_t hash = target.hash_of(key_form::load(key_form::copy(key)));
      if (!target.add_alone(key, hash, at->value())) return std::nullopt;
      ++entries;
    }
    bool fit = true;
    for_each_further([&](further_part there) {
      const auto more = there.copy_to(target);
      fit = more.has_value();
      entries += more.value_or(0);
      return fit;
    });
    return fit ? std::optional(entries) : std::nullopt;
  }

  /// Adds a key that is not there to a part of one block that nobody else uses.
  /// @return whether there was room
  bool add_alone(const stored_key& key, std::uint64_t hash, const stored_mapped& value) noexcept {
    bucket_type* const start = home(hash);
    const std::uint64_t end = longest_reach();
    std::uint64_t distance = 0;
    bucket_type* at = start;
    for (; at->look().is_full(); at = after(at)) {
      if (++distance >= end) return false;
    }
    at->set_key(key);
    at->set_value(value);
    at->unlock(at->look().filled(hash));
    if (start->look().reach() <= distance) start->unlock(start->look().with_reach(distance + 1));
    return true;
  }

  /// The buckets of all blocks; others may add more at any time.
  [[nodiscard]] std::uint64_t buckets_in_all() const {
    std::uint64_t sum = capacity_;
    for_each_further([&](const further_part& there) {
      sum += there.capacity();
      return true;
    });
    return sum;
  }

  /// Calls f(key, value) for each entry, with copies that are of one moment
  /// each; while others insert, an entry may or may not be seen.
  template <class F>
  void for_each(F&& f) const {
    for (std::uint64_t bucket = 0; bucket != capacity_; ++bucket) visit_here(bucket, f);
    for_each_further([&](const further_part& there) {
      there.for_each(f);
      return true;
    });
  }

  /// The same for one bucket, of those of all blocks.
  template <class F>
  void visit(std::uint64_t bucket, F&& f) const {
    if (bucket < capacity_) return visit_here(bucket, f);
    bucket -= capacity_;
    for_each_further([&](const further_part& there) {
      const bool is_there = bucket < there.capacity();
      if (is_there) there.visit(bucket, f);
      bucket -= there.capacity();
      return !is_there;
    });
  }

 private:
  template <class F>
  void visit_here(std::uint64_t bucket, F&& f) const {
    bucket_type& at = first_[bucket];
    for (unsigned tries = 0;; ++tries) {
      const state seen = at.look();
      if (!seen.is_full()) return;
      if (seen.is_settled()) {
        const stored_key key = at.key();
        const stored_mapped value = at.value();
        if (at.look_again() == seen) {
          if constexpr (!is_separate<K> && !is_separate<V>) {
            f(key_form::load(key), value_form::load(value));
            return;
          } else {
            const auto& key_copy = key_form::copy(key);
            const auto& value_copy = value_form::copy(value);
            if (at.look_again() == seen) {
              f(key_form::load(key_copy), value_form::load(value_copy));
              return;
            }
          }
        }
      }
      bucket_type::back_off(tries);
    }
  }

  /// A bucket that held the key when its state was `seen`; or none, and `seen` is the
  /// state of the key's home.
  struct place {
    bucket_type* where = nullptr;
    state seen;
    std::uint64_t distance = 0;
  };

  /// A home that is locked may belong to an insert that has returned, and whose stores are
  /// still on their way here.
  static bool is_surely_absent(const place& at) noexcept {
    return at.where == nullptr && !at.seen.is_locked();
  }

  /// How many buckets there are for a key, from its home on.
  [[nodiscard]] std::uint64_t longest_reach() const noexcept {
    return smaller(Seen == blocks::further ? most_reach_in_further : most_reach, capacity_);
  }

  [[nodiscard]] bucket_type* after(bucket_type* at) const noexcept {
    return ++at == first_ + capacity_ ? first_ : at;
  }

  /// For those who look at the state once more, or change it from `seen`: whether the bucket
  /// holds the key, if it still has this state then. If not, it did not hold it all the time.
  template <class Key>
  static bool seems_to_hold(bucket_type& at, state& seen, const Key& key, std::uint64_t hash) {
    if constexpr (compares_anything<K, Equal>) {
      // Costs less than the tag; and that it differs is foreseen better than that it is empty.
      const bool is_equal = Equal{}(at.key(), key);
      return (static_cast<int>(is_equal) & static_cast<int>(seen.is_full())) != 0;
    } else {
      return holds(at, seen, key, hash);
    }
  }

  /// Whether the bucket holds the key; `seen` becomes the state of which this is the truth.
  template <class Key>
  static bool holds(bucket_type& at, state& seen, const Key& key, std::uint64_t hash) {
    for (;;) {
      if constexpr (compares_anything<K, Equal> && Others != company::anyone) {
        return seems_to_hold(at, seen, key, hash);
      }
      if (!seen.may_hold(hash)) return false;
      const stored_key there = at.key();
      if constexpr (Others != company::anyone) {
        return Equal{}(key_form::load(key_form::copy(there)), key);
      } else if constexpr (is_word<stored_key>) {
        if (!Equal{}(key_form::load(there), key)) return false;
        // It may be on its way into the bucket, and not be there yet.
        const state now = at.look_again();
        if (now.same_content(seen)) return true;
        seen = now;
      } else {
        // User code sees keys that somebody has put in, never halves of two.
        state now = at.look_again();
        if (now.same_content(seen)) {
          if constexpr (!is_separate<K>) {
            return Equal{}(key_form::load(there), key);
          } else {
            const auto copied = key_form::copy(there);
            now = at.look_again();
            if (now.same_content(seen)) return Equal{}(key_form::load(copied), key);
          }
        }
        seen = now;
      }
    }
  }

  /// The value of a bucket that held the key.
  /// @return whether that is still so; else the place holds rubbish
  [[nodiscard]] static bool read_value(std::optional<V>& value, const place& at) {
    if constexpr (storage_of<V> == storage::direct) {
      // Who holds the lock may have returned already, with the value still on its way here.
      if (Others == company::anyone && at.seen.is_locked()) return false;
      if constexpr (!is_word<V> && std::is_trivially_default_constructible_v<V>) {
        at.where->read_value(value.emplace());  // one copy, right to where it is wanted
      } else {
        value.emplace(at.where->value());
      }
      if constexpr (Others != company::anyone) return true;
      const state now = at.where->look_again();
      return is_word<V> ? now.same_content(at.seen) : now == at.seen;
    } else {
      const stored_mapped stored = at.where->value();
      if (Others == company::anyone &&
          !(at.seen.is_settled() && at.where->look_again() == at.seen)) {
        return false;
      }
      const auto& copied = value_form::copy(stored);
      if (is_separate<V> && Others == company::anyone && at.where->look_again() != at.seen) {
        return false;
      }
      value.emplace(value_form::load(copied));
      return true;
    }
  }

  // --- changes of a state ------------------------------------------------------------

  [[nodiscard]] bool try_change(bucket_type& at, state seen, state next) noexcept {
    if constexpr (Others == company::nobody) {
      at.unlock(next);
      return true;
    } else {
      ++costs_.atomics;
      return at.try_change(seen, next);
    }
  }
  [[nodiscard]] bool try_lock(bucket_type& at, state seen) noexcept {
    if constexpr (Others == company::nobody) {
      return true;
    } else {
      ++costs_.atomics;
      return at.try_lock(seen);
    }
  }
  [[nodiscard]] state lock(bucket_type& at) {
    if constexpr (Others == company::nobody) {
      return at.look();
    } else {
      ++costs_.atomics;
      return at.lock();
    }
  }

  /// A lock that is held: let go at the end, with the state that was, or is to be.
  class held_lock {
   public:
    held_lock(bucket_type& at, state before) noexcept : at_(at), next_(before) {}
    ~held_lock() { at_.unlock(next_); }
    held_lock(const held_lock&) = delete;
    held_lock& operator=(const held_lock&) = delete;

    void leave(state next) noexcept { next_ = next; }

   private:
    bucket_type& at_;
    state next_;
  };

  // --- what entries have elsewhere ------------------------------------------------------

  struct nothing_separate {};
  struct separate_entry {
    stored_key key;
    stored_mapped value;
  };
  static auto separate_parts_of(bucket_type& at) noexcept {
    if constexpr (is_separate<K> || is_separate<V>) {
      return separate_entry{at.key(), at.value()};
    } else {
      return nothing_separate{};
    }
  }
  static auto separate_value_of(bucket_type& at) noexcept {
    if constexpr (is_separate<V>) {
      return at.value();
    } else {
      return nothing_separate{};
    }
  }
  static void release(const separate_entry& entry) noexcept {
    key_form::release(entry.key);
    value_form::release(entry.value);
  }
  static void release(nothing_separate) noexcept {}

  // --- searching ----------------------------------------------------------------------

  /// What `aside` needs of an argument: a copy, where that takes no memory.
  template <class T>
  struct operand {
    std::conditional_t<is_word<T>, const T, const T&> value;
  };

  /// Runs what few calls need out of line, on a view of its own: so the others hold theirs in
  /// registers.
  template <class Work>
  auto aside(Work work) {
    const auto done = run_aside(buckets(), parts_, work);
    costs_ += done.costs;
    return done.result;
  }
  template <class Work>
  [[gnu::noinline]] static auto run_aside(std::span<bucket_type> all, std::uint64_t parts,
                                          Work work) {
    struct done_aside {
      std::invoke_result_t<Work&, hash_part&> result;
      runtime::direct_costs costs;
    };
    hash_part part(all, parts);
    auto result = work(part);
    return done_aside{result, part.costs()};
  }

  /// @return whether the key is there
  template <class Key>
  bool find_somewhere(std::optional<V>& value, const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (is_surely_absent(at)) break;
      if (at.where != nullptr && read_value(value, at)) return true;
      value.reset();
      bucket_type::back_off(tries);
    }
    if (has_more()) [[unlikely]] {
      static_cast<void>(
          elsewhere([&](further_part& there) { return there.find_into(value, key, hash); }));
    }
    return value.has_value();
  }

  template <class Key>
  [[nodiscard]] bool contains_somewhere(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (at.where != nullptr) return true;
      if (is_surely_absent(at)) return has_more() && is_elsewhere(key, hash);
      bucket_type::back_off(tries);
    }
  }

  /// Most keys are at their home: that is seen first, and inlined.
  template <class Key>
  [[nodiscard]] place search(bucket_type* start, const Key& key, std::uint64_t hash) {
    state seen = start->look();
    ++costs_.reads;
    if (holds(*start, seen, key, hash)) [[likely]]
      return {start, seen, 0};
    return search_beyond(start, seen, key, hash);
  }

  template <class Key>
  [[nodiscard]] place search_beyond(bucket_type* start, state home, const Key& key,
                                    std::uint64_t hash) {
    const std::uint64_t reach = smaller(home.reach(), capacity_);
    bucket_type* at = start;
    for (std::uint64_t distance = 1; distance < reach; ++distance) {
      at = after(at);
      state seen = at->look();
      ++costs_.reads;
      if (holds(*at, seen, key, hash)) return {at, seen, distance};
    }
    return {nullptr, home, 0};
  }

  // --- changing -----------------------------------------------------------------------

  /// @return whether the home held the key, and nobody came between
  template <class Change>
  bool modify_at_home(bucket_type* start, const K& key, std::uint64_t hash, Change& change) {
    state seen = start->look();
    if (!seems_to_hold(*start, seen, key, hash) || !try_lock(*start, seen)) return false;
    ++costs_.reads;
    replace(start, seen, change);
    return true;
  }

  /// @return whether it was added: no bucket had a key of this home, and this one was free
  bool insert_at_home(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    const state seen = start->look();
    if (!seen.is_unused() || !try_lock(*start, seen)) return false;
    held_lock hold(*start, seen);
    if (has_more()) [[unlikely]]
      return false;
    fill(*start, key, value);
    hold.leave(seen.filled(hash).with_reach(1));
    return true;
  }

  outcome insert_somewhere(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    // What is there already is seen without a lock; what seems absent is looked for again with it.
    if (start->look().reach() != 0 && search(start, key, hash).where != nullptr) {
      return outcome::found;
    }
    if (has_more() && is_elsewhere(key, hash)) return outcome::found;
    return add(start, key, hash, [&]() -> const V& { return value; });
  }

  template <class Key>
  bool erase_somewhere(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (is_surely_absent(at)) return has_more() && erase_elsewhere(key, hash);
      if (at.seen.is_locked()) {
        bucket_type::back_off(tries);
        continue;
      }
      // Before anything has changed: shrink_reach() may have to wait.
      if (at.distance != 0) runtime::require_may_wait("hash_map");
      if (!try_empty(start, at)) continue;
      if (at.distance != 0) shrink_reach(start, at.distance + 1);
      return true;
    }
  }

  /// Erases the key from the place where it was seen, unless something has changed there.
  bool try_empty(bucket_type* start, const place& at) {
    if (at.seen.is_locked()) return false;
    state next = at.seen.emptied();
    if (at.where == start && next.reach() == 1) next = next.with_reach(0);
    // Those of the state seen, if that is what the change begins from.
    [[maybe_unused]] const auto stored = separate_parts_of(*at.where);
    if (!try_change(*at.where, at.seen, next)) return false;
    release(stored);
    return true;
  }

  /// Under the bucket's lock: the new value, and unlocks.
  template <class Change>
  void replace(bucket_type* at, state before, Change& change) {
    ++costs_.writes;
    held_lock hold(*at, before);
    [[maybe_unused]] const auto old = separate_value_of(*at);
    if constexpr (std::is_same_v<std::remove_cvref_t<Change>, replaced_by<V>>) {
      stored_value<V> fresh(change.value);
      at->set_value(fresh.give_away());
    } else {
      const stored_mapped stored = at->value();
      const auto& copied = value_form::copy(stored);
      V value = value_form::load(copied);
      change(value);
      stored_value<V> fresh(value);
      at->set_value(fresh.give_away());
    }
    hold.leave(before.changed());
    // Who reads it still will see that it has changed.
    if constexpr (is_separate<V>) value_form::release(old);
  }

  template <class Change>
  outcome modify_from(bucket_type* start, const K& key, std::uint64_t hash, Change& change) {
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (is_surely_absent(at)) {
        return has_more() ? modify_elsewhere(key, hash, change) : outcome::absent;
      }
      if (at.where != nullptr && try_lock(*at.where, at.seen)) {
        replace(at.where, at.seen, change);
        return outcome::found;
      }
      bucket_type::back_off(tries);
    }
  }

  /// Adds the key unless it is there.
  /// @return found, added, no_room or no_memory
  template <class Fresh>
  [[gnu::noinline]] outcome add(bucket_type* start, const K& key, std::uint64_t hash,
                                Fresh&& fresh) {
    for (unsigned tries = 0;; ++tries) {
      state home = lock(*start);
      outcome done = outcome::absent;
      block_link* last = nullptr;
      {
        held_lock hold(*start, home);
        done = add_locked(start, home, key, hash, fresh, last);
        hold.leave(home);
      }
      if (done == outcome::no_room) done = make_room(last);
      if (done != outcome::absent) return done;
      bucket_type::back_off(tries);
    }
  }

  /// The same, under the lock of the home, whose state it may change.
  /// @param last  becomes the last block, when there is no room in any
  /// @return absent when all that is free was locked by others: try again
  template <class Fresh>
  outcome add_locked(bucket_type* start, state& home, const K& key, std::uint64_t hash,
                     Fresh& fresh, block_link*& last) {
    if (home.reach() != 0 && search(start, key, hash).where != nullptr) return outcome::found;
    if (has_more() && is_elsewhere(key, hash)) return outcome::found;
    if (!home.is_full()) {
      fill(*start, key, fresh());
      home = home.filled(hash).with_reach(larger<std::uint64_t>(home.reach(), 1));
      return outcome::added;
    }
    decltype(auto) value = fresh();
    bool may_be_free = false;
    const std::uint64_t end = longest_reach();
    bucket_type* at = after(start);
    for (std::uint64_t distance = 1; distance < end; ++distance, at = after(at)) {
      const state seen = at->look();
      ++costs_.reads;
      if (seen.is_full()) continue;
      if (!try_lock(*at, seen)) {
        may_be_free = true;
        continue;
      }
      held_lock hold(*at, seen);
      fill(*at, key, value);
      hold.leave(seen.filled(hash));
      if (home.reach() <= distance) home = home.with_reach(distance + 1);
      return outcome::added;
    }
    if (may_be_free) return outcome::absent;
    return add_elsewhere(key, hash, value, last);
  }

  /// @throws as stored_form::store, with nothing changed
  void fill(bucket_type& at, const K& key, const V& value) {
    stored_value<K> with_key(key);
    stored_value<V> with_value(value);
    ++costs_.writes;
    at.set_key(with_key.give_away());
    at.set_value(with_value.give_away());
  }

  /// After the key at `farthest - 1` was erased.
  void shrink_reach(bucket_type* start, std::uint64_t farthest) {
    if (start->look().reach() > state().with_reach(farthest).reach()) return;
    const state before = lock(*start);
    held_lock hold(*start, before);
    try {
      hold.leave(before.with_reach(reach_of_keys(start, before.reach())));
    } catch (...) {
      // A hash function that throws: a long reach costs time, nothing else.
    }
  }

  /// Under the lock of the home: how far its keys really lie.
  [[nodiscard]] std::uint64_t reach_of_keys(bucket_type* start, std::uint64_t at_most) const {
    std::uint64_t reach = 0;
    bucket_type* at = start;
    const std::uint64_t end = smaller(at_most, capacity_);
    for (std::uint64_t distance = 0; distance != end; ++distance, at = after(at)) {
      for (unsigned tries = 0;; ++tries) {
        const state seen = at->look();
        if (!seen.is_full()) break;
        const stored_key key = at->key();
        if (!at->look_again().same_content(seen)) {
          bucket_type::back_off(tries);
          continue;
        }
        const auto& copied = key_form::copy(key);
        if (is_separate<K> && !at->look_again().same_content(seen)) {
          bucket_type::back_off(tries);
          continue;
        }
        if (home(hash_of(key_form::load(copied))) == start) reach = distance + 1;
        break;
      }
    }
    return reach;
  }

  // --- further blocks -------------------------------------------------------------------

  using further_part = hash_part<K, V, Hash, Equal, Others, blocks::further>;

  [[nodiscard]] block_link& link() const noexcept { return link_before(first_); }

  /// Whether a key that is not in the first block may be in another.
  [[nodiscard]] bool has_more() const noexcept {
    if constexpr (Seen != blocks::all) return false;
    return link().next.load(std::memory_order_acquire) != block_link::none;
  }

  /// Calls f(part) for each further block, until it returns false.
  template <class F>
  void for_each_further(F&& f) const {
    if constexpr (Seen == blocks::all) {
      for (block_link* at = link().following(); at != nullptr; at = at->following()) {
        if (!f(further_part(buckets_behind<bucket_type>(*at), parts_))) return;
      }
    }
  }

  /// What an operation on one block after the other meets, until one holds the key.
  template <class Operation>
  [[gnu::noinline, gnu::cold]] outcome elsewhere(Operation operation) {
    outcome met = outcome::absent;
    for_each_further([&](further_part there) {
      met = operation(there);
      costs_ += there.costs();
      return met == outcome::absent;
    });
    return met;
  }
  template <class Key>
  [[nodiscard]] bool is_elsewhere(const Key& key, std::uint64_t hash) {
    return elsewhere([&](further_part& there) {
             return there.contains(key, hash) ? outcome::found : outcome::absent;
           }) == outcome::found;
  }
  template <class Key>
  [[nodiscard]] bool erase_elsewhere(const Key& key, std::uint64_t hash) {
    return elsewhere([&](further_part& there) {
             return there.erase(key, hash) ? outcome::erased : outcome::absent;
           }) == outcome::erased;
  }
  template <class Change>
  outcome modify_elsewhere(const K& key, std::uint64_t hash, Change& change) {
    return elsewhere([&](further_part& there) { return there.modify(key, hash, change); });
  }

  /// Under the lock of the home of a key that is nowhere: adds it to the first block with room.
  /// @param last  becomes the last block
  /// @return added or no_room
  outcome add_elsewhere(const K& key, std::uint64_t hash, const V& value, block_link*& last) {
    if constexpr (Seen != blocks::all) {
      return outcome::no_room;
    } else {
      last = &link();
      outcome met = outcome::no_room;
      for (block_link* at = last->following(); at != nullptr && met == outcome::no_room;
           at = at->following()) {
        last = at;
        further_part there(buckets_behind<bucket_type>(*at), parts_);
        met = there.insert(key, hash, value);
        costs_ += there.costs();
      }
      return met;
    }
  }

  /// Without a lock, when there was no room in the blocks up to `last`.
  /// @return absent when there is one more: try again
  [[nodiscard]] outcome make_room(block_link* last) const noexcept {
    if constexpr (Seen != blocks::all) {
      return outcome::no_room;
    } else {
      if (link().grows == 0 || is_sparse(*last)) return outcome::no_room;
      return add_block(link(), *last,
                       {.link_bytes = link_bytes<bucket_type>,
                        .bucket_bytes = sizeof(bucket_type),
                        .alignment = larger(alignof(block_link), alignof(bucket_type))})
                 ? outcome::absent
                 : outcome::no_memory;
    }
  }

  /// Whether a large block in which some key finds no room is nearly empty: then most keys have
  /// nearly the same hash, and more memory would not help for long. A sample tells.
  [[nodiscard]] static bool is_sparse(block_link& block) noexcept {
    constexpr std::uint64_t samples = 256;
    const std::span<bucket_type> all = buckets_behind<bucket_type>(block);
    if (all.size() < 64 * most_reach) return false;
    std::uint64_t full = 0;
    for (std::uint64_t i = 0; i != samples; ++i) {
      if (all[i * (all.size() / samples)].look().is_full()) ++full;
    }
    return full < samples / 16;
  }

  bucket_type* first_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t parts_ = 1;
  runtime::direct_costs costs_;
};

}  // namespace acre::detail
