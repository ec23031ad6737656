// SPDX-License-Identifier: BSD-3-Clause
// A hash table: its parts, and what all members do with them together.
//
// A table does not move while it lives: writers refer to it.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/hash/detail/hash_parts.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/wait.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::container {

/// @param why  no_room or no_memory
[[noreturn]] void throw_table_full(const char* call, outcome why, growth grows,
                                   std::uint64_t capacity, rank_t owner, rank_t members);
[[noreturn]] void throw_too_small(std::uint64_t capacity, const std::string& advice);
[[noreturn]] void throw_too_large(std::uint64_t capacity);
[[noreturn]] void throw_crowded(std::uint64_t capacity);
/// What the members bring when a table may grow: the entries of the fullest part, whether some
/// part has more than one block, and the loads that they were asked for, which should be one.
struct load_request {
  std::uint64_t entries;
  bool in_blocks;
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
[[noreturn]] void throw_many_refused(const char* call, std::uint64_t items, growth grows,
                                     std::uint64_t capacity);
[[noreturn]] void throw_failed_elsewhere(const char* call);

/// How full a part is let become before it grows.
inline constexpr double usual_load = 0.75;
/// The capacity for so many entries, spread as by good hashes.
[[nodiscard]] std::uint64_t capacity_for(std::uint64_t entries) noexcept;

/// Something that this rank has under way, which must end before the buckets go.
class unfinished_work {
 public:
  virtual void finish_sent(const site& where) = 0;
  virtual void table_ends() noexcept = 0;

 protected:
  ~unfinished_work() = default;
};

template <class K, class V, class Hash, class Equal>
class hash_table : public hash_parts<K, V, Hash, Equal> {
  using parts_type = hash_parts<K, V, Hash, Equal>;
  using parts_type::in_flight_;
  using parts_type::memory;
  using parts_type::part_capacity_;
  using parts_type::parts_;

 public:
  using parts_type::local_part;
  using parts_type::local_size;
  using parts_type::members;
  using typename parts_type::part;

  hash_table(const team& of, std::uint64_t capacity, growth grows, const char* call,
             const site& where)
      : parts_type(of, first_buckets(of, capacity, grows, call, where),
                   capacity_of_part(capacity, of.size()), where),
        grows_(grows) {}
  ~hash_table() {
    for (unfinished_work* each : work_) each->table_ends();
    try {
      await_promised(site::current());
    } catch (...) {
      // A peer is lost: the job ends, and says so itself.
    }
    if (this->release()) release_entries();
  }

  [[nodiscard]] growth grows() const noexcept { return grows_; }

  [[nodiscard]] std::uint64_t size(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::size", memory().identity(), where);
    sync(where);
    return members().allreduce(local_size(), op::sum, where);
  }

  void sync(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::sync", memory().identity(), where);
    // Others may have work under way in this rank's part until they are here too.
    finish_sent(where);
    members().barrier(where);
    if (grows_ == growth::automatic) grow_if_needed(usual_load, where);
  }

  /// Moves all entries to buckets of another number. Each rank moves its own.
  void resize(std::uint64_t capacity, const site& where) {
    const std::string advice = move_to(capacity, where);
    if (!advice.empty()) throw_too_small(capacity, advice);
  }

  /// Room for so many entries, if their hashes are good.
  void reserve(std::uint64_t entries, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::reserve", memory().identity(), where);
    // A part of several blocks asks for more than there is, so that it becomes one.
    const std::uint64_t least = larger(entries, is_in_blocks() ? this->capacity() : 0);
    const std::uint64_t wanted = capacity_for(members().allreduce(least, op::max, where));
    if (wanted > this->capacity()) rehash(wanted, where);
  }

  /// To so many buckets, or as many more as the entries need.
  void rehash(std::uint64_t capacity, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::rehash", memory().identity(), where);
    finish_sent(where);
    const std::uint64_t needed = capacity_for(fullest_part(where));
    const std::uint64_t per_part = larger(capacity_of_part(capacity), needed);
    if (per_part > ~std::uint64_t{0} / parts_) throw_too_large(capacity);
    resize(per_part * parts_, where);
  }

