// SPDX-License-Identifier: BSD-3-Clause
// Many concurrent binary searches in a sorted array over all ranks: each is a coroutine.
#include <acre/acre.hpp>

#include <cstdio>
#include <vector>

// Index of the first element that is not less than `wanted`.
acre::task<std::size_t> find_place(const acre::array<long>& sorted, long wanted) {
  std::size_t first = 0;
  std::size_t count = sorted.size();
  while (count > 0) {
    const std::size_t half = count / 2;
    const long middle = co_await acre::get_async(sorted.pointer(first + half));
    if (middle < wanted) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  co_return first;
}

acre::task<std::size_t> count_between(const acre::array<long>& sorted, long from, long to) {
  acre::task<std::size_t> begin = find_place(sorted, from);  // both searches have started
  acre::task<std::size_t> end = find_place(sorted, to);
  const std::size_t past = co_await end;
  co_return past - co_await begin;
}

int main() {
  const acre::job job;
  acre::array<long> squares(acre::world(), 1023);
  for (std::size_t i = 0; i < squares.local().size(); ++i) {
    const long root = static_cast<long>(squares.local_offset() + i);
    squares.local()[i] = root * root;
  }
  acre::barrier();

  if (acre::rank() == 0) {
    const acre::operation_counts before = acre::counters();
    std::vector<acre::task<std::size_t>> asked;
    for (long thousand = 0; thousand < 100; ++thousand) {
      asked.push_back(count_between(squares, 1000 * thousand, 1000 * (thousand + 1)));
    }
    const std::vector<std::size_t> found = acre::when_all(std::move(asked)).get();
    const acre::operation_counts spent = acre::counters() - before;
    std::printf("squares below 1000: %zu, from 1000: %zu, from 99000: %zu\n", found[0], found[1],
                found[99]);
    std::printf("200 searches, %.0f R each\n", static_cast<double>(spent.reads) / 200);
  }
  acre::barrier();
}
