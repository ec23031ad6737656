// SPDX-License-Identifier: BSD-3-Clause
// Pointers to shared, allocation, copies, forall by affinity, and locks of one thread.
#include "../../check_on.h"

#include <acre_upc_memory.h>
#include <array>
#include <numeric>
#include <vector>

using namespace acre::upc;

namespace {

#define CHECK(condition) CHECK_ON(mythread(), condition)

std::uint32_t next() { return (mythread() + 1) % threads(); }

template <class T, std::size_t B>
void pointer_arithmetic() {
  const std::size_t size = 7 * 3 * threads() + 5;
  const shared_array<T, B> x(size);
  x.forall([&](std::size_t i) { x[i] = static_cast<T>(3 * i + 1); });
  barrier();
  const auto first = pointer_to(x, 0);
  for (std::size_t i = 0; i < size; i += 1 + i / 8) {
    const auto p = first + static_cast<std::ptrdiff_t>(i);
    CHECK(p.thread() == x.thread_of(i) && p.phase() == x.phase_of(i));
    CHECK(p == pointer_to(x, i) && p.address() == x[i].where().offset);
    CHECK(T(*p) == static_cast<T>(3 * i + 1));
    for (std::size_t k = 0; k < size; k += 11) {
      const auto distance = static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(i);
      CHECK(p + distance == pointer_to(x, k) && (p + distance).phase() == x.phase_of(k));
      CHECK(pointer_to(x, k) - p == distance);
      CHECK(T(p[distance]) == static_cast<T>(3 * k + 1));
    }
  }
  auto p = first;
  CHECK(++p == first + 1 && --p == first && (p += 5) == pointer_to(x, 5) && (p -= 5) == first);
  const auto mine = first + static_cast<std::ptrdiff_t>(B == 0 ? 0 : B * mythread());
  if (B != 0 || mythread() == 0) CHECK(mine.local() == x.local().data());
  CHECK((first + 2).without_phase().phase() == 0);
  CHECK((shared_pointer<T, 5>::of(first + 2) == shared_pointer<T, 5>((first + 2).where())));
  barrier();
}

void null_pointers() {
  shared_pointer<int> p;
  CHECK(!p && p == nullptr && p.local() == nullptr);
  free(p);
  lock_free(lock_pointer());
  p = all_alloc<int>(threads());
  CHECK(p && p == p + 0 && 1 + p > p);
  auto next = p;
  CHECK(next++ == p && next == p + 1 && next-- == p + 1 && next == p);
  p = nullptr;
  CHECK(!p);
  p = next;
  all_free(p);
}

void allocations() {
  const auto all = all_alloc<long, 4>(10 * threads());
  for (std::size_t i = 0; i < 10 * threads(); ++i) {
    CHECK(long(all[static_cast<std::ptrdiff_t>(i)]) == 0);
  }
  barrier();
  forall(0, 10 * threads(), [&](std::size_t i) { all[static_cast<std::ptrdiff_t>(i)] = 7; });
  barrier();
  // Each thread's own array, which others read through a pointer in shared memory.
  const shared_array<shared_pointer<int, 2>> arrays(threads());
  const auto mine = global_alloc<int, 2>(6 * threads());
  arrays[mythread()] = mine;
  for (std::size_t i = 0; i < 6 * threads(); ++i) {
    mine[static_cast<std::ptrdiff_t>(i)] = static_cast<int>(100 * mythread() + i);
  }
  barrier();
  const shared_pointer<int, 2> others = arrays[next()];
  CHECK(others != mine || threads() == 1);
  for (std::size_t i = 0; i < 6 * threads(); ++i) {
    CHECK(int(others[static_cast<std::ptrdiff_t>(i)]) == static_cast<int>(100 * next() + i));
  }
  barrier();
  free(others);  // by another thread
  const auto local = alloc<double>(9);
  CHECK(local.thread() == mythread() && (local + 8).thread() == mythread());
  local.local()[8] = 2.5;
  CHECK(double(local[8]) == 2.5);
  free(local);
  all_free(all);
}

void freed_memory_is_reused() {
  // The heap holds four of these at a time.
  const std::size_t size = 800'000 * threads();
  for (int i = 0; i < 10; ++i) {
    const auto large = all_alloc<char, 64>(size);
    large[static_cast<std::ptrdiff_t>(size) - 1] = static_cast<char>(i);
    all_free(large);
    barrier();
  }
  std::vector<shared_pointer<char, 0>> several;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 1; i < 20; ++i) {
      several.push_back(alloc<char>(i * 10));
      memset(several.back(), static_cast<int>(i), i * 10);
    }
    for (std::size_t i = 1; i < 20; ++i) {
      for (std::size_t k = 0; k < i * 10; ++k) {
        CHECK(several[i - 1].local()[k] == static_cast<char>(i));
      }
    }
    for (std::size_t i = 0; i < several.size(); ++i) free(several[i * 7 % several.size()]);
    several.clear();
  }
  barrier();
}

