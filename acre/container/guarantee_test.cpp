// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/guarantee.hpp>

#include <gtest/gtest.h>

namespace {

using namespace acre::guarantees;
using acre::container_operation;

template <class Guarantee>
constexpr bool may_find(Guarantee) {
  return acre::guarantee_allowing<Guarantee, container_operation::find>;
}

static_assert(may_find(only<find>));
static_assert(may_find(only<insert, find>));
static_assert(!may_find(only<insert>));
static_assert(!may_find(only<insert, erase>));
static_assert(may_find(local));
static_assert(may_find(acre::no_guarantee{}));

static_assert(acre::container::excludes<decltype(only<find>), insert, erase>);
static_assert(!acre::container::excludes<decltype(only<find, insert>), insert, erase>);
static_assert(!acre::container::excludes<acre::no_guarantee, insert>);

TEST(Guarantee, IsATypeWithoutState) {
  EXPECT_TRUE(std::is_empty_v<decltype(only<find>)>);
  EXPECT_TRUE(std::is_empty_v<decltype(local)>);
}

}  // namespace
