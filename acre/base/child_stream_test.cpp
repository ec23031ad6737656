// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/child_stream.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

namespace acre::base {
namespace {

std::string problem_of(const std::function<void(const child_stream::sender&)>& produce) {
  try {
    child_stream child("test", "the library reading f", produce);
    std::byte one{};
    child.take(std::span(&one, 1));
    child.finish();
  } catch (const error& found) {
    return found.problem() + "|" + found.advice();
  }
  return "";
}

TEST(ChildStream, GivesWhatTheChildSends) {
  std::vector<int> sent(1 << 18);
  std::iota(sent.begin(), sent.end(), 0);
  child_stream child("test", "the library", [&](const child_stream::sender& send) {
    send(std::as_bytes(std::span(sent)).first(1000));
    send({});
    send(std::as_bytes(std::span(sent)).subspan(1000));
  });
  std::vector<int> taken(sent.size());
  child.take(std::as_writable_bytes(std::span(taken)).first(17));
  child.take(std::as_writable_bytes(std::span(taken)).subspan(17));
  child.finish();
  EXPECT_EQ(taken, sent);
}

TEST(ChildStream, ThrowsWhatTheChildThrows) {
  EXPECT_EQ(problem_of([](const auto&) { throw error("call", "line 1\nline 2", "do that"); }),
            "line 1\nline 2|do that");
}

TEST(ChildStream, TellsOfACrash) {
  const std::string crash = problem_of([](const auto& send) {
    const std::byte one{};
    send(std::span(&one, 1));
    std::raise(SIGSEGV);
  });
  EXPECT_EQ(crash.find("the library reading f crashes (Segmentation fault)|"), 0U) << crash;
  EXPECT_EQ(problem_of([](const auto&) { std::abort(); }).find("the library reading f crashes"),
            0U);
  EXPECT_NE(problem_of([](const auto&) { ::_exit(0); }), "");
}

}  // namespace
}  // namespace acre::base
