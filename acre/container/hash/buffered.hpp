// SPDX-License-Identifier: BSD-3-Clause
// Bulk updates of a hash map, collected per target and applied in batches.
//
//     acre::hash_map<kmer, std::uint32_t> counts(acre::world(), capacity);
//     {
//       acre::buffered writer(counts, acre::counting);
//       for (kmer each : mine) writer.add(each);
//     }                      // flushed: all of them are counted
//     acre::barrier();       // items of other ranks are applied, too
//
// Rules: buffered_rules.hpp. Within the node a writer applies batches directly; else each is a
// message with a small reply, whose user code runs in the owner's own calls. If buffers suffice, a
// batch covers a range of buckets that fits the CPU's TLB, as random access dominates the cost.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/detail/pending_items.hpp>
#include <acre/container/hash/buffered_rules.hpp>
#include <acre/container/hash/detail/batch_items.hpp>
#include <acre/container/hash/detail/hash_batch.hpp>
#include <acre/container/hash/detail/packed_bins.hpp>
#include <acre/container/hash/detail/refused_items.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/requests_under_way.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace container {

[[noreturn]] void throw_refused(std::uint64_t items, bool thrown, growth grows,
                                std::uint64_t capacity);
[[noreturn]] void throw_batch_lost(const std::string& why);
[[noreturn]] void throw_refused_elsewhere();

template <class Map>
using table_of = std::remove_reference_t<decltype(std::declval<const Map&>().guts())>;

}  // namespace container

/// A writer of one rank, for one thread at a time; movable. Items lost with their map make its
/// destructor throw acre::error; items left at the end of the job are an error, too.
///
/// An item is applied between add() and the end of the next flush(). Items of one key are applied
/// in order, but refused items last. Memory: some megabytes, plus refused items. Keys and operands
/// may have any type that a map can hold; others than trivially copyable ones are serialised.
///
/// If a call throws, the writer keeps all items not applied, except the argument of add(). RPCs
/// that run while a call waits may add items.
template <class Map, class Rule>
class buffered {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  using operand_type = typename Rule::template operand<V>;
  static_assert(std::is_same_v<Rule, inserting_rule> ||
                    std::is_same_v<typename container::table_of<Map>::part::mapped_type, V>,
                "a buffered writer of a hash_multimap inserts: buffered(map, acre::inserting)");
  static_assert(storable<operand_type>,
                "operands of a buffered writer can be sent and hold no pointers or views: use "
                "std::string, not string_view");
  using items = container::batch_items<K, operand_type>;
  using item = typename items::item;
  using table = container::table_of<Map>;
  using part_type = typename table::part;
  static constexpr bool is_keyed_only = std::is_same_v<operand_type, container::no_operand>;

 public:
  buffered(Map& map, Rule rule, const site& where = site::current())
      : state_(std::make_unique<state>(map.guts(), rule, where)) {}
  explicit buffered(Map& map, const site& where = site::current())
    requires std::default_initializable<Rule>
      : buffered(map, Rule{}, where) {}

  buffered(buffered&&) noexcept = default;
  buffered& operator=(buffered&&) = delete;

  /// Flushes.
  /// @throws acre::error as flush(), except during stack unwinding
  ~buffered() noexcept(false) {
    if (state_ == nullptr) return;
    const std::unique_ptr<state> ending = std::move(state_);
    const bool exception_passes = std::uncaught_exceptions() != 0;
    try {
      ending->flush(site::current());
    } catch (...) {
      if (!exception_passes) throw;
    }
  }

  /// Buffers an item; applies or sends a full batch. Cost: l, and 2 M for each batch to another
  /// node.
  void add(const K& key)
    requires is_keyed_only
  {
    get().push(key, {});
  }
  void add(const K& key, std::type_identity_t<V> amount)
    requires std::same_as<Rule, adding_rule>
  {
    get().push(key, amount);
  }
  void insert(const K& key, const V& value)
    requires std::same_as<Rule, inserting_rule>
  {
    get().push(key, value);
  }
  void insert(const K& key)
    requires(std::same_as<Rule, inserting_rule> && std::is_empty_v<V>)
  {
    get().push(key, V{});
  }
  void assign(const K& key, const V& value)
    requires std::same_as<Rule, assigning_rule>
  {
    get().push(key, value);
  }
  void update(const K& key, const operand_type& operand)
    requires(!is_keyed_only && !std::same_as<Rule, adding_rule> &&
             !std::same_as<Rule, inserting_rule> && !std::same_as<Rule, assigning_rule>)
  {
    get().push(key, operand);
  }

  /// Returns when all items are applied at their owners.
  /// @throws acre::error if a part is full or user code threw. Other items are applied; refused
  /// ones are kept for the next flush()
  void flush(const site& where = site::current()) { get().flush(where); }

