// SPDX-License-Identifier: BSD-3-Clause
#include "output.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>

namespace {

using acre::tool::courtesy;
using acre::tool::line_timeout;
using acre::tool::merger;
using acre::tool::sink;
using acre::tool::stream;
using std::chrono::milliseconds;

class Merger : public testing::Test {
 public:
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;

 protected:
  Merger() {
    sink_ = std::make_unique<sink>(::fileno(file_), notice_);
    lines = std::make_unique<merger>(*sink_);
    now = acre::tool::clock::now();
  }
  ~Merger() override {  // NOLINT(cppcoreguidelines-virtual-class-destructor)
    sink_.reset();
    std::fclose(file_);
    ::close(notice_);
  }

  // All output; call last.
  std::string shown() {
    sink_.reset();
    if (std::fseek(file_, 0, SEEK_SET) != 0) return "no way back";
    std::string text;
    for (int each = 0; (each = std::fgetc(file_)) != EOF;) text.push_back(static_cast<char>(each));
    return text;
  }

  void say(stream& who, std::string_view text) { lines->take(who, text, now); }
  void pass(milliseconds time) {
    now += time;
    lines->expire(now);
  }

  std::unique_ptr<merger> lines;
  acre::tool::clock::time_point now;
  stream one, other;

 private:
  std::FILE* file_ = std::tmpfile();
  int notice_ = ::eventfd(0, EFD_NONBLOCK);
  std::unique_ptr<sink> sink_;
};

TEST_F(Merger, HoldsHalfALineBackUntilTheRestComes) {
  say(one, "he");
  say(other, "whole\n");
  say(one, "llo\nwor");
  say(one, "ld\n");
  EXPECT_EQ(shown(), "whole\nhello\nworld\n");
}

TEST_F(Merger, ShowsHalfALineAfterATimeout) {
  say(one, "prompt");
  EXPECT_EQ(lines->deadline(now), now + line_timeout);
  pass(line_timeout);
  EXPECT_EQ(lines->deadline(now), acre::tool::clock::time_point::max());
  say(one, " rest\n");
  EXPECT_EQ(shown(), "prompt rest\n");
}

TEST_F(Merger, BreaksTheHalfLineOfAnotherOnlyAfterSilence) {
  say(one, "prompt");
  pass(line_timeout);
  say(other, "interrupts\n");
  EXPECT_EQ(lines->deadline(now), now + courtesy);
  say(one, "!\n");
  say(one, "prompt");
  pass(line_timeout);
  pass(courtesy);
  say(other, "later\n");
  say(one, "answer\n");
  EXPECT_EQ(shown(), "prompt!\ninterrupts\nprompt\nlater\nanswer\n");
}

TEST_F(Merger, TakesTheSilenceOfAPausedStreamForNothing) {
  say(one, "half");
  pass(line_timeout);
  say(other, "hel");
  merger::pause(one);
  merger::pause(other);
  pass(courtesy);
  pass(courtesy);
  merger::resume(one, now);
  merger::resume(other, now);
  say(other, "lo\n");
  say(one, " a line\n");
  EXPECT_EQ(shown(), "half a line\nhello\n");
}

TEST_F(Merger, KeepsALongLineTogether) {
  const std::string piece(65536, 'x');
  for (int i = 0; i < 5; ++i) {
    say(one, piece);
    say(other, "short\n");
  }
  say(one, "\n");
  std::string expected;
  for (int i = 0; i < 5; ++i) expected += piece;
  expected += '\n';
  for (int i = 0; i < 5; ++i) expected += "short\n";
  EXPECT_TRUE(shown() == expected);
}

TEST_F(Merger, MarksEachLineOnce) {
  one.prefix = "[0] ";
  other.prefix = "[1] ";
  say(one, "a\nb\n\nc\r");
  say(one, "\nd\r\ne");
  pass(line_timeout);
  say(one, "f\n");
  say(other, "g");
  lines->end(other, now);
  EXPECT_EQ(shown(), "[0] a\n[0] b\n[0] \n[0] c\r\n[0] d\r\n[0] ef\n[1] g");
}

TEST_F(Merger, MarksWhatContinuesAfterAnInterruption) {
  one.prefix = "[0] ";
  other.prefix = "[1] ";
  say(one, "a");
  pass(line_timeout);
  pass(courtesy);
  say(other, "b\n");
  say(one, "c\n");
  EXPECT_EQ(shown(), "[0] a\n[1] b\n[0] c\n");
}

TEST_F(Merger, ShowsTheRestOfAStreamThatEnds) {
  say(one, "a");
  lines->end(one, now);
  say(other, "b\n");
  EXPECT_EQ(shown(), "a\nb\n");
}

TEST_F(Merger, SaysItsOwnLinesAfterAllThatHasCome) {
  say(one, "half");
  lines->say("acre: the end\n", now);
  EXPECT_EQ(shown(), "half\nacre: the end\n");
}

TEST_F(Merger, WantsNoMoreFromAStreamThatCannotBeShown) {
  say(one, std::string(65536, 'x'));  // becomes the speaker
  for (int i = 0; i < 3; ++i) say(other, std::string(65536, 'y'));
  EXPECT_FALSE(lines->wants(other));
  EXPECT_TRUE(lines->wants(one));
  say(one, "\n");
  EXPECT_TRUE(lines->wants(other));
}

}  // namespace
