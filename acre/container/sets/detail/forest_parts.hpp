// SPDX-License-Identifier: BSD-3-Clause
// The forest's words in equal parts on all members. Where a path leaves the mapped memory, the
// owner of its end continues, as far as its node maps the words, and returns the end of its part.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/sets/detail/forest.hpp>
#include <acre/container/sets/detail/known_unions.hpp>
#include <acre/fabric/message.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre::container {

/// A public call, for errors.
struct named_call {
  const char* name;
  site where;
};

class open_unions;

class forest_parts : public team_object<team_memory> {
 public:
  /// @throws acre::error on all members if requests differ, or one lacks memory
  forest_parts(const team& members, std::uint64_t elements, const std::type_info& type,
               const named_call& call);
  ~forest_parts();

  [[nodiscard]] const forest& near() const noexcept { return *near_; }
  [[nodiscard]] std::uint64_t first() const noexcept {
    return smaller(near_->each() * members().rank(), near_->elements());
  }
  [[nodiscard]] std::uint64_t count() const noexcept {
    return smaller(near_->each(), near_->elements() - first());
  }

  // --- open unions of this rank (union_batch.cpp) ---

  /// Thread-safe.
  void sign_on(open_unions& open) const;
  void sign_off(open_unions& open) const noexcept;
  /// Lets open unions, all performed, continue in `others`.
  void hand_open_to(const forest_parts& others) const;

  /// @throws acre::error if it does not exist
  void check(std::uint64_t element, const char* call) const;
  void note(std::uint64_t element, phase_entry entry, const char* call) const {
    if constexpr (base::has_checks) note_access(element, entry, call);
  }

  // --- one ---

  [[nodiscard]] bool unite(element_pair both, phase_entry entry, const named_call& call) const;
  [[nodiscard]] bool are_together(element_pair both, path along, phase_entry entry,
                                  const named_call& call) const;
  [[nodiscard]] std::uint64_t find(std::uint64_t element, path along, phase_entry entry,
                                   const named_call& call) const;

  // --- many ---

  /// @return for each pair, true if it was in two sets
  [[nodiscard]] std::vector<bool> unite_many(std::span<const element_pair> pairs, phase_entry entry,
                                             const named_call& call) const;
  void find_many(std::span<const std::uint64_t> elements, std::span<std::uint64_t> roots,
                 path along, phase_entry entry, const named_call& call) const;

  /// Performs the noted unions.
  /// @return number of links
  [[nodiscard]] std::uint64_t send(known_unions& known, phase_entry entry,
                                   const named_call& call) const;

  // --- collective ---

  /// Performs the open unions of all members.
  /// @throws acre::error if members pass different objects
  void begin_collective(const named_call& call) const;
  void compress(const named_call& call) const;
  [[nodiscard]] std::uint64_t set_count(const named_call& call) const;
  void clear(const named_call& call) const;

 private:
  enum class request : std::uint8_t { unite, compare, compare_kept, find, find_kept };
  struct head;
  class asked_forest;
  struct one_pair;
  struct many_pairs;
  class root_search;

  void finish_open() const;
  void end_open() noexcept;
  [[nodiscard]] head& head_of(std::byte* part) const noexcept;
  [[nodiscard]] forest make_near() const;
  [[nodiscard]] rank_t owner(std::uint64_t element) const noexcept {
    return static_cast<rank_t>(near_->owner(element));
  }
  [[nodiscard]] std::array<fabric::word, 3> words_for(rank_t member, request what,
                                                      phase_entry entry) const noexcept;
  /// Lets the owner of `both.low` continue.
  [[nodiscard]] meeting continue_there(request what, element_pair& both, phase_entry entry,
                                       const named_call& call) const;
  void note_access(std::uint64_t element, phase_entry entry, const char* call) const;

  std::uint64_t elements_;
  std::uint64_t each_;
  std::shared_ptr<const forest> near_;
  mutable spin_lock open_lock_;
  mutable std::vector<open_unions*> open_;
};

}  // namespace acre::container