  /// Flushes all members; grows a map that refused items, or above load `most_load`. Collective.
  /// Cost: B + 2 allreduces, or more.
  /// @throws acre::error on all members if one failed or growing would not help; unapplied items
  /// are kept
  void flush_and_grow(double most_load = 0.75, const site& where = site::current()) {
    get().flush_and_grow(most_load, where);
  }

  /// Number of items refused by the last flush().
  [[nodiscard]] std::uint64_t refused() const { return get().refused(); }

  /// Discards the refused items.
  void discard_refused() { get().discard_refused(); }

 private:
  class state;

  [[nodiscard]] state& get() const {
    return global::require_object(state_.get(), "buffered", "writer", "buffered(map, rule)");
  }

  std::unique_ptr<state> state_;
};

template <class Map, class Rule>
class buffered<Map, Rule>::state final : private container::unfinished_work,
                                         private container::pending_items {
 public:
  state(table& target, Rule rule, const site& where)
      : table_(&target), rule_(rule), made_at_(where) {
    lay_out();
    target.sign_on(*this);
  }
  ~state() {
    if (table_ != nullptr) table_->sign_off(*this);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  void push(const K& key, const operand_type& operand) {
    const std::uint64_t hash = container::good_hash<typename Map::hasher>(key);
    if (bins_.try_add(bins_.bin_of(hash), key, operand)) [[likely]]
      return;
    push_to_full(hash, key, operand);
  }

  void flush(const site& where) {
    deliver_all(where);
    report_failure();
    if (refused() != 0) throw_refused();
  }

  void flush_and_grow(double most_load, const site& where) {
    const runtime::failures_held until_all_is_done;
    table& map = get_table();
    for (bool was_sparse = false;;) {
      const bool full = flush_together(where);
      const bool grown = map.grow_if_needed(most_load, where);
      if (full && !grown) {
        // Ranks may have erased keys meanwhile, so only a repeated refusal is permanent.
        const bool sparse = map.is_sparse(where);
        if (sparse && was_sparse) container::throw_crowded(map.capacity());
        if (!sparse) map.grow(where);
        was_sparse = sparse;
      }
      follow_capacity();
      if (!full) return;
    }
  }

  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.size(); }
  void discard_refused() noexcept {
    refused_.clear();
    thrown_ = false;
  }

 private:
  static constexpr std::size_t most_in_flight = 32;

  void lay_out() {
    const table& map = get_table();
    bins_.lay_out(map.parts(), map.part_capacity() * sizeof(typename part_type::bucket_type));
    capacity_ = map.part_capacity();
  }

  /// Adapts bins to the capacity, unless RPCs have filled the old ones.
  void follow_capacity() {
    if (table_ == nullptr || table_->part_capacity() == capacity_) return;
    if (bins_.items_in_all() == 0) lay_out();
  }

  /// Delivers the item's bin, which is full, and adds the item.
  [[gnu::noinline]] void push_to_full(std::uint64_t hash, const K& key,
                                      const operand_type& operand) {
    do {
      deliver(bins_.bin_of(hash));
    } while (!bins_.try_add(bins_.bin_of(hash), key, operand));
  }

  void deliver_all(const site& where) {
    retry_refused();
    for (std::uint64_t bin = 0; bin < bins_.size(); ++bin) {
      if (bins_.items_in(bin) != 0) deliver(bin);
    }
    await_answers(0, where);
    follow_capacity();
  }

  bool flush_together(const site& where) {
    std::exception_ptr failure;
    try {
      deliver_all(where);
      report_failure();
      if (thrown_ && refused() != 0) throw_refused();
    } catch (...) {
      failure = std::current_exception();
    }
    enum : int { applied, some_refused, failed };
    const int mine = failure ? failed : refused() != 0 ? some_refused : applied;
    const int worst = get_table().members().allreduce(mine, op::max, where);
    if (failure) std::rethrow_exception(failure);
    if (worst == failed) container::throw_refused_elsewhere();
    return worst == some_refused;
  }

  void retry_refused() {
    thrown_ = false;
    refused_.retry([this](const item& each) { push(each.key, each.operand); });
  }

  /// If delivery throws, the bin keeps its items.
  void deliver(std::uint64_t bin) {
    if (!get_table().direct_part(bins_.member_of(bin))) {
      await_answers(most_in_flight - 1, site::current());
      // User code may have changed the bins meanwhile.
      if (bin >= bins_.size() || bins_.items_in(bin) == 0) return;
    }
    const rank_t member = bins_.member_of(bin);
    if (const auto part = get_table().direct_part(member)) {
      get_table().note(part, kind, "buffered");
      deliver_directly(bin, member, part);
    } else {
      send(bin, member);
    }
    bins_.clear(bin);
  }

  void deliver_directly(std::uint64_t bin, rank_t member, const part_type& part) {
    items all(bins_.bytes_of(bin));
    const auto there = container::rule_of_word<Rule>(container::word_of_rule(rule_, member));
    apply_here(all, there, part);
  }
  void apply_here(items& all, const auto& rule, const part_type& part) noexcept {
    auto view = part.view();
    const auto result = container::apply_batch(
        view, rule, all, [this](std::span<const std::byte> refused) { refused_.add(refused); });
    if (result.added != 0) part.head().add(result.added);
    runtime::count(view.costs());
    if (result.thrown) thrown_ = true;
  }

  void send(std::uint64_t bin, rank_t member) {
    const auto of_table = get_table().request_words({.owner = member, .fraction = 0}, kind);
    std::array<fabric::word, of_table.size() + 1> words;
    for (std::size_t i = 0; i < of_table.size(); ++i) words[i] = of_table[i];
    words.back() = container::word_of_rule(rule_, member);
    const std::span<const std::byte> bytes = bins_.bytes_of(bin);
    batch sent(bytes.begin(), bytes.end());
    const auto what = at_owner::request_for<batch_service>(get_table().world_rank(member), words,
                                                           sent, "buffered::flush");
    under_way_.add(what, std::move(sent));
  }

  using batch = std::vector<std::byte>;
  static constexpr fabric::word has_thrown = 1;
  static constexpr container_operation kind = std::same_as<Rule, inserting_rule>
                                                  ? container_operation::insert
                                                  : container_operation::update;

  /// At the owner: applies a batch, replies with refused items.
  struct batch_service {
    static constexpr at_owner::run_by runner =
        Rule::runs_user_code ? at_owner::run_by::owner : at_owner::run_by::anyone;

    static void serve(const at_owner::asked& request, at_owner::answer& reply) {
      const auto part = part_type::requested(request.words, "buffered");
      auto view = part.view();
      static_cast<void>(items::count(request.payload));  // valid, before any change
      items all(request.payload);
      const std::span<std::byte> room = reply.room(request.payload.size());
      std::size_t used = 0;
      const auto result =
          container::apply_batch(view, container::rule_of_word<Rule>(request.words.back()), all,
                                 [&](std::span<const std::byte> refused) {
                                   std::memcpy(room.data() + used, refused.data(), refused.size());
                                   used += refused.size();
                                 });
      reply.keep_first(used);
      if (result.added != 0) part.head().add(result.added);
      if (result.thrown) reply.code = has_thrown;
    }
  };

  void take_answer(const batch& sent, at_owner::request_record& record, rank_t owner) {
    if (record.failed) {
      failure_.assign(reinterpret_cast<const char*>(record.bytes.data()), record.bytes.size());
      if (failure_.empty()) failure_ = "the reason is unknown";
      return refused_.add(sent);
    }
    const at_owner::answered refused = at_owner::take_answer(record, owner, "buffered::flush");
    refused_.add(refused.bytes);
    if (refused.code == has_thrown) thrown_ = true;
  }

  [[noreturn]] void throw_refused() {
    container::throw_refused(refused(), std::exchange(thrown_, false), get_table().grows(),
                             get_table().capacity());
  }
  void report_failure() {
    if (!failure_.empty()) container::throw_batch_lost(std::exchange(failure_, {}));
  }

  void await_answers(std::size_t at_most, const site& where) {
    under_way_.await(
        at_most, at_owner::meanwhile(batch_service::runner),
        [this](const batch& sent, at_owner::request_record& record, rank_t owner) {
          take_answer(sent, record, owner);
        },
        "buffered::flush", where);
  }
  void finish_sent(const site& where) override { await_answers(0, where); }
  void throw_if_pending() const override {
    const std::uint64_t items = refused() + bins_.items_in_all();
    if (items != 0) container::throw_pending("writer", items, made_at_);
  }

  void table_ends() noexcept override {
    try {
      finish_sent(site::current());
    } catch (...) {
      // Empty: a peer has failed, which ends the job.
    }
    table_ = nullptr;
  }
  [[nodiscard]] table& get_table() const {
    return global::require_object(table_, "buffered", "map", "hash_map{team, capacity}");
  }

  table* table_;
  [[no_unique_address]] Rule rule_;
  site made_at_;
  container::batch_bins<K, operand_type> bins_;
  std::uint64_t capacity_ = 0;

  at_owner::requests_under_way<batch> under_way_;
  bool thrown_ = false;
  container::refused_items<items> refused_;
  std::string failure_;
};

template <class Map, class Rule>
buffered(Map&, Rule) -> buffered<Map, Rule>;

}  // namespace acre
