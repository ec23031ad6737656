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
// Who knows what the others do meanwhile may guarantee it, and saves atomics: see
// guarantee.hpp. Keys and values may be of any type that can be sent; those of no
// fixed size lie in blocks of the private heaps (global/stored.hpp).
//
// Memory order: what a rank wrote before an insert or update of a key is seen by
// those who find the new value (release and acquire), on all nodes.
//
// Costs are of the best case, to memory of this node, for keys and values that lie
// in place (each that does not costs one R or W more); to another node each
// operation is 2 M, one round trip, whatever was guaranteed: no network at hand has
// atomics that the CPUs of the target respect. With the guarantee `local` all is l.
// What no message carries in one piece (some ten kilobytes, to another node) costs 2 M
// and a W more on its way there, an R and an M more on its way back.
//
// Making, resizing, clearing and destroying are collective. To fill a map at
// full speed, use a writer: buffered, in buffered.hpp. How it works:
// detail/hash_part.hpp (one part), detail/hash_parts.hpp (all of them and one key),
// detail/hash_table.hpp (what all ranks do together).
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/hash_many.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_scan.hpp>
#include <acre/container/hash/detail/hash_table.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

/// A function object that compares two K for equality; without state, for any thread.
template <class Equal, class K>
concept equality_for = std::is_empty_v<Equal> && std::default_initializable<Equal> &&
                       std::predicate<const Equal&, const K&, const K&>;

/// What Hash and Equal take for a K as it is; a K can be made of it when it has to travel.
template <class Key, class K, class Hash, class Equal>
concept transparent_key =
    requires {
      typename Hash::is_transparent;
      typename Equal::is_transparent;
    } && hash_for<Hash, Key> && std::predicate<const Equal&, const K&, const Key&> &&
    std::constructible_from<K, const Key&>;

namespace detail {
// Compilers print these names.
template <class Key, class K, class Hash, class Equal>
inline constexpr bool is_or_becomes_a_key_or_compares_with_one =
    std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal> ||
    std::convertible_to<const Key&, K>;
template <class F, class K, class V>
inline constexpr bool takes_a_const_key_and_a_const_value = std::invocable<F, const K&, const V&>;
// Parameters of overloads that only refuse: compilers show the line of a deleted constructor.
struct a_capacity_as_a_number {
  template <class X>
    requires std::is_scalar_v<std::decay_t<X>> && (!std::is_arithmetic_v<std::decay_t<X>>)
  a_capacity_as_a_number(const X&) = delete;  // hash_map<K, V>(team, 4096)
};
template <class K>
struct a_key_of_the_map {
  template <class X>
    requires(!std::convertible_to<X, K>)
  a_key_of_the_map(X&&) = delete;  // hash_map<K, V>::insert(key, value): the key becomes a K
};
template <class V>
struct a_value_of_the_map {
  template <class X>
    requires(!std::convertible_to<X, V>)
  a_value_of_the_map(X&&) = delete;  // hash_map<K, V>::insert(key, value): the value becomes a V
};
struct a_key_and_a_value {
  template <class... X>
    requires(sizeof...(X) > 0)
  a_key_and_a_value(X&&...) = delete;  // insert(key, value), without a pair or braces
};
}  // namespace detail

/// What can be looked for: a K, what is as good as one, or what becomes one.
template <class Key, class K, class Hash, class Equal>
concept lookup_key = detail::is_or_becomes_a_key_or_compares_with_one<Key, K, Hash, Equal>;

/// Moves: local. Destruction: collective, B; maps may be destroyed in any order.
/// @tparam K, V  any storable type: trivially copyable (in place), or one that can be
///               sent (serialization.hpp); in place both take together at most 64 KiB
/// @tparam Hash, Equal  without state; called by any thread, at the owner too
template <storable K, storable V, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = equal_by_operator>
class hash_map {
  using table = detail::hash_table<K, V, Hash, Equal>;

 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using hasher = Hash;
  using key_equal = Equal;
  using entry_range = detail::hash_entries<table, K, V>;

  /// No map: good for being assigned to.
  hash_map() = default;

