// SPDX-License-Identifier: BSD-3-Clause
// Unions of one rank, collected and performed in batches.
#pragma once

#include <acre/container/phase_record.hpp>
#include <acre/container/sets/detail/forest_parts.hpp>
#include <acre/container/sets/detail/known_unions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace acre::container {

/// For one thread.
template <class Guarantee>
class union_batch {
 public:
  union_batch(const forest_parts& all, const named_call& call) : all_(&all), call_(call) {}

  void add(std::uint64_t a, std::uint64_t b) {
    some_[count_++] = {a, b};
    if (count_ == some_.size()) perform();
  }

  /// Performs the rest.
  /// @return number of links since the last call
  std::uint64_t finish() {
    perform();
    united_ += all_->send(known_, entry(), call_);
    // clear() of the sets may make known unions wrong.
    known_.clear();
    return std::exchange(united_, 0);
  }
  [[nodiscard]] std::uint64_t pending() const noexcept { return count_ + known_.unsent(); }

 private:
  [[nodiscard]] phase_entry entry() const noexcept {
    return entry_if_checked(all_->members(), container_operation::update, Guarantee{});
  }
  void perform() {
    const auto some = std::span(some_).first(std::exchange(count_, 0));
    united_ += all_->unite(some, known_, entry(), call_);
  }

  const forest_parts* all_;
  named_call call_;
  known_unions known_;
  std::array<element_pair, forest_parts::most_pairs> some_;
  std::size_t count_ = 0;
  std::uint64_t united_ = 0;
};

}  // namespace acre::container
