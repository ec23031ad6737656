// SPDX-License-Identifier: BSD-3-Clause
// Shared arrays, locks, barriers and memory order of acre_upc.h.
#include "../../check_on.h"

#include <acre_upc.h>
#include <numeric>
#include <vector>

using namespace acre::upc;

namespace {

#define CHECK(condition) CHECK_ON(mythread(), condition)

struct point {
  double x, y, z;
  friend bool operator==(const point&, const point&) = default;
};

template <class T>
T value_of(std::size_t i) {
  if constexpr (std::is_same_v<T, point>) {
    const auto number = static_cast<double>(i);
    return {number, number + 0.5, -number};
  } else {
    return static_cast<T>(i * 7 + 1);
  }
}

template <class T, std::size_t B>
void elements(std::size_t size) {
  shared_array<T, B> x(size);
  CHECK(x.size() == size);
  std::size_t mine = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t owner = B == 0 ? 0 : i / (B == 0 ? 1 : B) % threads();
    CHECK(x.thread_of(i) == owner);
    CHECK(x.phase_of(i) == (B == 0 ? 0 : i % (B == 0 ? 1 : B)));
    mine += x.is_mine(i) ? 1 : 0;
  }
  CHECK(x.local().size() == mine);
  for (std::size_t i = mythread(); i < size; i += threads()) x[i] = value_of<T>(i);
  barrier();
  for (std::size_t i = 0; i < size; ++i) CHECK(T(x[i]) == value_of<T>(i));
  std::size_t next = 0;
  x.forall([&](std::size_t i) {
    CHECK(x.is_mine(i));
    CHECK(x.local()[next++] == value_of<T>(i));
  });
  CHECK(next == mine);
  barrier();
}

template <class T>
void all_blocks() {
  for (const std::size_t size : {1UL, 5UL, 64UL, 1000UL}) {
    elements<T, 0>(size);
    elements<T, 1>(size);
    elements<T, 3>(size);
    elements<T, 16>(size);
  }
}

void empty_ones_leave_nothing() {
  const auto next_offset = [] {
    const shared_array<int> x(threads());
    return x[0].where().offset;
  };
  const std::size_t before = next_offset();
  {
    shared_array<int> none(0);
    CHECK(none.size() == 0 && none.local().empty());
    shared_array<int> moved = std::move(none);
    const shared_array<int> other(1);
    moved = shared_array<int>(0);
  }
  CHECK(next_offset() == before);
}

void order_of_one_thread() {
  shared_array<long> x(4 * threads());
  const std::size_t there = (mythread() + 1) % threads();
  for (long i = 0; i < 1000; ++i) {
    x[there] = i;
    CHECK(long(x[there]) == i);
  }
  x[there] = 5;
  strict(x[there]) = 6;
  CHECK(long(strict(x[there])) == 6);
  x[there] += 4;
  CHECK(long(x[there]) == 10);
  barrier();
  x[threads() + mythread()] = x[mythread()];
  barrier();
  CHECK(long(x[threads() + there]) == 10);
}

void bulk() {
  constexpr std::size_t block = 1000;
  shared_array<int, block> x(block * threads());
  std::vector<int> values(block);
  const std::uint32_t next = (mythread() + 1) % threads();
  std::iota(values.begin(), values.end(), static_cast<int>(mythread()) * 10000);
  x.put(block * next, values);
  barrier();
  CHECK(x.local()[0] == static_cast<int>((mythread() + threads() - 1) % threads()) * 10000);
  std::vector<int> back(block);
  x.get(block * next, back);
  CHECK(back == values);
  barrier();
}

void locks() {
  lock several[3];
  shared_array<long> counts(3);
  constexpr int turns = 200;
  for (int i = 0; i < turns; ++i) {
    lock& one = several[i % 3];
    if (i % 5 != 0 || !one.attempt()) one.acquire();
    counts[static_cast<std::size_t>(i % 3)] += 1;
    one.release();
  }
  barrier();
  const long all = long(counts[0]) + long(counts[1]) + long(counts[2]);
  CHECK(all == turns * static_cast<long>(threads()));
  barrier();
}

void split_phase() {
  shared_array<int> x(threads());
  for (int phase = 0; phase < 200; ++phase) {
    x[mythread()] = phase;
    notify(phase);
    wait(phase);
    CHECK(int(x[(mythread() + 1) % threads()]) == phase);
    barrier();
  }
}

}  // namespace

int main(int argc, char** argv) {
  program run(argc, argv, std::size_t{4} << 20);
  all_blocks<char>();
  all_blocks<int>();
  all_blocks<double>();
  all_blocks<point>();
  empty_ones_leave_nothing();
  order_of_one_thread();
  bulk();
  locks();
  split_phase();
  // Freed memory is reused: the heap cannot hold all of these.
  for (int i = 0; i < 50; ++i) {
    shared_array<long, 64> large(std::size_t{100'000} * threads());
    large[large.size() - 1] = i;
  }
}
