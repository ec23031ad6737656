// SPDX-License-Identifier: BSD-3-Clause
// Distributes hashes over the members' equal parts, and runs operations there: directly if the part
// is mapped here; else an item's block is read, or the owner performs them.
//
// Owners: global/wire/owned_hash.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/bloom/detail/bloom_part.hpp>
#include <acre/container/detail/noted_members.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/global/wire/owned_hash.hpp>
#include <acre/runtime/counters.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre::container {

class bloom_parts : public team_object<team_memory> {
 public:
  /// @throws acre::error on all members if requests differ or are impossible, or one lacks memory
  bloom_parts(const team& members, std::uint64_t items, double rate, const std::type_info& filter,
              const site& where);

  [[nodiscard]] const bloom_shape& shape() const noexcept { return shape_; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return part_blocks_ * parts_; }

  [[nodiscard]] rank_t owner(std::uint64_t hash) const noexcept {
    return global::locate(hash, parts_).owner;
  }

  /// Valid on all ranks of the member's node.
  [[nodiscard]] std::uint64_t part_bits(rank_t member) const noexcept {
    return memory().bits_of(member);
  }
  [[nodiscard]] std::byte* direct_block(rank_t member) const noexcept {
    return memory().direct(member);
  }
  [[nodiscard]] bloom_part local_part() const noexcept { return bloom_part(memory().mine()); }

  /// @return for an insert, true if new; for a find, true if found
  template <container_operation Operation, class Guarantee>
  bool perform(std::uint64_t hash, Guarantee guarantee, const char* call, const site& where) const {
    const global::owned_hash at = global::locate(hash, parts_);
    const phase_entry entry = entry_if_checked(members(), Operation, guarantee);
    if constexpr (is_local<Guarantee>) {
      check_local(at.owner, call);
      note_if_checked(local_part().record(), call, entry);
      return Operation == container_operation::insert ? local_part().insert_alone(at.fraction)
                                                      : local_part().find(at.fraction);
    } else {
      if (std::byte* block = direct_block(at.owner)) [[likely]] {
        const bloom_part there(block);
        note_if_checked(there.record(), call, entry);
        return perform_directly(Operation, there, at.fraction);
      }
      return perform_remotely(Operation, at, entry, call, where);
    }
  }

  template <container_operation Operation, class Guarantee>
  void perform_many(std::span<const std::uint64_t> hashes, Guarantee guarantee,
                    std::vector<bool>& answers, const char* call, const site& where) const {
    const phase_entry entry = entry_if_checked(members(), Operation, guarantee);
    if constexpr (is_local<Guarantee>) {
      for (const std::uint64_t hash : hashes) check_local(owner(hash), call);
      note_if_checked(local_part().record(), call, entry);
      perform_locally(Operation, hashes, answers);
    } else {
      perform_everywhere(Operation, hashes, entry, answers, call, where);
    }
  }

  void clear(const site& where);
  void merge(const bloom_parts* other, const site& where);
  [[nodiscard]] bloom_part::census count(const site& where) const;

 private:
  struct extent {
    bloom_shape shape{};
    std::uint64_t blocks = 0;

    [[nodiscard]] std::size_t bytes() const { return bloom_part::bytes(shape, blocks); }
  };
  [[nodiscard]] static extent extent_for(const team& members, std::uint64_t items, double rate,
                                         const site& where);
  bloom_parts(const team& members, const extent& part, const std::type_info& filter,
              const site& where);

  static bool perform_directly(container_operation operation, const bloom_part& there,
                               std::uint64_t hash) noexcept {
    runtime::count(runtime::counted::direct_get);
    if (operation == container_operation::find) return there.find(hash);
    const bloom_insertion done = there.insert(hash);
    runtime::count(runtime::counted::direct_atomic, done.atomics);
    return done.is_new;
  }

  void perform_locally(container_operation operation, std::span<const std::uint64_t> hashes,
                       std::vector<bool>& answers) const;
  void perform_everywhere(container_operation operation, std::span<const std::uint64_t> hashes,
                          phase_entry entry, std::vector<bool>& answers, const char* call,
                          const site& where) const;
  [[nodiscard]] bool perform_remotely(container_operation operation, const global::owned_hash& at,
                                      phase_entry entry, const char* call, const site& where) const;
  /// Cost: R. Bits are only set between collectives, so a get reads every bit that was set before
  /// it began.
  [[nodiscard]] bool find_in_copy(const global::owned_hash& at) const;

  void check_local(rank_t owner, const char* call) const {
    if (owner != members().rank()) [[unlikely]] {
      throw_not_local(call, owner);
    }
  }

  std::uint64_t parts_;
  bloom_shape shape_;
  std::uint64_t part_blocks_;
  mutable noted_members noted_;
};

}  // namespace acre::container
