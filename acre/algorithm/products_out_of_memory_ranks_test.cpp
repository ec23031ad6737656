// SPDX-License-Identifier: BSD-3-Clause
// Products while a member lacks memory; not with sanitizers, which define their own allocation
// functions.
#include <acre/base/sanitizers.hpp>

#if !ACRE_ADDRESS_SANITIZER && !ACRE_THREAD_SANITIZER

#include <acre/algorithm/multiply.hpp>
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
/// Number of allocations of this thread until one fails; negative: none fails.
thread_local int until_refused = -1;
}  // namespace

// Not inlined, or GCC warns of a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  const bool is_refused = until_refused >= 0 && until_refused-- == 0;
  void* const memory = is_refused ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace acre::products_test {
namespace {

template <class A, class C>
void expect_all_fail(const A& a, C&& c, int allocations) {
  bool has_failed_here = false;
  bool has_failed = false;
  until_refused = rank() == 0 ? allocations : -1;
  try {
    multiply(a, a, c);
  } catch (const std::bad_alloc&) {
    has_failed_here = true;
  } catch (const error&) {
    has_failed = true;
  }
  until_refused = -1;
  EXPECT_EQ(has_failed_here, rank() == 0) << allocations;
  EXPECT_EQ(has_failed, rank() != 0) << allocations;
}

TEST(Products, FailOnAllMembersWhereOneHasNoMemoryToCount) {
  matrix<double, 2> m(world(), {8, 16}, 1.0);
  const auto a = sub(m, {.first = {0, 0}, .extents = {8, 8}});
  const auto c = sub(m, {.first = {0, 8}, .extents = {8, 8}});
  for (int i = 0; i < 4; ++i) expect_all_fail(a, c, i);
  matrix<double, 2> other(world(), {8, 8});
  expect_all_fail(a, other, 0);
  multiply(a, a, other);
  EXPECT_EQ(other(3, 4), 8);
  barrier();
}
}  // namespace
}  // namespace acre::products_test

#endif
