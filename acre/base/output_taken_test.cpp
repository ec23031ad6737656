#include <acre/base/output_taken.hpp>

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <string_view>
#include <sys/socket.h>

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

TEST(BytesNotTaken, OfWhatHasNoReaderThereAreNone) {
  const int file = ::open("/dev/null", O_WRONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(::write(file, words.data(), words.size()), static_cast<ssize_t>(words.size()));
  EXPECT_EQ(bytes_not_taken(file), 0);
  ::close(file);
  EXPECT_EQ(bytes_not_taken(-1), 0);
}

}  // namespace
