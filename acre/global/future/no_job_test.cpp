// SPDX-License-Identifier: BSD-3-Clause
// Calls that need a job throw an error before it.
#include <acre/acre.hpp>
#include <acre/base/failure_of_test.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using acre::base_test::failure_of;

void expect_no_job(const std::string& text) {
  EXPECT_NE(text.find("Acre is not initialised"), std::string::npos) << text;
  EXPECT_NE(text.find("acre::job job;"), std::string::npos) << text;
}

TEST(NoJob, IsWhatRpcSays) {
  expect_no_job(failure_of([] { acre::rpc(0, [] { return 1; }).get(); }));
  expect_no_job(failure_of([] { acre::rpc_ff(0, [] {}); }));
}

TEST(NoJob, IsWhatAllocationsSay) {
  expect_no_job(failure_of([] { static_cast<void>(acre::allocate<int>()); }));
  expect_no_job(failure_of([] { static_cast<void>(acre::allocate_symmetric<int>()); }));
}

#if ACRE_CHECKS
TEST(NoJob, IsWhatPutsAndGetsSay) {
  const acre::global_ptr<int> somewhere(0, 64);
  expect_no_job(failure_of([&] { acre::put(somewhere, 1); }));
  expect_no_job(failure_of([&] { static_cast<void>(acre::get(somewhere)); }));
  expect_no_job(failure_of([&] { acre::fetch_add(somewhere, 1); }));
  expect_no_job(failure_of([&] { static_cast<void>(somewhere.local()); }));
  expect_no_job(failure_of([&] { *somewhere = 1; }));
  expect_no_job(failure_of([] { acre::put(acre::global_ptr<int>(), 1); }));
}
#endif

}  // namespace
