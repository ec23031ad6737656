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
  mine.attach(mine.publish(), bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mine.data()) % (std::size_t{2} << 20), 0U);
  EXPECT_EQ(mine.data()[bytes - 1], std::byte{0});
  const pid_t child = ::fork();
  if (child == 0) {
    // Odd mappings first, so that the addresses of the two processes differ.
    static_cast<void>(::mmap(nullptr, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    smp_memory theirs;
    theirs.attach({.process = ::getppid(), .descriptor = mine.publish().descriptor}, bytes);
    std::strcpy(reinterpret_cast<char*>(theirs.data()), "first page");
    std::strcpy(reinterpret_cast<char*>(theirs.data()) + bytes - 16, "last page");
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_STREQ(reinterpret_cast<char*>(mine.data()), "first page");
  EXPECT_STREQ(reinterpret_cast<char*>(mine.data()) + bytes - 16, "last page");
}

TEST(SmpMemory, ReservesMoreThanThereIs) {
  smp_memory mine;
  mine.attach(mine.publish(), std::size_t{1} << 40);
  mine.data()[(std::size_t{1} << 40) - 1] = std::byte{7};
  EXPECT_EQ(mine.data()[(std::size_t{1} << 40) - 1], std::byte{7});
}

TEST(SmpMemory, SaysWhatIsWrongWhenTheFileIsNotThere) {
  smp_memory mine;
  EXPECT_THROW(mine.attach({.process = ::getpid() + 1'000'000, .descriptor = 3}, bytes),
               acre::error);
}

TEST(HostFingerprint, IsTheSameForTheSameHost) {
  EXPECT_EQ(acre::fabric::host_fingerprint(), acre::fabric::host_fingerprint());
  EXPECT_NE(acre::fabric::host_fingerprint(), 0U);
}

}  // namespace
