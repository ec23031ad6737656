// SPDX-License-Identifier: BSD-3-Clause
// Distributes keys over the members' equal parts, and runs operations there: directly if the part
// is mapped here, else by gets (bucket_reads.hpp) or a service of its owner.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/detail/counted_operation.hpp>
#include <acre/container/detail/noted_members.hpp>
#include <acre/container/hash/detail/bucket_reads.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_services.hpp>
#include <acre/container/hash/detail/mapped_part.hpp>
#include <acre/container/hash/detail/started_read.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/read_way.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
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
#include <type_traits>
#include <utility>

namespace acre::container {

inline constexpr std::size_t most_entry_bytes = std::size_t{1} << 16;

template <class K, class V, class Hash, class Equal>
class hash_parts : public team_object<team_memory> {
  static_assert(sizeof(K) + sizeof(V) <= most_entry_bytes,
                "a key and a value of hash_map may take at most 64 KiB together: use a vector, or "
                "store a global_ptr to a larger object");

 public:
  using part = mapped_part<K, V, Hash, Equal>;
  using reads = bucket_reads<K, V, Hash, Equal>;

  [[nodiscard]] rank_t world_rank(rank_t member) const { return members().world_rank(member); }
  [[nodiscard]] std::uint64_t parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t part_capacity() const noexcept { return part_capacity_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return part_capacity_ * parts_; }
  [[nodiscard]] growth grows() const noexcept { return grows_; }
  [[nodiscard]] std::uint64_t local_size() const noexcept { return local_part().head().size(); }

  template <class Key>
  [[nodiscard]] global::owned_hash locate(const Key& key) const {
    return global::locate(good_hash<Hash>(key), parts_);
  }

  [[nodiscard]] part direct_part(rank_t member) const noexcept {
    return part_in(memory().direct(member));
  }
  [[nodiscard]] part local_part() const noexcept { return part_in(memory().mine()); }

