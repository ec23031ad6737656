// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/smp_memory.hpp>

#include <acre/base/error.hpp>
#include <acre/base/page_bytes.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using acre::fabric::smp_memory;

constexpr std::size_t page = acre::base::largest_page_bytes;
constexpr std::size_t bytes = std::size_t{6} << 20;

TEST(SmpMemory, IsTheSameForAllWhoAttachWhereverItIsMapped) {
  smp_memory mine;
  mine.open(mine.publish(), bytes);
  std::byte* const data = mine.map();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % (std::size_t{2} << 20), 0U);
  EXPECT_EQ(data[bytes - 1], std::byte{0});
  const smp_memory::ticket ticket = mine.publish();
  const pid_t child = ::fork();
  if (child == 0) {
    static_cast<void>(::mmap(nullptr, 12288, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    smp_memory theirs;
    theirs.open(ticket, bytes);
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

TEST(SmpMemory, IsHandedOverWhereProcShowsAnotherFileOrNone) {
  constexpr acre::secret_key secret{5, 6};
  smp_memory mine;
  const int unrelated = ::memfd_create("unrelated", 0);
  ASSERT_EQ(::write(unrelated, "fourteen bytes", 14), 14);
  for (const int descriptor : {unrelated, 12345}) {
    smp_memory::ticket ticket = mine.publish();
    ticket.descriptor = descriptor;
    std::atomic<bool> done{false};
    std::jthread keeper([&] {
      while (!done) {
        mine.hand_over(secret);
        std::this_thread::yield();
      }
    });
    smp_memory theirs;
    theirs.open(ticket, bytes, secret);
    theirs.map()[1] = std::byte{42};
    smp_memory of_an_intruder;
    EXPECT_THROW(of_an_intruder.open(ticket, bytes, {5, 7}), acre::error);
    done = true;
  }
  mine.open(mine.publish(), bytes);
  EXPECT_EQ(mine.map()[1], std::byte{42});
  std::array<char, 32> text{};
  EXPECT_EQ(::pread(unrelated, text.data(), text.size(), 0), 14) << "neither cut nor grown";
  EXPECT_STREQ(text.data(), "fourteen bytes");
  ::close(unrelated);
}

TEST(SmpMemory, OfAProcessThatHasEndedIsSaidToBe) {
  smp_memory mine;
  smp_memory::ticket ticket;
  {
    smp_memory theirs;
    ticket = theirs.publish();
  }
  ticket.process = 1 << 29;
  try {
    mine.open(ticket, bytes);
    FAIL();
  } catch (const acre::error& failure) {
    EXPECT_NE(failure.advice().find("has ended"), std::string::npos) << failure.what();
  }
}

TEST(SmpMemory, IsMappedInPiecesWhereOneWants) {
  smp_memory mine;
  mine.open(mine.publish(), bytes);
  std::byte* const all = mine.map();
  std::byte* const pieces = mine.reserve(2 * page);
  mine.map_over(pieces, bytes - page, page);
  mine.map_over(pieces + page, 0, page);
  all[0] = std::byte{1};
  all[bytes - 1] = std::byte{2};
  EXPECT_EQ(pieces[page], std::byte{1});
  EXPECT_EQ(pieces[page - 1], std::byte{2});
  EXPECT_FALSE(mine.map_where_free(pieces, 0, page));
  EXPECT_EQ(pieces[page - 1], std::byte{2}) << "a page was replaced";
}

TEST(SmpMemory, IsACopyForAChildThatAsksForIt) {
  smp_memory mine;
  mine.open(mine.publish(), bytes);
  std::byte* const all = mine.map();
  std::byte* const piece = mine.reserve(page);
  mine.map_over(piece, bytes - page, page);
  all[0] = piece[0] = std::byte{1};
  const pid_t child = ::fork();
  if (child == 0) {
    mine.map_copies();
    const bool is_alike = all[0] == std::byte{1} && piece[0] == std::byte{1};
    all[0] = all[bytes - 1] = piece[0] = std::byte{2};
    ::_exit(is_alike ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(all[0], std::byte{1});
  EXPECT_EQ(all[bytes - 1], std::byte{0});
  EXPECT_EQ(piece[0], std::byte{1});
}

TEST(SmpMemory, LeavesTheFilesAloneThatHaveItsNumberNow) {
  const int unrelated = ::memfd_create("unrelated", MFD_CLOEXEC);
  ASSERT_EQ(::write(unrelated, "fourteen bytes", 14), 14);
  int number = -1;
  {
    smp_memory mine;
    mine.open(mine.publish(), bytes);
    std::byte* const all = mine.map();
    all[0] = std::byte{1};
    number = mine.descriptor();
    ASSERT_EQ(::dup2(unrelated, number), number);
    mine.map_copy_over(all, 0, 4096);
    EXPECT_EQ(all[0], std::byte{1});
    all[0] = std::byte{2};
  }
  std::array<char, 32> text{};
  EXPECT_EQ(::pread(number, text.data(), text.size(), 0), 14) << "neither closed nor grown";
  EXPECT_STREQ(text.data(), "fourteen bytes");
  ::close(number);
  ::close(unrelated);
}

TEST(HostFingerprint, IsTheSameForTheSameHost) {
  EXPECT_EQ(acre::fabric::host_fingerprint(), acre::fabric::host_fingerprint());
  EXPECT_NE(acre::fabric::host_fingerprint(), 0U);
}

}  // namespace
