// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/library_descriptors.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace acre {
namespace {

std::pair<int, int> careless_pipe() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  return {ends[0], ends[1]};
}

bool is_closed_on_exec(int number) { return (::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0; }

TEST(LibraryDescriptors, AreKeptFromProgramsThatAreStartedAndOthersAreNot) {
  const auto [mine, other] = careless_pipe();
  std::pair<int, int> of_library;
  library_descriptors noted;
  noted.note_those_of([&] { of_library = careless_pipe(); });
  EXPECT_TRUE(is_closed_on_exec(of_library.first));
  EXPECT_TRUE(is_closed_on_exec(of_library.second));
  EXPECT_FALSE(is_closed_on_exec(mine));
  for (const int each : {mine, other, of_library.first, of_library.second}) ::close(each);
}

TEST(LibraryDescriptors, AreIntactUntilOneIsClosedWhateverHasItsNumberThen) {
  std::pair<int, int> of_library;
  library_descriptors noted;
  EXPECT_TRUE(noted.are_intact());
  noted.note_those_of([&] { of_library = careless_pipe(); });
  EXPECT_TRUE(noted.are_intact());
  const auto [mine, other] = careless_pipe();
  ASSERT_EQ(::dup2(mine, of_library.first), of_library.first);
  EXPECT_FALSE(noted.are_intact());
  ::close(of_library.first);
  EXPECT_FALSE(noted.are_intact());
  for (const int each : {mine, other, of_library.second}) ::close(each);
}

TEST(LibraryDescriptors, HaveNumbersThatProgramsHardlyUse) {
  std::pair<int, int> of_library;
  library_descriptors noted;
  noted.note_those_of([&] { of_library = careless_pipe(); });
  EXPECT_GE(of_library.first, 256) << "with a limit of 1024 open files";
  ::close(of_library.first);
  ::close(of_library.second);
}

}  // namespace
}  // namespace acre