  /// An empty map with at least `capacity` buckets over all members. It takes keys
  /// until 80 % of the buckets are full, and then until one has no free bucket near
  /// its home: the 1024 from there on; so a part of up to 1024 takes them to the last.
  /// Searches stay fast up to 80 %, and are never longer than that. Collective.
  /// Cost: B, and this rank's memory is touched.
  /// A capacity of 0 is one bucket on each member.
  /// @param grows  automatic: a key finds room as long as there is memory, and each collective
  ///               call that counts (size(), sync()) doubles the capacity until no part is
  ///               fuller than three quarters: growth.hpp
  /// @throws acre::error on all members when one has no room
  hash_map(const team& members, std::uint64_t capacity, growth grows = growth::manual,
           const site& where = site::current())
      : table_(detail::make_unique_object<table>(members, capacity, grows, "hash_map", where)) {}
  explicit hash_map(std::uint64_t capacity, growth grows = growth::manual,
                    const site& where = site::current())
      : hash_map(world(), capacity, grows, where) {}
  // Compile errors for all other arguments.
  hash_map(detail::the_team_before_the_size, const team&);
  explicit hash_map(detail::a_capacity_as_a_number);
  hash_map(const team&, detail::a_capacity_as_a_number);

  // --- one key -------------------------------------------------------------------
  // All of these: any thread; at most one waits for another only while a bucket
  // is being changed. The last argument may be a guarantee (guarantee.hpp).
  // @throws what Hash and Equal throw, with nothing changed; acre::error when a
  //         guarantee is broken, in builds with ACRE_CHECKS

  /// Adds the key unless it is there. Cost: R when it is there, else A + W at
  /// its home, 2 A + W elsewhere and R for each bucket looked at on the way.
  /// @return whether it was added
  /// @throws acre::error when the owner's part is full near the key's home; nothing is lost
  bool insert(const K& key, const V& value, const site& where = site::current()) {
    return insert(key, value, no_guarantee{}, where);
  }
  // Compile errors for all other arguments.
  void insert(detail::a_key_and_a_value);
  template <class X, class... Rest>
  void insert(detail::a_key_of_the_map<K>, const X&, const Rest&...);
  template <class... Rest>
  void insert(const K&, detail::a_value_of_the_map<V>, const Rest&...);
  template <guarantee_allowing<container_operation::insert> Guarantee>
  bool insert(const K& key, const V& value, Guarantee guarantee,
              const site& where = site::current()) {
    std::optional<V> nothing;
    return perform<detail::insert_operation<V>>(guarantee, key, nothing, "hash_map::insert", where,
                                                value) == added;
  }

  /// Sets the value, whether the key is there or not. Cost: R + A + W; new: R and
  /// as insert.
  /// @return whether it was added
  bool insert_or_assign(const K& key, const V& value, const site& where = site::current()) {
    return insert_or_assign(key, value, no_guarantee{}, where);
  }
  // Compile errors for all other arguments.
  void insert_or_assign(detail::a_key_and_a_value);
  template <class X, class... Rest>
  void insert_or_assign(detail::a_key_of_the_map<K>, const X&, const Rest&...);
  template <class... Rest>
  void insert_or_assign(const K&, detail::a_value_of_the_map<V>, const Rest&...);
  template <guarantee_allowing<container_operation::update> Guarantee>
  bool insert_or_assign(const K& key, const V& value, Guarantee guarantee,
                        const site& where = site::current()) {
    std::optional<V> nothing;
    return perform<detail::assign_operation<V>>(
               guarantee, key, nothing, "hash_map::insert_or_assign", where, value) == added;
  }

