// SPDX-License-Identifier: BSD-3-Clause
// Heat spreads over a plate. Its patches are objects: they move for balance, and restart from a
// file.
#include <acre/objects.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

class patch {
 public:
  patch() = default;
  patch(std::size_t row, std::size_t column)
      : row_(row), column_(column), heat_(row + column == 0 ? 1'000'000 : 0) {}

  void meet_neighbours(const acre::collection_id<patch, 2>& plate) {
    const auto [rows, columns] = plate.extents();
    if (row_ > 0) neighbours_.push_back(plate[{row_ - 1, column_}]);
    if (row_ + 1 < rows) neighbours_.push_back(plate[{row_ + 1, column_}]);
    if (column_ > 0) neighbours_.push_back(plate[{row_, column_ - 1}]);
    if (column_ + 1 < columns) neighbours_.push_back(plate[{row_, column_ + 1}]);
  }
  void give() {
    const long part = heat_ / 8;
    for (const auto& each : neighbours_) acre::invoke_ff(each, &patch::take, part);
    heat_ -= part * static_cast<long>(neighbours_.size());
  }
  void take(long part) { coming_ += part; }
  void settle() {
    heat_ += coming_;
    coming_ = 0;
  }
  long heat() const { return heat_; }
  double load() const { return heat_ > 0 ? 10 : 1; }

  friend auto acre_fields(patch& p) {  // moved, and stored in the file
    return std::tie(p.row_, p.column_, p.heat_, p.coming_, p.neighbours_);
  }

 private:
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  long heat_ = 0;
  long coming_ = 0;
  std::vector<acre::object_id<patch>> neighbours_;
};
using patches = acre::object_collection<patch, 2>;

/// Called on all ranks.
void run(const patches& plate, int steps) {
  for (int step = 0; step < steps; ++step) {
    acre::invoke_all(plate, &patch::give);  // each member once, on any rank
    acre::drain();                          // waits for the calls that they made
    acre::invoke_all(plate, &patch::settle);
  }
}

void say(const char* where, const patches& plate) {
  const long sum = acre::invoke_reduce(plate, acre::op::sum, &patch::heat);
  const long most = acre::invoke_reduce(plate, acre::op::max, &patch::heat);
  if (acre::rank() == 0) std::printf("%s: %ld in all, %ld at most\n", where, sum, most);
}

int main() {
  const acre::job job;
  const int job_number = acre::world().broadcast(static_cast<int>(::getpid()), 0);
  const std::string path = "plate-" + std::to_string(job_number) + ".acre";
  {
    // Each rank makes its members; the function returns arguments of the constructor.
    const patches plate = acre::make_collection<patch>(
        {8, 6}, [](const auto& at) { return std::tuple(at[0], at[1]); });
    acre::invoke_all(plate, &patch::meet_neighbours, plate.id());
    run(plate, 4);

    const auto done = acre::balance(plate, acre::curve_balancer{}, &patch::load);
    if (acre::rank() == 0) {
      std::printf("%d patches move: the busiest rank has %.2f of the mean, and had %.2f\n",
                  static_cast<int>(done.moves), done.after, done.before);
    }
    acre::checkpoint(plate, path);
    run(plate, 20);
    say("after 24 steps", plate);
  }  // the members end here
  {
    // Another job can do the same, on any number of ranks.
    const auto plate = acre::restore<patches>(path);
    say("in the file", plate);
    run(plate, 20);
    say("and 20 steps later", plate);
  }
  if (acre::rank() == 0) ::unlink(path.c_str());
}
