// A hash map spread over the ranks of a team.
//
//     acre::hash_map<std::uint64_t, std::uint32_t> counts(acre::world(), 1 << 24);
//     counts.insert(42, 1);
//     counts.fetch_add(42, 10);
//     if (auto count = counts.find(42)) …
//
// The hash of a key says which rank owns it and where in that rank's buckets it
// lies. Operations are one-sided: any rank works directly on the owner's buckets
// where it can address them (its own node), and asks the owner with one message
// elsewhere; the owner need not take part. Any ranks and threads may operate at
// once; values are never seen half-written, however wide.
//
// Memory order: what a rank wrote before an insert or update of a key is seen by
// those who find the new value (release and acquire), on all nodes.
//
// Costs are of the best case, to memory of this node; to another node each
// operation is 2 M, one round trip.
//
// Making, resizing, clearing and destroying are collective. To fill a map at
// full speed, use a writer: buffered, in buffered.hpp. How it works:
// detail/hash_part.hpp (one part), detail/hash_table.hpp (all of them).
#pragma once

#include <acre/container/detail/hash_table.hpp>
#include <acre/container/hash.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

namespace acre {

/// A function object that compares two K for equality; without state, for any thread.
template <class Equal, class K>
concept equality_for = std::is_empty_v<Equal> && std::default_initializable<Equal> &&
                       std::predicate<const Equal&, const K&, const K&>;

/// What update() takes: f(value) changes it in place, or returns the new one.
template <class F, class V>
concept update_of =
    std::is_trivially_copyable_v<F> && (std::same_as<std::invoke_result_t<F&, V&>, void> ||
                                        std::convertible_to<std::invoke_result_t<F&, V&>, V>);

namespace detail {

template <class V, class F>
struct change_by {
  F function;
  void operator()(V& value) noexcept(noexcept(function(value))) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, V&>>) {
      function(value);
    } else {
      value = function(value);
    }
  }
};

// The operations that travel: what runs where the key is.

struct find_operation {
  using operand = no_operand;
  template <class Part, class K>
  static auto run(Part& part, const K& key, std::uint64_t hash, no_operand) {
    auto value = part.find(key, hash);
    const outcome what = value ? outcome::found : outcome::absent;
    return met<typename decltype(value)::value_type>{what, value};
  }
};

template <class V>
struct contains_operation {
  using operand = no_operand;
  template <class Part, class K>
  static met<V> run(Part& part, const K& key, std::uint64_t hash, no_operand) {
    return {part.contains(key, hash) ? outcome::found : outcome::absent};
  }
};

template <class V>
struct erase_operation {
  using operand = no_operand;
  template <class Part, class K>
  static met<V> run(Part& part, const K& key, std::uint64_t hash, no_operand) {
    return {part.erase(key, hash) ? outcome::erased : outcome::absent};
  }
};

template <class V>
struct insert_operation {
  using operand = V;
  template <class Part, class K>
  static met<V> run(Part& part, const K& key, std::uint64_t hash, const V& value) {
    return {part.insert(key, hash, value)};
  }
};

template <class V>
struct assign_operation {
  using operand = V;
  template <class Part, class K>
  static met<V> run(Part& part, const K& key, std::uint64_t hash, const V& value) {
    return {part.upsert(
        key, hash, [&](V& old) noexcept { old = value; }, [&]() -> const V& { return value; })};
  }
};

template <class V>
struct add_operation {
  using operand = V;
  template <class Part, class K>
  static met<V> run(Part& part, const K& key, std::uint64_t hash, const V& amount) {
    V before{};
    const outcome what = part.upsert(
        key, hash,
        [&](V& value) noexcept {
          before = value;
          value = static_cast<V>(value + amount);
        },
        [&] { return amount; });
    return {what, before};
  }
};

}  // namespace detail

/// @tparam K, V  trivially copyable; both together at most 1 MiB, and with several
///               nodes at most what a message carries (some kilobytes)
/// @tparam Hash, Equal  without state; called by any thread, at the owner too
template <transferable K, transferable V, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = std::equal_to<K>>
class hash_map {
  using table = detail::hash_table<K, V, Hash, Equal>;
  using here = std::source_location;

 public:
  using key_type = K;
  using mapped_type = V;
  using hasher = Hash;
  using key_equal = Equal;

  /// No map: good for being assigned to.
  hash_map() = default;

  /// An empty map with at least `capacity` buckets over all members. It takes keys
  /// until 80 % of the buckets are full, and then until one has no free bucket near
  /// its home: the 1024 from there on; so a part of up to 1024 takes them to the last.
  /// Searches stay fast up to 80 %, and are never longer than that. Collective.
  /// Cost: B, and this rank's memory is touched.
  /// @throws acre::error on all members when one has no room
  hash_map(const team& members, std::uint64_t capacity)
      : table_(std::make_unique<table>(members, capacity, "hash_map")) {}
  explicit hash_map(std::uint64_t capacity) : hash_map(world(), capacity) {}

  /// Moves: local. Destruction: collective, B; maps may be destroyed in any order.
  hash_map(hash_map&&) noexcept = default;
  hash_map& operator=(hash_map&&) noexcept = default;
  ~hash_map() = default;

  // --- one key -------------------------------------------------------------------
  // All of these: any thread; at most one waits for another only while a bucket
  // is being changed. @throws what Hash and Equal throw, with nothing changed

