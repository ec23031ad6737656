// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/lifeline.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

using acre::launch::lifeline;
using acre::launch::lifeline_address;
using acre::launch::lifeline_from;
using acre::launch::lifeline_text;

constexpr unsigned watchdog_seconds = 60;

class Lifeline : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe2(ends_, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(begun_, O_CLOEXEC), 0);
    struct stat about{};
    ::fstat(ends_[0], &about);
    address_ = {.process = ::getpid(), .descriptor = ends_[0], .pipe = about.st_ino};
  }
  void TearDown() override {
    for (const int each : {ends_[0], ends_[1], begun_[0], begun_[1]}) ::close(each);
  }

  void lose_launcher() { ::close(std::exchange(ends_[1], -1)); }

  /// Exit status of a process that runs `life`; its launcher ends once `life` has begun.
  int end_of(const std::function<void()>& life) {
    const pid_t process = ::fork();
    if (process == 0) {
      ::alarm(watchdog_seconds);
      ::close(ends_[1]);
      life();
      ::_exit(7);
    }
    char word = 0;
    EXPECT_EQ(::read(begun_[0], &word, 1), 1);
    lose_launcher();
    int status = -1;
    ::waitpid(process, &status, 0);
    return status;
  }
  void begin() { static_cast<void>(!::write(begun_[1], "!", 1)); }
  void await_loss() {
    char none = 0;
    EXPECT_EQ(::read(ends_[0], &none, 1), 0);
  }

  int ends_[2] = {-1, -1};
  int begun_[2] = {-1, -1};
  lifeline_address address_;
};

TEST_F(Lifeline, EndsARankWhenItsLauncherIsGone) {
  const int status = end_of([this] {
    const lifeline held(address_);
    begin();
    for (;;) ::pause();
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST_F(Lifeline, EndsARankWhoseLauncherWasGoneBefore) {
  const int status = end_of([this] {
    begin();
    await_loss();
    const lifeline late(address_);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST_F(Lifeline, LetsARankGoThatHasLeftItsJob) {
  const int status = end_of([this] {
    {
      const lifeline held(address_);
    }
    begin();
    await_loss();
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

TEST_F(Lifeline, IsNoneWhereThePipeIsAnother) {
  ++address_.pipe;
  EXPECT_FALSE(lifeline(address_).is_held());
  address_.descriptor = 1 << 20;
  EXPECT_FALSE(lifeline(address_).is_held());
}

TEST_F(Lifeline, LeavesAloneWhatTheProgramHasOpenedByItsNumber) {
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int next = ::dup(file);
  ::close(next);
  std::optional<lifeline> held(std::in_place, address_);
  ASSERT_TRUE(held->is_held());
  ASSERT_EQ(::dup2(file, next), next);
  held.reset();
  EXPECT_EQ(::close(next), 0) << "it was closed already";
  ::close(file);
}

TEST(LifelineAddress, IsReadAsItIsWritten) {
  const auto read = lifeline_from(lifeline_text({.process = 4711, .descriptor = 9, .pipe = 123}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->process, 4711);
  EXPECT_EQ(read->descriptor, 9);
  EXPECT_EQ(read->pipe, 123U);
  for (const char* text : {"", "1", "1:2", "1:2:", "1:2:x", "a:2:3", "1:2:3 ", ":::"}) {
    EXPECT_FALSE(lifeline_from(text)) << text;
  }
}

}  // namespace