void copies() {
  constexpr std::size_t block = 40'000;
  const auto x = all_alloc<int, block>(block * threads());
  const auto y = all_alloc<int, block>(block * threads());
  const auto at = [](std::uint32_t thread) { return static_cast<std::ptrdiff_t>(block * thread); };
  std::vector<int> values(block);
  std::iota(values.begin(), values.end(), static_cast<int>(mythread()));
  memput(x + at(next()), values.data(), block);
  barrier();
  // From the next thread's block to the one after it.
  memcpy(y + at((mythread() + 2) % threads()), x + at(next()), block);
  barrier();
  std::vector<int> back(block);
  memget(back.data(), y + at((mythread() + 2) % threads()), block);
  CHECK(back == values);
  barrier();
  memset(x + at(next()), 0xff, block);
  barrier();
  for (std::size_t i = 0; i < block; ++i) CHECK((x + at(mythread())).local()[i] == -1);
  all_free(x);
  all_free(y);
}

void forall_by_affinity() {
  const shared_array<int, 3> x(50);
  const shared_array<int, 3> count(50);
  forall(3, 47, [&](std::size_t i) {
    CHECK(i % threads() == mythread());
    count[i] += 1;
  });
  barrier();
  forall(
      0, 50, [&](std::size_t i) { return pointer_to(x, i); },
      [&](std::size_t i) {
        CHECK(x.is_mine(i));
        count[i] += 10;
      });
  barrier();
  std::size_t own = 0;
  forall(0, 4 * threads(), [](std::size_t i) { return i / 4; }, [&](std::size_t) { ++own; });
  CHECK(own == 4);
  for (std::size_t i = 0; i < 50; ++i) CHECK(int(count[i]) == (i >= 3 && i < 47 ? 11 : 10));
  barrier();
}

void strict_flag() {
  const shared_array<int> data(threads());
  const shared_array<int> flag(threads());
  for (int round = 1; round < 30; ++round) {
    data[next()] = round * 5;
    strict(flag[next()]) = round;
    while (int(strict(flag[mythread()])) < round) {
    }
    CHECK(int(data[mythread()]) == round * 5);
    barrier(round);
  }
}

void locks_of_one_thread() {
  const shared_array<lock_pointer> pointers(1);
  const shared_array<long> count(1);
  if (mythread() == 0) pointers[0] = global_lock_alloc();
  barrier();
  const lock_pointer lock = pointers[0];
  for (int turn = 0; turn < 40; ++turn) {
    if (turn % 3 != 0 || !lock.attempt()) lock.acquire();
    count[0] += 1;
    lock.release();
  }
  barrier();
  CHECK(long(count[0]) == 40L * threads());
  lock.acquire();
  lock.release();
  barrier();
  if (mythread() == threads() - 1) lock_free(lock);
  barrier();
}

}  // namespace

int main(int argc, char** argv) {
  program run(argc, argv, std::size_t{4} << 20);
  pointer_arithmetic<int, 0>();
  pointer_arithmetic<long, 1>();
  pointer_arithmetic<short, 3>();
  pointer_arithmetic<double, 7>();
  null_pointers();
  allocations();
  freed_memory_is_reused();
  copies();
  forall_by_affinity();
  strict_flag();
  locks_of_one_thread();
}
