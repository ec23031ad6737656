// SPDX-License-Identifier: BSD-3-Clause
#include "trace_parts.hpp"

#include "messages_file.hpp"
#include "window_files.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

class TraceParts : public testing::Test {
 protected:
  TraceParts() : home_(testing::TempDir() + "trace-parts-" + std::to_string(::getpid())) {
    fs::create_directories(home_ + "/t.parts");
  }
  ~TraceParts() override { fs::remove_all(home_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(home_ + "/" + name) << text;
  }
  void rank(int number, int ranks, const std::string& windows) const {
    write("t.parts/rank-" + std::to_string(number), "acre part of rank " + std::to_string(number) +
                                                        " of " + std::to_string(ranks) +
                                                        "\nprogram ./app 1\n" + windows);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(home_ + "/" + name).rdbuf();
    return text.str();
  }
  [[nodiscard]] bool has(const std::string& name) const { return fs::exists(home_ + "/" + name); }
  [[nodiscard]] std::string trace() const { return home_ + "/t.mtx"; }
  [[nodiscard]] std::string folder() const { return home_ + "/t.parts"; }
  [[nodiscard]] std::string problem() const {
    try {
      const trace_parts parts(folder());
      return "none";
    } catch (const error& refused) {
      return refused.problem();
    }
  }

  std::string home_;
};

constexpr const char* head = "%%MatrixMarket matrix coordinate real general\n% bytes between";

TEST_F(TraceParts, BecomeAMatrixOfEachWindowAndOneOfAll) {
  rank(0, 2,
       "window 1 0.000 1.000\n% graph communicator: ranks 0-1\nto 1 10 2\nfrom 1 5 1\nend 1\n"
       "window 2 1.000 2.500\nto 1 100 1\nend 2\n");
  rank(1, 2, "window 1 0.000 1.250\nto 0 7 1\nend 1\nwindow 2 1.250 2.000\nend 2\n");
  EXPECT_EQ(put_together(folder(), trace()), put_together_result::windows_and_sum);
  const std::string first = read("t.window-0001.mtx");
  EXPECT_EQ(first.find(head), 0U);
  EXPECT_NE(first.find("% program: ./app 1\n% ranks: 2\n% window 1: 0.0 to 1.2 s after MPI_Init\n"
                       "% graph communicator: ranks 0-1\n2 2 2\n1 2 10\n2 1 12\n"),
            std::string::npos)
      << first;
  EXPECT_NE(read("t.window-0001.messages.mtx").find("\n1 2 2\n2 1 2\n"), std::string::npos);
  EXPECT_NE(read("t.window-0002.mtx").find("\n2 2 1\n1 2 100\n"), std::string::npos);
  EXPECT_NE(read("t.mtx").find("% the job was ended before MPI_Finalize: this is the traffic until "
                               "the last window, 2.5 s after MPI_Init\n"),
            std::string::npos);
  EXPECT_NE(read("t.mtx").find("\n2 2 2\n1 2 110\n2 1 12\n"), std::string::npos);
  EXPECT_NE(read("t.messages.mtx").find("\n1 2 3\n2 1 2\n"), std::string::npos);
  EXPECT_FALSE(has("t.parts"));
}

TEST_F(TraceParts, LeaveOutWhatAKillHasCutOff) {
  const std::string whole = "window 1 0.000 1.000\nto 1 10 2\nend 1\n";
  const std::string more = "window 2 1.000 2.000\nto 1 100 1\nend 2\n";
  rank(1, 2, "window 1 0.000 1.000\nend 1\n");
  for (std::size_t cut = 0; cut < more.size(); ++cut) {
    rank(0, 2, whole + more.substr(0, cut));
    trace_parts parts(folder());
    const auto first = parts.next();
    ASSERT_TRUE(first);
    ASSERT_EQ(first->entries.size(), 1U);
    EXPECT_EQ(first->entries[0].bytes, 10U);
    EXPECT_FALSE(parts.next()) << more.substr(0, cut);
  }
  rank(0, 2, whole + more);
  trace_parts parts(folder());
  EXPECT_TRUE(parts.next());
  const auto last = parts.next();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->missing, 1U) << "one of two ranks has ended it";
  EXPECT_FALSE(parts.next());
}

TEST_F(TraceParts, KeepTheMatrixThatTheRanksHaveWritten) {
  rank(0, 1, "window 1 0.000 1.000\nto 0 10 2\nend 1\n");
  write("t.mtx", "theirs");
  EXPECT_EQ(put_together(folder(), trace()), put_together_result::windows);
  EXPECT_EQ(read("t.mtx"), "theirs");
}

TEST_F(TraceParts, SayWhichRanksHaveLeftNone) {
  for (const int each : {0, 3, 4, 9}) rank(each, 10, "window 1 0.000 1.000\nend 1\n");
  EXPECT_EQ(trace_parts(folder()).ranks_without_part(), "1-2, 5-8");
  EXPECT_EQ(put_together(folder(), trace()), put_together_result::nothing);
  EXPECT_TRUE(has("t.window-0001.mtx"));
  EXPECT_TRUE(has("t.parts/rank-9")) << "what was not used stays";
}

TEST_F(TraceParts, SayWhatIsWrong) {
  EXPECT_EQ(problem(), "no rank has left a part of the trace in " + folder());
  write("t.parts/rank-0", "acre part of rank 5 of 4\nprogram\n");
  write("t.parts/rank-1", "something else\n");
  write("t.parts/rank-2", "acre part of rank 99999999999999999999 of 4\nprogram\n");
  write("t.parts/rank-3", "acre part of rank 3 of 4");
  EXPECT_EQ(problem(), "no rank has left a part of the trace in " + folder());
  rank(0, 2, "");
  EXPECT_EQ(problem(), "none");
  rank(2, 3, "");
  EXPECT_NE(problem().find("ranks and of one of"), std::string::npos);
}

TEST_F(TraceParts, StopAtALineThatNoRankWrites) {
  for (const char* line :
       {"to 2 1 1", "to 1 1", "to 1 1 1 1", "at 1 1 1", "to -1 1 1", "to 1 x 1"}) {
    rank(0, 2, "window 1 0.000 1.000\n" + std::string(line) + "\nend 1\n");
    EXPECT_FALSE(trace_parts(folder()).next()) << line;
  }
}

TEST_F(TraceParts, AnotherTraceBeginsWithNoneButRemovesNothingElse) {
  rank(7, 8, "");
  make_parts_folder(folder());
  EXPECT_FALSE(has("t.parts/rank-7"));
  for (const char* name : {"t.window-0001.mtx", "t.window-12345.messages.mtx"}) write(name, "old");
  for (const char* name : {"t.window-1.mtx", "t.window-of.mtx", "u.window-0001.mtx"}) {
    write(name, "mine");
  }
  remove_window_files(trace());
  EXPECT_FALSE(has("t.window-0001.mtx") || has("t.window-12345.messages.mtx"));
  EXPECT_TRUE(has("t.window-1.mtx") && has("t.window-of.mtx") && has("u.window-0001.mtx"));
  write("t.parts/rank-of-mine", "precious");
  rank(7, 8, "");
  EXPECT_THROW(make_parts_folder(folder()), error);
  EXPECT_TRUE(has("t.parts/rank-7"));
  EXPECT_EQ(read("t.parts/rank-of-mine"), "precious");
}

}  // namespace
}  // namespace acre::tool