  /// For a part of another node.
  [[nodiscard]] reads reads_of(rank_t owner, const char* call) const noexcept {
    return {memory().bits_of(owner) + part::head_bytes, part_capacity_, call};
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome perform(Guarantee guarantee, const Key& key,
                  std::optional<result_of<Operation, V>>& value, const char* call,
                  const site& where, const Operands&... operands) const {
    require_no_lock_for<Operation>(call);
    const global::owned_hash at = locate(key);
    if (std::byte* const memory = reach<Guarantee>(at, call)) [[likely]] {
      return run_here<Operation>(guarantee, memory, key, at, value, call, operands...);
    }
    auto result = perform_remotely<Operation>(guarantee, at, K(key), call, where, operands...);
    value = std::move(result.value);
    return result.what;
  }

  /// Waits for another node only if operands exceed a message. The future holds convert(met).
  template <class Operation, class Guarantee, class Key, class Convert, class... Operands>
  auto start(Guarantee guarantee, const Key& key, const char* call, Convert convert,
             const Operands&... operands) const {
    using result_type = result_of<Operation, V>;
    using converted = std::invoke_result_t<Convert, met<result_type>>;
    try {
      require_no_lock_for<Operation>(call);
      const global::owned_hash at = locate(key);
      if (std::byte* const memory = reach<Guarantee>(at, call)) [[likely]] {
        met<result_type> result{outcome::absent};
        result.what =
            run_here<Operation>(guarantee, memory, key, at, result.value, call, operands...);
        return ready_future_of(convert, std::move(result));
      }
      const phase_entry now = entry_if_checked(members(), Operation::kind, guarantee);
      if constexpr (std::is_same_v<Operation, find_operation<V>> &&
                    may_read_buckets<K, V, Guarantee>) {
        using read = started_read<hash_parts, Convert, counted_operation>;
        if (noted_.has(at.owner, now) && reads_by_get(reads::bytes_of_a_read)) {
          return read(*this, at, now, K(key), call, convert, counted_operation(in_flight_)).start();
        }
      }
      return at_owner::ask_with_async<key_service<Operation, part>>(
          world_rank(at.owner), request_words(at, now), call,
          [this, at, now, convert,
           counted = counted_operation(in_flight_)](at_owner::answered&& answer) {
            noted_.add(at.owner, now);
            return convert(met_of<result_type>(answer));
          },
          K(key), operands...);
    } catch (...) {
      return make_failed_future<converted>(std::current_exception());
    }
  }

  template <class R, class Guarantee, class F, class... Operands>
  application<R> apply(Guarantee guarantee, const K& key, F& f, const char* call,
                       const Operands&... operands) const {
    require_small<R, F>();
    runtime::require_may_wait(call);
    const global::owned_hash at = locate(key);
    if (std::byte* const memory = reach<Guarantee>(at, call)) {
      return apply_here<R>(guarantee, memory, key, at, f, call, operands...);
    }
    return applied_there<R>(
        at_owner::ask_with<apply_service<part, R, F, std::remove_cvref_t<Operands>...>>(
            world_rank(at.owner), request_words(at, container_operation::update, guarantee), call,
            {}, key, carried_function(f), operands...));
  }

  template <class R, class Guarantee, class F, class Convert, class... Operands>
  auto start_apply(Guarantee guarantee, const K& key, F& f, const char* call, Convert convert,
                   const Operands&... operands) const {
    using converted = std::invoke_result_t<Convert, application<R>>;
    require_small<R, F>();
    try {
      runtime::require_may_wait(call);
      const global::owned_hash at = locate(key);
      if (std::byte* const memory = reach<Guarantee>(at, call)) {
        application<R> done = apply_here<R>(guarantee, memory, key, at, f, call, operands...);
        return ready_future_of(convert, std::move(done));
      }
      return at_owner::ask_with_async<apply_service<part, R, F, std::remove_cvref_t<Operands>...>>(
          world_rank(at.owner), request_words(at, container_operation::update, guarantee), call,
          [convert, counted = counted_operation(in_flight_)](at_owner::answered&& answer) {
            return convert(applied_there<R>(answer));
          },
          key, carried_function(f), operands...);
    } catch (...) {
      return make_failed_future<converted>(std::current_exception());
    }
  }

  /// Runs `Operation` on each key with operands(i); calls take(i, met) in any order.
  template <class Operation, class Guarantee, class Operands, class Take>
  void perform_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands, Take&& take,
                    const char* call, const site& where) const;

  /// Request: part offset, hash fraction, part capacity, parts, phase entry.
  using request_word_array = std::array<fabric::word, 5>;
  template <class Guarantee = no_guarantee>
  [[nodiscard]] request_word_array request_words(
      const global::owned_hash& at, container_operation operation = container_operation::update,
      Guarantee guarantee = {}) const noexcept {
    return request_words(at, entry_if_checked(members(), operation, guarantee));
  }
  [[nodiscard]] request_word_array request_words(const global::owned_hash& at,
                                                 phase_entry now) const noexcept {
    return {memory().bits_of(at.owner) & offset_mask, at.fraction, part_capacity_, parts_,
            now.bits()};
  }
  template <class Guarantee = no_guarantee>
  void note(const part& used, container_operation operation, const char* call,
            Guarantee guarantee = {}) const {
    note_if_checked(used.head().phase, call, entry_if_checked(members(), operation, guarantee));
  }

 protected:
  hash_parts(const team& members, team_memory first, std::uint64_t part_capacity, growth grows,
             const site& where)
      : team_object(members, std::move(first), "the destructor of the hash_map made", where),
        parts_(members.size()),
        part_capacity_(part_capacity),
        grows_(grows),
        noted_(members.size()) {}
  ~hash_parts() = default;

  template <class Guarantee>
  [[nodiscard]] std::byte* reach(const global::owned_hash& at, const char* call) const {
    if constexpr (is_local<Guarantee>) {
      if (at.owner != members().rank()) throw_not_local(call, at.owner);
      return memory().mine();
    } else {
      return memory().direct(at.owner);
    }
  }

  [[nodiscard]] part part_in(std::byte* memory) const noexcept {
    return part(memory, part_capacity_, parts_);
  }

