// SPDX-License-Identifier: BSD-3-Clause
// Hash map at a fixed address, as writers refer to it.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/container/hash/detail/hash_parts.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/container/hash/hash_statistics.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
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

[[noreturn]] void throw_table_full(const char* call, outcome why, growth grows,
                                   std::uint64_t capacity, rank_t owner, rank_t members);
[[noreturn]] void throw_too_small(std::uint64_t capacity, const std::string& advice);
[[noreturn]] void throw_too_large(std::uint64_t capacity);
[[noreturn]] void throw_crowded(std::uint64_t capacity);
/// Reduced over members: maximum of entries, any part in several blocks, bounds of requested loads.
struct load_options {
  std::uint64_t entries;
  bool in_blocks;
  double least;
  double most;
};
/// NaN counts as least, so that it survives the reduction.
[[nodiscard]] load_options merge_options(const load_options& a, const load_options& b) noexcept;
/// @throws acre::error unless all loads agree and exceed 0
void check_load(const load_options& all);
[[noreturn]] void throw_growth_differs(const char* call);
[[noreturn]] void throw_many_refused(const char* call, std::uint64_t items, growth grows,
                                     std::uint64_t capacity);
[[noreturn]] void throw_failed_elsewhere(const char* call);

/// Default load of the fullest part above which a container grows.
inline constexpr double usual_load = 0.75;
[[nodiscard]] std::uint64_t capacity_for(std::uint64_t entries) noexcept;

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
  using parts_type::grows_;
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
                   capacity_of_part(capacity, of.size()), grows, where) {}
  ~hash_table() {
    for (unfinished_work* each : work_) each->table_ends();
    try {
      await_promised(site::current());
    } catch (...) {
      // A peer has failed, which ends the job.
    }
    if (this->release()) release_entries();
  }

  [[nodiscard]] std::uint64_t size(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::size", memory().identity(), where);
    sync(where);
    return members().allreduce(local_size(), op::sum, where);
  }

  void sync(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::sync", memory().identity(), where);
    // Others may work on this part until the barrier.
    finish_sent(where);
    members().barrier(where);
    if (grows_ == growth::automatic) grow_if_needed(usual_load, where);
  }

  void resize(std::uint64_t capacity, const site& where) {
    const std::string advice = move_to(capacity, where);
    if (!advice.empty()) throw_too_small(capacity, advice);
  }

  void reserve(std::uint64_t entries, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::reserve", memory().identity(), where);
    const std::uint64_t least = larger(entries, is_in_blocks() ? this->capacity() : 0);
    const std::uint64_t wanted = capacity_for(members().allreduce(least, op::max, where));
    if (wanted > this->capacity()) rehash(wanted, where);
  }

  void rehash(std::uint64_t capacity, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::rehash", memory().identity(), where);
    finish_sent(where);
    const std::uint64_t needed = capacity_for(fullest_part(where));
    const std::uint64_t per_part = larger(capacity_of_part(capacity), needed);
    if (per_part > ~std::uint64_t{0} / parts_) throw_too_large(capacity);
    resize(per_part * parts_, where);
  }

  bool grow_if_needed(double most_load, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), "hash_map::grow_if_needed", memory().identity(), where);
    members().barrier(where);
    const load_options all = members().allreduce(load_options{.entries = local_size(),
                                                              .in_blocks = is_in_blocks(),
                                                              .least = most_load,
                                                              .most = most_load},
                                                 merge_options, where);
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

  /// True if sparse enough that good hashes are never refused.
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

  [[nodiscard]] hash_statistics statistics(const site& where) {
    const runtime::failures_held until_all_is_done;
    sync(where);
    struct share {
      std::uint64_t entries = 0;
      std::uint64_t probes = 0;
      std::uint64_t most = 0;
    };
    share mine;
    global::succeed_together(members(), "hash_map::statistics", where, [&] {
      local_part().view().for_each_reach([&](std::uint64_t reach) {
        ++mine.entries;
        mine.probes += reach;
        mine.most = larger(mine.most, reach);
      });
    });
    hash_statistics all{.capacity = this->capacity()};
    std::uint64_t probes = 0;
    for (const share& each : members().allgather(mine, where)) {
      all.entries += each.entries;
      all.entries_of_member.push_back(each.entries);
      all.most_probes = larger(all.most_probes, each.most);
      probes += each.probes;
    }
    if (all.entries != 0) {
      all.mean_probes = static_cast<double>(probes) / static_cast<double>(all.entries);
    }
    return all;
  }

  /// Calls add(part, key, hash, value) for each own entry of `other`.
  template <class Add>
  void merge(hash_table& other, const char* call, const site& where, Add&& add) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), call, mix_bits(this->identity() + other.identity()),
                                where);
    global::check_same_team(call, "the container", members(), "the other", other.members(), where);
    other.sync(where);
    sync(where);
    const std::uint64_t entries =
        members().allreduce(local_size() + other.local_size(), op::max, where);
    if (is_fuller(entries, part_capacity_, usual_load)) {
      const std::uint64_t per_part = capacity_for(entries);
      if (per_part > ~std::uint64_t{0} / parts_) throw_too_large(per_part);
      resize(per_part * parts_, where);
    }
    global::succeed_together(members(), call, where, [&] {
      auto view = local_part().view();
      other.local_part().view().for_each([&](const K& key, const V& value) {
        const outcome what = add(view, key, view.hash_of(key), value);
        local_part().count(what);
        if (is_refused(what)) {
          throw_table_full(call, what, grows_, this->capacity(), members().rank(),
                           members().size());
        }
      });
    });
  }

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

  static team_memory first_buckets(const team& of, std::uint64_t capacity, growth grows,
                                   const char* call, const site& where) {
    const runtime::failures_held until_all_is_done;
    team_memory made = allocate(of, capacity, 0, grows, call, where);
    const auto automatic =
        of.allreduce(rank_t{grows == growth::automatic ? 1U : 0U}, op::sum, where);
    if (automatic != 0 && automatic != of.size()) throw_growth_differs(call);
    return made;
  }

  /// @param before  identity of the replaced memory, or 0
  static team_memory allocate(const team& of, std::uint64_t capacity, std::uint64_t before,
                              growth grows, const char* call, const site& where) {
    const std::uint64_t per_part = capacity_of_part(capacity, of.size());
    // Requests impossible sizes too, so that all members fail.
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

  [[nodiscard]] bool is_in_blocks() const noexcept {
    return local_part().link().following() != nullptr;
  }

  /// Moves all entries to one block per rank.
  /// @return empty, or advice if they do not fit (table unchanged)
  [[nodiscard]] std::string move_to(std::uint64_t capacity, const site& where) {
    const runtime::failures_held until_all_is_done;
    finish_sent(where);
    // From here on only their owner uses the old buckets.
    members().barrier(where);
    const std::uint64_t most = members().allreduce(local_size(), op::max, where);
    team_memory fresh =
        allocate(members(), capacity, memory().identity(), grows_, "hash_map::resize", where);
    if (most > capacity_of_part(capacity)) {
      return "the fullest part requires a capacity of " + std::to_string(most * parts_);
    }
    enum : int { fits, too_small, failed };
    int outcome_here = failed;
    std::exception_ptr failure;
    try {
      outcome_here = copy_local_to(fresh.mine(), capacity_of_part(capacity)) ? fits : too_small;
    } catch (...) {
      failure = std::current_exception();
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

  /// Merges blocks into one of at least `per_part` buckets, unless hashes are too bad.
  /// @return true if the capacity has changed
  bool move_to_one_block(std::uint64_t per_part, std::uint64_t entries, const site& where) {
    const std::uint64_t before = part_capacity_;
    while (!move_to(per_part * parts_, where).empty() && is_fuller(entries, per_part, 0.125)) {
      per_part = twice(per_part);
    }
    return part_capacity_ != before;
  }

  void release_entries() noexcept {
    local_part().view().release_all();
    free_added_blocks(local_part().link());
  }

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

  void finish_sent(const site& where) {
    for (unfinished_work* each : work_) each->finish_sent(where);
    await_promised(where);
  }
  void await_promised(const site& where) {
    if (in_flight_.load(std::memory_order_acquire) == 0) return;
    runtime::wait_until([this] { return in_flight_.load(std::memory_order_acquire) == 0; },
                        "hash_map: asynchronous operations", runtime::may_run::user_code, where);
  }

  std::vector<unfinished_work*> work_;
};

}  // namespace acre::container