  /// The value, if the key is there. Cost: R, whether it is there or not.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<V> find(const Key& key, Guarantee guarantee = {},
                                      const site& where = site::current()) const {
    std::optional<V> value;
    perform<detail::find_operation<V>>(guarantee, as_key(key), value, "hash_map::find", where);
    return value;
  }

  /// Cost: R.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool contains(const Key& key, Guarantee guarantee = {},
                              const site& where = site::current()) const {
    std::optional<V> nothing;
    return perform<detail::contains_operation<V>>(guarantee, as_key(key), nothing,
                                                  "hash_map::contains", where) == found;
  }

  /// Replaces the value x by f(x), or lets f change it in place, in one step for
  /// all others; or adds the key with `initial`. Cost: R + A + W; new: R and
  /// as insert.
  ///
  /// f is called at most once, under a lock: it must be short and must not call
  /// Acre (progress that it made could meet that lock). If it throws, nothing has
  /// changed. To another node f travels byte by byte and runs in the owner's own
  /// calls (progress, waits): the cost there is 2 M and the owner's attention, that
  /// is, the time until the owner next waits or calls progress().
  /// @return whether the key was there
  /// @throws acre::error when f calls update or apply, waits, or calls a collective
  template <update_of<V> F,
            guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  bool update(const K& key, F f, const std::type_identity_t<V>& initial, Guarantee guarantee = {},
              const site& where = site::current()) {
    std::optional<V> nothing;
    return perform<detail::update_operation<V, F>>(guarantee, key, nothing, "hash_map::update",
                                                   where, detail::carried_function(f),
                                                   initial) == found;
  }

  /// Calls f(value, operands...) on the key's value, in one step for all others; a new key begins
  /// with V(). To another node the operands travel as those of an RPC do, of any type that
  /// serialises, and f byte by byte. Cost: R + A + W; new: R and as insert; to another node 2 M and
  /// the owner's attention, as update().
  ///
  ///     map.apply(word, [](std::vector<int>& places, int place) { places.push_back(place); }, 7);
  ///
  /// f runs under a lock, and is held to what update() says of it; where another rank adds the key
  /// at the same time f may run on a V() that is thrown away, and then again.
  /// @return what f returns
  template <class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, F f, const Operands&... operands) {
    return apply(key, no_guarantee{}, f, operands...);
  }
  /// A guarantee stands before the function: any number of operands may follow that.
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, Guarantee guarantee, F f, const Operands&... operands) {
    using result_type = std::invoke_result_t<F&, V&, const Operands&...>;
    constexpr const char* call = "hash_map::apply";
    const table& all = get_table(call);
    return take_applied(all, key, call,
                        all.template apply<result_type>(guarantee, key, f, call, operands...));
  }
  /// A compile error for all other functions.
  template <class... Operands>
  void apply(const K&, std::type_identity_t<detail::a_function_of_the_value<V, Operands...>>,
             const Operands&...);

  /// Adds to the value; an absent key counts as 0 and is added. Cost: R + A + W;
  /// new: R and as insert.
  /// @return the value before, 0 for a new key
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  V fetch_add(const K& key, std::type_identity_t<V> amount, Guarantee guarantee = {},
              const site& where = site::current())
    requires std::integral<V>
  {
    std::optional<V> before;
    perform<detail::add_operation<V>>(guarantee, key, before, "hash_map::fetch_add", where, amount);
    return *before;
  }

  /// Cost: R + A.
  /// @return whether the key was there
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  bool erase(const Key& key, Guarantee guarantee = {}, const site& where = site::current()) {
    std::optional<V> nothing;
    return perform<detail::erase_operation<V>>(guarantee, as_key(key), nothing, "hash_map::erase",
                                               where) == erased;
  }

  /// The member of the team that owns the key. l.
  template <lookup_key<K, Hash, Equal> Key = K>
  [[nodiscard]] member owner(const Key& key) const {
    const table& all = get_table("hash_map::owner");
    return all.members()[all.locate(as_key(key)).owner];
  }

  // --- one key, without waiting ------------------------------------------------------
  // As the above, with a future of the result: it is ready at once for memory of
  // this node; other nodes answer in a later progress() or wait. What the above
  // throw, the future has. They must be ready before the map ends; collective
  // calls and the destructor see to it.

  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value, Guarantee guarantee = {}) {
    return start<detail::insert_operation<V>>(guarantee, key, "hash_map::insert_async", is_added,
                                              value);
  }
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value,
                                                    Guarantee guarantee = {}) {
    return start<detail::assign_operation<V>>(guarantee, key, "hash_map::insert_or_assign_async",
                                              is_added, value);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] future<std::optional<V>> find_async(const K& key, Guarantee guarantee = {}) const {
    return start<detail::find_operation<V>>(guarantee, key, "hash_map::find_async",
                                            [](met&& result) { return std::move(result.value); });
  }
  template <update_of<V> F,
            guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> update_async(const K& key, F f, const std::type_identity_t<V>& initial,
                                          Guarantee guarantee = {}) {
    return start<detail::update_operation<V, F>>(
        guarantee, key, "hash_map::update_async",
        [](const met& result) { return result.what == found; }, detail::carried_function(f),
        initial);
  }
  template <class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  [[nodiscard]] auto apply_async(const K& key, F f, const Operands&... operands) {
    return apply_async(key, no_guarantee{}, f, operands...);
  }
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  [[nodiscard]] auto apply_async(const K& key, Guarantee guarantee, F f,
                                 const Operands&... operands) {
    using result_type = std::invoke_result_t<F&, V&, const Operands&...>;
    constexpr const char* call = "hash_map::apply_async";
    const table& all = get_table(call);
    return all.template start_apply<result_type>(
        guarantee, key, f, call,
        [&all, key](detail::application<result_type>&& done) {
          return take_applied(all, key, call, std::move(done));
        },
        operands...);
  }
  /// A compile error for all other functions.
  template <class... Operands>
  future<detail::fits_everything> apply_async(
      const K&, std::type_identity_t<detail::a_function_of_the_value<V, Operands...>>,
      const Operands&...);
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<V> fetch_add_async(const K& key, std::type_identity_t<V> amount,
                                          Guarantee guarantee = {})
    requires std::integral<V>
  {
    return start<detail::add_operation<V>>(
        guarantee, key, "hash_map::fetch_add_async", [](met&& result) { return *result.value; },
        amount);
  }
  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> erase_async(const K& key, Guarantee guarantee = {}) {
    return start<detail::erase_operation<V>>(
        guarantee, key, "hash_map::erase_async",
        [](const met& result) { return result.what == erased; });
  }

  // --- many keys -----------------------------------------------------------------------
  // Several times as fast as one by one: keys are prefetched, and those of other
  // nodes travel together. Costs are those of each key; M: 2 for each message full
  // of keys. No step for all of them: others may see some done and some not.

  /// As insert(keys[i], values[i]) for each i.
  /// @return how many were added
  /// @throws acre::error when some found no room; all others are in then. When Hash or
  ///         Equal throw, or the private heap is full, some of the others are in
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, std::span<const V> values,
                            Guarantee guarantee = {}, const site& where = site::current()) {
    detail::check_as_many("hash_map::insert_many", keys.size(), values.size());
    return change_many<detail::insert_operation<V>>(
        guarantee, keys, [&](std::uint64_t i) { return std::tie(values[i]); },
        "hash_map::insert_many", where);
  }

  /// results[i] becomes find(keys[i]).
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  void find_many(std::span<const K> keys, std::span<std::optional<V>> results,
                 Guarantee guarantee = {}, const site& where = site::current()) const {
    detail::check_as_many("hash_map::find_many", keys.size(), results.size());
    get_table("hash_map::find_many")
        .template perform_many<detail::find_operation<V>>(
            guarantee, keys, [](std::uint64_t) { return std::tuple<>(); },
            [&](std::uint64_t i, met&& result) { results[i] = std::move(result.value); },
            "hash_map::find_many", where);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys,
                                                        Guarantee guarantee = {},
                                                        const site& where = site::current()) const {
    std::vector<std::optional<V>> results(keys.size());
    find_many(keys, std::span(results), guarantee, where);
    return results;
  }

  // --- all keys --------------------------------------------------------------------

  /// Calls f(key, value), with copies, for each entry of this rank's part. What
  /// others insert or erase meanwhile may or may not be seen. l.
  template <class F>
    requires detail::takes_a_const_key_and_a_const_value<F, K, V>
  void for_each_local(F&& f) const {
    const table& all = get_table("hash_map::for_each_local");
    const auto part = all.local_part();
    all.note(part, container_operation::find, "hash_map::for_each_local");
    part.view().for_each(f);
  }

  /// The entries of this rank's part: for (const auto& [key, value] : map.local()).
  /// Copies, as above. l.
  [[nodiscard]] entry_range local() const {
    const table& all = get_table("hash_map::local");
    return {all, all.members().rank(), all.members().rank() + 1};
  }

  /// The entries of all parts, one rank's after the other's: for (const auto& [key,
  /// value] : map). Any rank may walk through them, as above; iterators are good until
  /// the next collective call of the map. Cost: R for each entry; other nodes: 2 M for
  /// each message full of entries.
  [[nodiscard]] typename entry_range::iterator begin() const {
    const table& all = get_table("hash_map::begin");
    return {all, 0, all.members().size()};
  }
  [[nodiscard]] typename entry_range::iterator end() const {
    const table& all = get_table("hash_map::end");
    return {all, all.members().size(), all.members().size()};
  }

  /// The entries of this rank's part. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get_table("hash_map::local_size").local_size();
  }
  /// The entries of all parts, with what all members inserted and erased before
  /// the call. Collective. Cost: B and 1 allreduce; more when the map grows by itself,
  /// which ends iterators.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get_table("hash_map::size").size(where);
  }
  /// The buckets of all parts. l.
  [[nodiscard]] std::uint64_t capacity() const {
    return get_table("hash_map::capacity").capacity();
  }
  /// size() / capacity(). Collective, as size().
  [[nodiscard]] double load_factor(const site& where = site::current()) const {
    const auto entries = static_cast<double>(size(where));
    return entries / static_cast<double>(capacity());
  }
  [[nodiscard]] const team& members() const { return get_table("hash_map::members").members(); }
  /// Whether there is a map: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

  // --- collective ---------------------------------------------------------------------

  /// All that the members have done with the map is done; a map that grows by itself
  /// grows when it should. Cost: B, and 1 allreduce if it grows by itself.
  void sync(const site& where = site::current()) { get_table("hash_map::sync").sync(where); }

  /// Removes all entries. Cost: 2 B.
  void clear(const site& where = site::current()) { get_table("hash_map::clear").clear(where); }

  /// Moves all entries to `capacity` buckets, more or fewer. No key changes its
  /// owner. Writers keep what they have buffered. Cost: 2 B, 3 collectives, and l for each entry.
  /// @throws acre::error on all members, with nothing changed, when the entries
  ///         do not fit or there is no memory
  void resize(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::resize").resize(capacity, where);
  }

  /// The same, but to as many buckets as the entries need, if that is more.
  void rehash(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::rehash").rehash(capacity, where);
  }
  /// Makes room for so many entries over all members, if their hashes are good; the most
  /// that a member asks for. Cost: 1 allreduce, and as resize() when it grows.
  /// @throws acre::error as resize()
  void reserve(std::uint64_t entries, const site& where = site::current()) {
    get_table("hash_map::reserve").reserve(entries, where);
  }

  /// Doubles the capacity until no part is fuller than `most_load`.
  /// @return whether it grew
  /// @throws acre::error on all members when `most_load` is not above 0 or not the same
  ///         on all, or as resize()
  bool grow_if_needed(double most_load = detail::usual_load, const site& where = site::current()) {
    return get_table("hash_map::grow_if_needed").grow_if_needed(most_load, where);
  }

  /// For writers and other tools of this room: the table, which stays where it is
  /// when the map moves.
  [[nodiscard]] table& guts() const { return get_table("hash_map"); }

 protected:
  using met = detail::met<V>;
  static constexpr auto found = detail::outcome::found;
  static constexpr auto added = detail::outcome::added;
  static constexpr auto erased = detail::outcome::erased;
  static constexpr auto is_added = [](const met& result) { return result.what == added; };

  template <class Key>
  static decltype(auto) as_key(const Key& key) {
    if constexpr (std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal>) {
      return (key);
    } else {
      return static_cast<K>(key);
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  detail::outcome perform(Guarantee guarantee, const Key& key, std::optional<V>& value,
                          const char* call, const site& where, const Operands&... operands) const {
    const table& all = get_table(call);
    const detail::outcome what =
        all.template perform<Operation>(guarantee, key, value, call, where, operands...);
    check_room(all, what, key, call);
    return what;
  }

  /// For operations that bring nothing back.
  /// @return how many keys were added
  template <class Operation, class Guarantee, class Operands>
  std::uint64_t change_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands,
                            const char* call, const site& where) const {
    const table& all = get_table(call);
    std::uint64_t number = 0;
    std::uint64_t refused = 0;
    all.template perform_many<Operation>(
        guarantee, keys, operands,
        [&](std::uint64_t, const met& result) {
          if (result.what == added) ++number;
          if (is_refused(result.what)) ++refused;
        },
        call, where);
    if (refused != 0) detail::throw_many_refused(call, refused, all.grows(), all.capacity());
    return number;
  }

 private:
  template <class Operation, class Guarantee, class Convert, class... Operands>
  auto start(Guarantee guarantee, const K& key, const char* call, Convert convert,
             const Operands&... operands) const {
    const table& all = get_table(call);
    return all.template start<Operation>(
        guarantee, key, call,
        [&all, key, call, convert](met&& result) {
          check_room(all, result.what, key, call);
          return convert(std::move(result));
        },
        operands...);
  }

  /// What a function that was applied has returned.
  template <class R>
  static R take_applied(const table& all, const K& key, const char* call,
                        detail::application<R>&& done) {
    check_room(all, done.what, key, call);
    if constexpr (!std::is_void_v<R>) return std::move(*done.result);
  }

  /// @throws acre::error when there was no room
  template <class Key>
  static void check_room(const table& all, detail::outcome what, const Key& key, const char* call) {
    if (is_refused(what)) [[unlikely]] {
      detail::throw_table_full(call, what, all.grows(), all.capacity(), all.locate(key).owner,
                               all.members().size());
    }
  }

  [[nodiscard]] table& get_table(const char* call) const {
    return detail::require_object(table_.get(), call, "map", "hash_map{team, capacity}");
  }

  detail::unique_object<table> table_;
};

}  // namespace acre
