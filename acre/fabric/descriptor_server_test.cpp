// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/descriptor_server.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

using acre::fabric::descriptor_server;

class keeper {
 public:
  keeper(const descriptor_server& server, int file, std::uint64_t proof)
      : thread_([&server, file, proof, this] {
          while (!done_) {
            server.serve(file, proof);
            std::this_thread::yield();
          }
        }) {}
  ~keeper() { done_ = true; }

 private:
  std::atomic<bool> done_{false};
  std::jthread thread_;
};

ino_t inode_of(int file) {
  struct stat about{};
  return ::fstat(file, &about) == 0 ? about.st_ino : 0;
}

TEST(DescriptorServer, GivesItsFileToAllWhoKnowTheSecret) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  const descriptor_server server;
  ASSERT_NE(server.number(), 0U);
  const keeper serving(server, file, 77);
  for (int i = 0; i < 3; ++i) {
    const int got = descriptor_server::request(server.number(), 77);
    ASSERT_GE(got, 0);
    EXPECT_NE(got, file);
    EXPECT_EQ(inode_of(got), inode_of(file));
    ::close(got);
  }
  ::close(file);
}

TEST(DescriptorServer, GivesNothingToOthers) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  const descriptor_server server;
  const keeper serving(server, file, 77);
  for (std::uint64_t guess = 0; guess < 100; ++guess) {
    if (guess == 77) continue;
    errno = 0;
    EXPECT_EQ(descriptor_server::request(server.number(), guess), -1);
    EXPECT_EQ(errno, EACCES);
  }
  const int got = descriptor_server::request(server.number(), 77);
  EXPECT_GE(got, 0) << "others have broken it";
  ::close(got);
  ::close(file);
}

TEST(DescriptorServer, ThatIsNotThereIsSaidAtOnce) {
  EXPECT_EQ(descriptor_server::request(1, 1), -1);
  EXPECT_EQ(errno, ECONNREFUSED);
  EXPECT_EQ(descriptor_server::request(0, 1), -1);
}

}  // namespace