  std::uint64_t parts_;
  std::uint64_t part_capacity_;
  growth grows_;
  mutable std::atomic<std::uint64_t> in_flight_{0};

 private:
  /// Rejects calls from user functions under a lock: of operations with user code always, of others
  /// with ACRE_CHECKS.
  template <class Operation>
  static void require_no_lock_for(const char* call) {
    if constexpr (base::has_checks || Operation::runner == at_owner::run_by::owner) {
      runtime::require_may_wait(call);
    }
  }

  template <class Convert, class Result>
  static auto ready_future_of(Convert& convert, Result&& result) {
    if constexpr (std::is_void_v<std::invoke_result_t<Convert&, Result>>) {
      convert(std::forward<Result>(result));
      return make_ready_future();
    } else {
      return make_ready_future(convert(std::forward<Result>(result)));
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome run_here(Guarantee guarantee, std::byte* memory, const Key& key,
                   const global::owned_hash& at, std::optional<result_of<Operation, V>>& value,
                   const char* call, const Operands&... operands) const {
    const part there = part_in(memory);
    note(there, Operation::kind, call, guarantee);
    auto view = there.template view<company_of<Guarantee>>();
    const outcome what = there.template run<Operation>(view, key, at.fraction, value, operands...);
    if constexpr (!is_local<Guarantee>) runtime::count(view.costs());
    return what;
  }

  template <class R, class F>
  static consteval void require_small() {
    static_assert(sizeof(result_of_application<R>) <= global::most_on_stack &&
                      sizeof(F) <= global::most_on_stack,
                  "the function of apply() and its result may take at most 64 KiB each: pass large "
                  "values as operands, and read the changed value by find()");
  }

  template <class R, class Guarantee, class F, class... Operands>
  application<R> apply_here(Guarantee guarantee, std::byte* memory, const K& key,
                            const global::owned_hash& at, F& f, const char* call,
                            const Operands&... operands) const {
    const part there = part_in(memory);
    note(there, container_operation::update, call, guarantee);
    auto view = there.template view<company_of<Guarantee>>();
    application<R> done{outcome::absent};
    done.what = apply_to<R, V>(view, key, at.fraction, f, done.result, operands...);
    there.count(done.what);
    if constexpr (!is_local<Guarantee>) runtime::count(view.costs());
    return done;
  }
  template <class R>
  static application<R> applied_there(const at_owner::answered& answer) {
    application<R> done{outcome(answer.code)};
    if constexpr (!std::is_void_v<R>) {
      if (!answer.bytes.empty()) done.result.emplace(deserialize<R>(answer.bytes));
    }
    return done;
  }

  template <class Operation, class Guarantee, class... Operands>
  [[gnu::noinline, gnu::cold]] met<result_of<Operation, V>> perform_remotely(
      Guarantee guarantee, global::owned_hash at, const K& key, const char* call, site where,
      const Operands&... operands) const {
    const phase_entry now = entry_if_checked(members(), Operation::kind, guarantee);
    if constexpr (Operation::kind == container_operation::find &&
                  may_read_buckets<K, V, Guarantee>) {
      if (noted_.has(at.owner, now) && reads_by_get(reads::bytes_of_a_read)) {
        met<V> result{outcome::absent};
        if (read<Operation>(at, key, result, call, where)) return result;
      }
    }
    auto result = met_of<result_of<Operation, V>>(at_owner::ask_with<key_service<Operation, part>>(
        world_rank(at.owner), request_words(at, now), call, where, key, operands...));
    noted_.add(at.owner, now);
    return result;
  }

  /// @return false if the owner must search further blocks
  template <class Operation>
  bool read(const global::owned_hash& at, const K& key, met<V>& result, const char* call,
            const site& where) const {
    const reads buckets = reads_of(at.owner, call);
    result.what =
        buckets.find(Operation::brings_value ? &result.value : nullptr, key, at.fraction, where);
    return result.what == outcome::found || grows_ == growth::manual || !buckets.has_more();
  }

  mutable noted_members noted_;
};

}  // namespace acre::container
