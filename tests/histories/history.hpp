// SPDX-License-Identifier: BSD-3-Clause
// Recorded operations with comparable times of one host's monotonic clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histories {

enum class action : std::uint8_t {
  // of maps, sets, filters, words
  find,
  contains,
  insert,
  assign,
  add,
  store,
  exchange,
  compare_exchange,
  erase,
  count,
  erase_value,
  // of queues
  push,
  pop,
  // of deques; push and pop are at the back and the front
  push_front,
  pop_back,
  // of disjoint sets
  unite,
  compare,
  representative
};
[[nodiscard]] constexpr bool is_read(action what) noexcept {
  using enum action;
  return what == find || what == contains || what == count || what == compare ||
         what == representative;
}

enum class answer : std::uint8_t { no, yes, unknown };

/// Trivially copyable, for sending.
struct event {
  action what;
  answer result = answer::unknown;  ///< whether it found, inserted, or fitted
  bool has_value = false;
  std::uint32_t rank = 0;
  std::uint64_t key = 0;
  std::uint64_t argument = 0;
  /// of compare_exchange; of a push or a pop of a deque, the number of values; of sets, the other
  /// element
  std::uint64_t expected = 0;
  std::uint64_t value = 0;
  std::int64_t begin = 0;  ///< in nanoseconds
  std::int64_t end = 0;
  std::int64_t due = 0;  ///< the search prefers small values
};

[[nodiscard]] inline std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

[[nodiscard]] inline std::string to_string(const event& each) {
  static constexpr const char* names[] = {
      "find",     "contains",         "insert",   "assign", "add",         "store",
      "exchange", "compare_exchange", "erase",    "count",  "erase_value", "push",
      "pop",      "push_front",       "pop_back", "unite",  "compare",     "representative"};
  static constexpr const char* answers[] = {"no", "yes", "?"};
  std::string text = std::to_string(each.begin) + " … " + std::to_string(each.end) + "  rank " +
                     std::to_string(each.rank) + "  " + names[static_cast<int>(each.what)] +
                     "  key " + std::to_string(each.key) + "  argument " +
                     std::to_string(each.argument) + "  → " +
                     answers[static_cast<int>(each.result)];
  if (each.has_value) text += ", " + std::to_string(each.value);
  return text;
}

class recorder {
 public:
  explicit recorder(std::uint32_t rank) : rank_(rank) {}

  /// `operation(event&)` notes its outcome.
  template <class Operation>
  void record(event planned, Operation&& operation) {
    planned.rank = rank_;
    planned.begin = now();
    operation(planned);
    planned.end = now();
    events_.push_back(planned);
  }

  std::size_t open(event planned) {
    planned.rank = rank_;
    planned.begin = now();
    events_.push_back(planned);
    return events_.size() - 1;
  }
  void close(std::size_t which) { events_[which].end = now(); }

  [[nodiscard]] event& last() noexcept { return events_.back(); }

  [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

 private:
  std::uint32_t rank_;
  std::vector<event> events_;
};

}  // namespace histories
