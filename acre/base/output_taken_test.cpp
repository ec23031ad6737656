// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/output_taken.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fcntl.h>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

using acre::bytes_not_taken;

constexpr std::string_view words = "last words";

void expect_counted(int reader, int writer) {
  EXPECT_EQ(bytes_not_taken(writer), 0);
  ASSERT_EQ(::write(writer, words.data(), words.size()), static_cast<ssize_t>(words.size()));
  EXPECT_GT(bytes_not_taken(writer), 0);
  std::array<char, words.size()> taken{};
  ASSERT_EQ(::read(reader, taken.data(), taken.size()), static_cast<ssize_t>(taken.size()));
  EXPECT_EQ(bytes_not_taken(writer), 0);
  ::close(reader);
  ::close(writer);
}

TEST(BytesNotTaken, OfAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  expect_counted(ends[0], ends[1]);
}

TEST(BytesNotTaken, OfASocket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  expect_counted(ends[0], ends[1]);
}

class AwaitOutputTaken : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe(ends_.data()), 0);
    before_ = ::dup(STDERR_FILENO);
    ::dup2(ends_[1], STDERR_FILENO);
    ASSERT_EQ(::write(STDERR_FILENO, words.data(), words.size()),
              static_cast<ssize_t>(words.size()));
  }
  void TearDown() override {
    ::dup2(before_, STDERR_FILENO);
    for (const int each : {before_, ends_[0], ends_[1]}) ::close(each);
  }

  std::array<int, 2> ends_{};
  int before_ = -1;
};

TEST_F(AwaitOutputTaken, WaitsForAReader) {
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::array<char, words.size()> taken{};
    EXPECT_EQ(::read(ends_[0], taken.data(), taken.size()), static_cast<ssize_t>(taken.size()));
  });
  acre::await_output_taken(std::chrono::minutes(1));
  EXPECT_EQ(bytes_not_taken(STDERR_FILENO), 0);
  reader.join();
}

TEST_F(AwaitOutputTaken, IsNotStuckWithAReaderThatIs) {
  acre::await_output_taken(std::chrono::milliseconds(20));
  EXPECT_GT(bytes_not_taken(STDERR_FILENO), 0);
}

TEST(BytesNotTaken, OfWhatHasNoReaderThereAreNone) {
  const int file = ::open("/dev/null", O_WRONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(::write(file, words.data(), words.size()), static_cast<ssize_t>(words.size()));
  EXPECT_EQ(bytes_not_taken(file), 0);
  ::close(file);
  EXPECT_EQ(bytes_not_taken(-1), 0);
}

}  // namespace
