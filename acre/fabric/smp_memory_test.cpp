#include <acre/fabric/smp_memory.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using acre::fabric::smp_memory;

constexpr std::size_t bytes = std::size_t{6} << 20;

TEST(SmpMemory, IsTheSameForAllWhoAttachWhereverItIsMapped) {
  smp_memory mine;
  mine.open(mine.publish(), bytes);
  std::byte* const data = mine.map();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % (std::size_t{2} << 20), 0U);
  EXPECT_EQ(data[bytes - 1], std::byte{0});
  const pid_t child = ::fork();
  if (child == 0) {
    // Odd mappings first, so that the addresses of the two processes differ.
    static_cast<void>(::mmap(nullptr, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    smp_memory theirs;
    theirs.open({.process = ::getppid(), .descriptor = mine.publish().descriptor}, bytes);
    char* const there = reinterpret_cast<char*>(theirs.map());
    std::strcpy(there, "first page");
    std::strcpy(there + bytes - 16, "last page");
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_STREQ(reinterpret_cast<char*>(data), "first page");
  EXPECT_STREQ(reinterpret_cast<char*>(data) + bytes - 16, "last page");
}

TEST(SmpMemory, ReservesMoreThanThereIs) {
  smp_memory mine;
  mine.open(mine.publish(), std::size_t{1} << 40);
  std::byte* const data = mine.map();
  data[(std::size_t{1} << 40) - 1] = std::byte{7};
  EXPECT_EQ(data[(std::size_t{1} << 40) - 1], std::byte{7});
}

TEST(SmpMemory, SaysWhatIsWrongWhenTheFileIsNotThere) {
  smp_memory mine;
  EXPECT_THROW(mine.open({.process = ::getpid() + 1'000'000, .descriptor = 3}, bytes), acre::error);
}

TEST(SmpMemory, IsMappedInPiecesWhereOneWants) {
  smp_memory mine;
  mine.open(mine.publish(), bytes);
  std::byte* const all = mine.map();
  std::byte* const pieces = mine.reserve(8192);
  mine.map_over(pieces, bytes - 4096, 4096);
  mine.map_over(pieces + 4096, 0, 4096);
  all[0] = std::byte{1};
  all[bytes - 1] = std::byte{2};
  EXPECT_EQ(pieces[4096], std::byte{1});
  EXPECT_EQ(pieces[4095], std::byte{2});
  EXPECT_FALSE(mine.map_where_free(pieces, 0, 4096));
  EXPECT_EQ(pieces[4095], std::byte{2}) << "nothing was replaced";
}

TEST(HostFingerprint, IsTheSameForTheSameHost) {
  EXPECT_EQ(acre::fabric::host_fingerprint(), acre::fabric::host_fingerprint());
  EXPECT_NE(acre::fabric::host_fingerprint(), 0U);
}

}  // namespace