  /// Adds the key unless it is there. Cost: R when it is there, else A + W at
  /// its home, 2 A + W elsewhere and R for each bucket looked at on the way.
  /// @return whether it was added
  /// @throws acre::error when the owner's part is full near the key's home; nothing is lost
  bool insert(const K& key, const V& value, const here& where = here::current()) {
    return perform<detail::insert_operation<V>>(key, value, "hash_map::insert", where).what ==
           detail::outcome::added;
  }

  /// Sets the value, whether the key is there or not. Cost: R + A + W; new: R and
  /// as insert.
  /// @return whether it was added
  bool insert_or_assign(const K& key, const V& value, const here& where = here::current()) {
    return perform<detail::assign_operation<V>>(key, value, "hash_map::insert_or_assign", where)
               .what == detail::outcome::added;
  }

  /// The value, if the key is there. Cost: R, whether it is there or not.
  [[nodiscard]] std::optional<V> find(const K& key, const here& where = here::current()) const {
    return perform<detail::find_operation>(key, {}, "hash_map::find", where).value;
  }

  /// Cost: R.
  [[nodiscard]] bool contains(const K& key, const here& where = here::current()) const {
    return perform<detail::contains_operation<V>>(key, {}, "hash_map::contains", where).what ==
           detail::outcome::found;
  }

  /// Replaces the value x by f(x), or lets f change it in place, in one step for
  /// all others; or adds the key with `initial`. Cost: R + A + W; new: R and
  /// as insert.
  ///
  /// f is called at most once, under a lock: it must be short and must not use
  /// the map. If it throws, nothing has changed. To another node f travels byte
  /// by byte and runs in the owner's own calls (progress, waits).
  /// @return whether the key was there
  template <update_of<V> F>
  bool update(const K& key, F f, const std::type_identity_t<V>& initial,
              const here& where = here::current()) {
    detail::change_by<V, F> change{std::move(f)};
    const auto what = get_table("hash_map::update").update(key, initial, change, where);
    if (what == detail::outcome::no_room) report_full(key, "hash_map::update");
    return what == detail::outcome::found;
  }

  /// Adds to the value; an absent key counts as 0 and is added. Cost: R + A + W;
  /// new: R and as insert.
  /// @return the value before
  V fetch_add(const K& key, std::type_identity_t<V> amount, const here& where = here::current())
    requires std::integral<V>
  {
    return *perform<detail::add_operation<V>>(key, amount, "hash_map::fetch_add", where).value;
  }

  /// Cost: R + A.
  /// @return whether the key was there
  bool erase(const K& key, const here& where = here::current()) {
    return perform<detail::erase_operation<V>>(key, {}, "hash_map::erase", where).what ==
           detail::outcome::erased;
  }

  /// The member of the team that owns the key. l.
  [[nodiscard]] rank_t owner(const K& key) const {
    return get_table("hash_map::owner").locate(key).owner;
  }

  // --- all keys --------------------------------------------------------------------

  /// Calls f(key, value), with copies, for each entry of this rank's part. What
  /// others insert or erase meanwhile may or may not be seen. l.
  template <std::invocable<const K&, const V&> F>
  void for_each_local(F&& f) const {
    get_table("hash_map::for_each_local").local_part().for_each(f);
  }

  /// The entries of this rank's part. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get_table("hash_map::local_size").local_size();
  }
  /// The entries of all parts, with what all members inserted and erased before
  /// the call. Collective. Cost: B and 1 allreduce.
  [[nodiscard]] std::uint64_t size() const { return get_table("hash_map::size").size(); }
  /// The buckets of all parts. l.
  [[nodiscard]] std::uint64_t capacity() const {
    return get_table("hash_map::capacity").capacity();
  }
  /// size() / capacity(). Collective, as size().
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size()) / static_cast<double>(capacity());
  }
  [[nodiscard]] const team& members() const { return get_table("hash_map::members").members(); }

  // --- collective ---------------------------------------------------------------------

  /// Removes all entries. Cost: 2 B.
  void clear() { get_table("hash_map::clear").clear(); }

  /// Moves all entries to `capacity` buckets, more or fewer. No key changes its
  /// owner. Writers keep what they have buffered. Cost: 2 B, 3 collectives, and l for each entry.
  /// @throws acre::error on all members, with nothing changed, when the entries
  ///         do not fit or there is no memory
  void resize(std::uint64_t capacity) { get_table("hash_map::resize").resize(capacity); }

  /// Doubles the capacity until no part is fuller than `most_load`.
  /// @return whether it grew
  /// @throws acre::error on all members when `most_load` is not above 0, or as resize()
  bool grow_if_needed(double most_load = 0.75) {
    detail::check_load("hash_map::grow_if_needed", most_load);
    return get_table("hash_map::grow_if_needed").grow_if_needed(most_load);
  }

  /// For writers and other tools of this room: the table, which stays where it is
  /// when the map moves.
  [[nodiscard]] table& guts() const { return get_table("hash_map"); }

 private:
  template <class Operation>
  detail::met<V> perform(const K& key, const typename Operation::operand& operand, const char* call,
                         const here& where) const {
    const detail::met<V> result =
        get_table(call).template perform<Operation>(key, operand, call, where);
    if (result.what == detail::outcome::no_room) [[unlikely]] {
      report_full(key, call);
    }
    return result;
  }

  [[noreturn]] void report_full(const K& key, const char* call) const {
    const table& all = *table_;
    detail::throw_table_full(call, all.capacity(), all.locate(key).owner, all.members().size());
  }

  [[nodiscard]] table& get_table(const char* call) const {
    if (table_ == nullptr) [[unlikely]] {
      detail::throw_no_table(call);
    }
    return *table_;
  }

  std::unique_ptr<table> table_;
};

}  // namespace acre