  /// @throws acre::error on all members unless they name the same load, above 0
  bool grow_if_needed(double most_load, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::grow_if_needed", memory().identity(), where);
    members().barrier(where);
    const load_request all = members().allreduce(load_request{.entries = local_size(),
                                                              .in_blocks = is_in_blocks(),
                                                              .least = most_load,
                                                              .most = most_load},
                                                 merge_requests, where);
    check_load(all);
    const double load = all.in_blocks && most_load > usual_load ? usual_load : most_load;
    std::uint64_t wanted = part_capacity_;
    while (is_fuller(all.entries, wanted, load)) wanted = twice(wanted);
    if (all.in_blocks) return move_to_one_block(wanted, all.entries, where);
    if (wanted == part_capacity_) return false;
    resize(wanted * parts_, where);
    return true;
  }

  void grow(const site& where) { resize(twice(part_capacity_) * parts_, where); }

  /// Whether all parts are so empty that no key with a good hash is refused.
  [[nodiscard]] bool is_sparse(const site& where) const {
    const runtime::failures_held until_all_is_done;
    return !is_fuller(fullest_part(where), part_capacity_, 0.25);
  }

  void clear(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::clear", memory().identity(), where);
    finish_sent(where);
    members().barrier(where);
    release_entries();
    erase_all(memory().mine(), part_capacity_, parts_, grows_);
    members().barrier(where);
  }

  /// Writers sign on, so that the buckets do not change under what they have sent.
  void sign_on(unfinished_work& work) { work_.push_back(&work); }
  void sign_off(unfinished_work& work) noexcept { std::erase(work_, &work); }

 private:
  using bucket_type = typename part::bucket_type;

  [[nodiscard]] static std::uint64_t capacity_of_part(std::uint64_t capacity,
                                                      std::uint64_t parts) noexcept {
    return larger<std::uint64_t>(divide_up(capacity, parts), 1);
  }
  [[nodiscard]] std::uint64_t capacity_of_part(std::uint64_t capacity) const noexcept {
    return capacity_of_part(capacity, parts_);
  }

  /// Of a new table.
  static team_memory first_buckets(const team& of, std::uint64_t capacity, growth grows,
                                   const char* call, const site& where) {
    const runtime::failures_held until_all_is_done;
    team_memory made = allocate(of, capacity, 0, grows, call, where);
    const auto automatic =
        of.allreduce(rank_t{grows == growth::automatic ? 1U : 0U}, op::sum, where);
    if (automatic != 0 && automatic != of.size()) throw_growth_differs(call);
    return made;
  }

  /// Empty buckets for this member, and where those of the others are.
  /// @param before  the identity of the memory that they replace; 0: none
  static team_memory allocate(const team& of, std::uint64_t capacity, std::uint64_t before,
                              growth grows, const char* call, const site& where) {
    const std::uint64_t per_part = capacity_of_part(capacity, of.size());
    // More than any memory is asked for all the same: the others must hear of it.
    constexpr std::uint64_t most = ~std::size_t{0} >> 1;
    const std::uint64_t bytes = per_part > (most - part::head_bytes) / sizeof(bucket_type)
                                    ? most
                                    : part::head_bytes + per_part * sizeof(bucket_type);
    team_memory made(
        of, bytes, alignof(bucket_type), call,
        {.number = capacity, .unit = "buckets", .shape = before, .type = &typeid(bucket_type)},
        where);
    runtime::use_huge_pages(made.mine(), bytes);
    erase_all(made.mine(), per_part, of.size(), grows);
    return made;
  }

  /// Whether this rank's part has more than one block. While others insert that may change.
  [[nodiscard]] bool is_in_blocks() const noexcept {
    return local_part().link().following() != nullptr;
  }

