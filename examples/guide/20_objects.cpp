// SPDX-License-Identifier: BSD-3-Clause
// Eight queens that do not attack each other: boards are objects that search, and move to other
// ranks.
#include <acre/objects.hpp>

#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

/// Counts the solutions that boards report, on any rank.
struct tally {
  void add(long more) {
    solutions += more;
    ++reports;
  }
  long solutions = 0;
  int reports = 0;
  friend auto acre_fields(tally& t) { return std::tie(t.solutions, t.reports); }
};

/// A board with queens in its first rows.
class board {
 public:
  board() = default;
  explicit board(std::vector<int> first) : queens_(std::move(first)) {}

  /// Counts the placements of the other queens, and reports them to the tally.
  void search(const acre::object_ref<tally>& to) {
    const long found = place_next();
    acre::invoke_ff(to, &tally::add, found);
  }
  friend auto acre_fields(board& b) { return std::tie(b.queens_); }

 private:
  bool attacks(int column) const {
    const int row = int(queens_.size());
    for (int r = 0; r < row; ++r) {
      const int queen = queens_[std::size_t(r)];
      if (queen == column || std::abs(queen - column) == row - r) return true;
    }
    return false;
  }
  long place_next() {
    if (queens_.size() == 8) return 1;
    long found = 0;
    for (int column = 0; column < 8; ++column) {
      if (attacks(column)) continue;
      queens_.push_back(column);
      found += place_next();
      queens_.pop_back();
    }
    return found;
  }

  std::vector<int> queens_;
};

int main() {
  const acre::job job;
  if (acre::rank() == 0) {
    const auto count = acre::create_here<tally>();
    acre::register_name("/queens/tally", count).get();
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b) {
        if (std::abs(a - b) < 2) continue;
        const auto start = acre::create_here<board>(std::vector<int>{a, b});
        acre::invoke_ff(start, &board::search, count);  // searches here,
        const auto there = acre::rank_t(a) % acre::size();
        static_cast<void>(acre::migrate(start, there));  // then migrates,
        acre::invoke_ff(start, &board::search, count);   // and searches again there
      }  // the board lives until its calls have run
    }
    static_cast<void>(acre::migrate(count, acre::size() - 1));  // while calls arrive
  }
  acre::drain();  // waits for all calls

  const auto count = acre::resolve<tally>("/queens/tally").get();
  const bool has_it = acre::is_here(count);
  if (has_it) {
    const acre::pinned<tally> here(count.id());
    std::printf("the tally is on rank %u: %d reports, %ld solutions, found twice\n", acre::rank(),
                here->reports, here->solutions / 2);
  }
  acre::barrier();
  if (acre::rank() == 0) acre::unregister_name("/queens/tally").get();
}
