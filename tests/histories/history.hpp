// SPDX-License-Identifier: BSD-3-Clause
// What ranks did to a container, and when: the raw material of the checker.
//
// All ranks of a test run on one host, whose monotonic clock they share: an
// operation that ended before another began, on whatever rank, came before it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histories {

enum class action : std::uint8_t {
  // of maps, sets, filters and words
  find,
  contains,
  insert,
  assign,
  add,
  store,
  exchange,
  compare_exchange,
  erase,
  // of queues
  push,
  pop
};

/// What came of an operation, as far as it said so.
enum class answer : std::uint8_t { no, yes, unknown };

/// One operation of one rank. Trivially copyable: histories travel.
struct event {
  action what;
  answer result = answer::unknown;  ///< found, added, there, room …
  bool has_value = false;           ///< whether it brought a value back
  std::uint32_t rank = 0;
  std::uint64_t key = 0;
  std::uint64_t argument = 0;
  std::uint64_t expected = 0;  ///< of compare_exchange
  std::uint64_t value = 0;     ///< that it brought back
  std::int64_t begin = 0;      ///< nanoseconds
  std::int64_t end = 0;
  std::int64_t due = 0;  ///< for the checker: who is due first is tried first
};

[[nodiscard]] inline std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

[[nodiscard]] inline std::string to_string(const event& each) {
  static constexpr const char* names[] = {"find",  "contains", "insert",   "assign",
                                          "add",   "store",    "exchange", "compare_exchange",
                                          "erase", "push",     "pop"};
  static constexpr const char* answers[] = {"no", "yes", "?"};
  std::string text = std::to_string(each.begin) + " … " + std::to_string(each.end) + "  rank " +
                     std::to_string(each.rank) + "  " + names[static_cast<int>(each.what)] +
                     "  key " + std::to_string(each.key) + "  argument " +
                     std::to_string(each.argument) + "  → " +
                     answers[static_cast<int>(each.result)];
  if (each.has_value) text += ", " + std::to_string(each.value);
  return text;
}

/// Takes down what a rank does.
class recorder {
 public:
  explicit recorder(std::uint32_t rank) : rank_(rank) {}

  /// Calls `operation(event&)`, which notes its outcome, and keeps the event.
  template <class Operation>
  void record(event planned, Operation&& operation) {
    planned.rank = rank_;
    planned.begin = now();
    operation(planned);
    planned.end = now();
    events_.push_back(planned);
  }

  /// For operations that take effect later: keeps the event, open at its end.
  std::size_t open(event planned) {
    planned.rank = rank_;
    planned.begin = now();
    events_.push_back(planned);
    return events_.size() - 1;
  }
  void close(std::size_t which) { events_[which].end = now(); }

  /// The latest, for those who know its times better.
  [[nodiscard]] event& last() noexcept { return events_.back(); }

  [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

 private:
  std::uint32_t rank_;
  std::vector<event> events_;
};

}  // namespace histories
