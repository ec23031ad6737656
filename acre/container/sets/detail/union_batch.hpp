// SPDX-License-Identifier: BSD-3-Clause
// Unions of one rank in batches.
#pragma once

#include <acre/container/phase_record.hpp>
#include <acre/container/sets/detail/forest_parts.hpp>
#include <acre/container/sets/detail/known_unions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::container {

/// For one thread. Collective calls of the sets finish it (forest_parts).
class open_unions {
 public:
  open_unions(const forest_parts& all, const named_call& call);
  ~open_unions();
  open_unions(const open_unions&) = delete;
  open_unions& operator=(const open_unions&) = delete;

  /// @throws acre::error for unknown elements, after uniting earlier pairs; if the sets have ended
  void add(std::uint64_t a, std::uint64_t b, phase_entry entry) {
    if (a >= near_->elements() || b >= near_->elements()) [[unlikely]] {
      refuse(a, b, entry);
    }
    all_->note(a, entry, call_.name);
    all_->note(b, entry, call_.name);
    const open_pair pair{near_->word_of(a), near_->word_of(b)};
    if (pair.low == nullptr || pair.high == nullptr) [[unlikely]] {
      return unite_now({a, b}, entry);
    }
    __builtin_prefetch(pair.low);
    __builtin_prefetch(pair.high);
    some_[count_++] = pair;
    if (count_ == some_.size()) perform(entry);
  }
  /// Performs all, also those of other nodes.
  /// @return number of links since the last call
  std::uint64_t finish(phase_entry entry);

  [[nodiscard]] std::size_t pending() const noexcept { return count_ + known_.unsent(); }
  /// @throws acre::error if the sets have ended
  void require_sets() const;
  [[nodiscard]] phase_entry entry(auto guarantee) const noexcept {
    if (all_ == nullptr) return phase_entry(0);
    return entry_if_checked(all_->members(), container_operation::update, guarantee);
  }

 private:
  struct open_pair {
    std::byte* low;
    std::byte* high;
  };

  friend class forest_parts;
  void continue_in(const forest_parts& all) noexcept;
  void end() noexcept;
  void perform(phase_entry entry);
  void unite_now(element_pair both, phase_entry entry);
  void note(meeting outcome, const element_pair& both);
  void send_if_many(phase_entry entry);
  void refuse(std::uint64_t a, std::uint64_t b, phase_entry entry);
  template <class Words>
  void perform_in(Words words);

  const forest_parts* all_;
  const forest* near_;
  named_call call_;
  known_unions known_;
  std::array<open_pair, 256> some_;
  std::size_t count_ = 0;
  std::uint64_t united_ = 0;
};

/// Adds the sets of smaller parts. Collective.
void add_sets(const forest_parts& larger, const forest_parts& smaller, const named_call& call);

template <class Guarantee>
class union_batch {
 public:
  union_batch(const forest_parts& all, const named_call& call) : open_(all, call) {}

  void add(std::uint64_t a, std::uint64_t b) { open_.add(a, b, entry()); }
  std::uint64_t finish() { return open_.finish(entry()); }
  [[nodiscard]] std::size_t pending() const noexcept { return open_.pending(); }
  void require_sets() const { open_.require_sets(); }

 private:
  [[nodiscard]] phase_entry entry() const noexcept { return open_.entry(Guarantee{}); }

  open_unions open_;
};

}  // namespace acre::container