  /// Moves all entries to one block of so many buckets on each rank.
  /// @return nothing; or, when they do not fit on all ranks, and nothing has changed, advice
  [[nodiscard]] std::string move_to(std::uint64_t capacity, const site& where) {
    const runtime::failures_held until_all_is_done;
    finish_sent(where);
    // From here on nobody uses the old buckets but their owner.
    members().barrier(where);
    const std::uint64_t most = members().allreduce(local_size(), op::max, where);
    // This is where capacities that differ are noticed.
    team_memory fresh =
        allocate(members(), capacity, memory().identity(), grows_, "hash_map::resize", where);
    if (most > capacity_of_part(capacity)) {
      return "the fullest part needs a capacity of " + std::to_string(most * parts_);
    }
    enum : int { fits, too_small, failed };
    int outcome_here = failed;
    std::exception_ptr failure;
    try {
      outcome_here = copy_local_to(fresh.mine(), capacity_of_part(capacity)) ? fits : too_small;
    } catch (...) {
      failure = std::current_exception();  // a hash function that throws
    }
    const int worst = members().allreduce(outcome_here, op::max, where);
    if (failure) std::rethrow_exception(failure);
    if (worst == failed) throw_failed_elsewhere("hash_map::resize");
    if (worst == too_small) return "leave a fifth of the buckets free";
    free_added_blocks(local_part().link());
    memory() = std::move(fresh);
    part_capacity_ = capacity_of_part(capacity);
    members().barrier(where);
    return {};
  }

  /// Of a table that has grown between collectives: to one block of at least so many buckets.
  /// With a hash function so bad that they do not fit, the blocks stay.
  /// @return whether the capacity has changed
  bool move_to_one_block(std::uint64_t per_part, std::uint64_t entries, const site& where) {
    const std::uint64_t before = part_capacity_;
    while (!move_to(per_part * parts_, where).empty() && is_fuller(entries, per_part, 0.125)) {
      per_part = twice(per_part);
    }
    return part_capacity_ != before;
  }

  /// Gives back what the entries of this rank's part have elsewhere, and all blocks but the
  /// first.
  void release_entries() noexcept {
    local_part().view().release_all();
    free_added_blocks(local_part().link());
  }

  /// The entries of the fullest part. Collective.
  [[nodiscard]] std::uint64_t fullest_part(const site& where) const {
    members().barrier(where);
    return members().allreduce(local_size(), op::max, where);
  }
  static bool is_fuller(std::uint64_t entries, std::uint64_t capacity, double load) noexcept {
    return static_cast<double>(entries) > load * static_cast<double>(capacity);
  }
  [[nodiscard]] std::uint64_t twice(std::uint64_t part_capacity) const {
    if (part_capacity > ~std::uint64_t{0} / 2 / parts_) {
      throw_too_large(~std::uint64_t{0});
    }
    return 2 * part_capacity;
  }

  /// @return whether the entries fit
  [[nodiscard]] bool copy_local_to(std::byte* block, std::uint64_t capacity) const {
    const part target(block, capacity, parts_);
    auto view = target.view();
    const auto entries = local_part().view().copy_to(view);
    if (entries) target.head().add(static_cast<std::int64_t>(*entries));
    return entries.has_value();
  }
  static void erase_all(std::byte* block, std::uint64_t capacity, std::uint64_t parts,
                        growth grows) noexcept {
    std::memset(block, 0, part::head_bytes + capacity * sizeof(bucket_type));
    block_link& link = part(block, capacity, parts).link();
    link.capacity = capacity;
    link.grows = grows == growth::automatic ? 1 : 0;
  }

  /// What this rank has sent must not come to buckets that are no more.
  void finish_sent(const site& where) {
    for (unfinished_work* each : work_) each->finish_sent(where);
    await_promised(where);
  }
  void await_promised(const site& where) {
    if (in_flight_.load(std::memory_order_acquire) == 0) return;
    runtime::wait_until([this] { return in_flight_.load(std::memory_order_acquire) == 0; },
                        "hash_map: asynchronous operations", runtime::may_run::user_code, where);
  }

  growth grows_;
  std::vector<unfinished_work*> work_;
};

}  // namespace acre::container
