#include <acre/container/promise.hpp>

#include <gtest/gtest.h>

namespace {

using namespace acre::promises;
using acre::container_operation;

template <class Promise>
constexpr bool may_find(Promise) {
  return acre::promise_allowing<Promise, container_operation::find>;
}

static_assert(may_find(only<find>));
static_assert(may_find(only<insert, find>));
static_assert(!may_find(only<insert>));
static_assert(!may_find(only<insert, erase>));
static_assert(may_find(local));
static_assert(may_find(acre::no_promise{}));

static_assert(acre::detail::excludes<decltype(only<find>), insert, erase>);
static_assert(!acre::detail::excludes<decltype(only<find, insert>), insert, erase>);
static_assert(!acre::detail::excludes<acre::no_promise, insert>);

TEST(Promise, IsATypeWithoutState) {
  EXPECT_TRUE(std::is_empty_v<decltype(only<find>)>);
  EXPECT_TRUE(std::is_empty_v<decltype(local)>);
}

}  // namespace
