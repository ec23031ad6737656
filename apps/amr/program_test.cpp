// SPDX-License-Identifier: BSD-3-Clause
// acre-amr as users run it: restart on other numbers of ranks, and refusals.
#include <apps/program/job_test.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using acre::base_test::contents;
using acre::program_test::outcome;

namespace fs = std::filesystem;

std::string fingerprint(const outcome& of) {
  const std::size_t at = of.out.find("fingerprint ");
  return at == std::string::npos ? "none: " + of.err
                                 : of.out.substr(at, of.out.find('\n', at) - at);
}

class AmrProgram : public acre::program_test::job_test {
 protected:
  AmrProgram() : job_test("acre-amr") {}

  outcome begin(unsigned ranks, const std::string& steps, const std::string& more = "") {
    return run(ranks, small + " --steps " + steps + " --checkpoint " + path("file") + " " + more);
  }
  outcome go_on(unsigned ranks, const std::string& more) {
    return run(ranks, "--steps 27 --restart " + path("file") + " " + more);
  }
  void expect_refused(const outcome& of, const std::string& words) {
    EXPECT_EQ(of.status, 1) << of.err;
    const std::size_t at = of.err.find(words);
    ASSERT_NE(at, std::string::npos) << of.err;
    const std::size_t line = of.err.rfind('\n', at) + 1;
    const std::size_t end = of.err.find('\n', at);
    EXPECT_NE(of.err.substr(line, end - line).find(path("file")), std::string::npos) << of.err;
  }

  /// The regrid before step 24 changes the mesh; one before step 23 would, too.
  const std::string small = "--finest 2 --centre 0.3,0.4,0.7 --wind 1,-0.75,-0.5 --radius 0.15";
};

TEST_F(AmrProgram, GoesOnOnOtherNumbersOfRanksWithTheSameBits) {
  const std::string whole = fingerprint(run(2, small + " --steps 27"));
  struct job_sizes {
    unsigned before;
    unsigned after;
  };
  for (const auto& [before, after] : {job_sizes{4, 2}, {2, 7}, {1, 4}}) {
    EXPECT_EQ(begin(before, "23").status, 0);
    EXPECT_EQ(fingerprint(go_on(after, "")), whole) << before << " ranks, then " << after;
  }
}

TEST_F(AmrProgram, GoesOnInOtherModes) {
  const std::string whole = fingerprint(run(1, small + " --steps 27 --mode static"));
  begin(3, "24", "--mode static");
  EXPECT_EQ(fingerprint(go_on(2, "--mode migrate --shake 1")), whole);
  EXPECT_EQ(fingerprint(go_on(4, "--mode recreate")), whole);
}

TEST_F(AmrProgram, WritesItsFileNowAndThenAndAtTheEnd) {
  const outcome first = begin(2, "3", "--checkpoint-every 2");
  EXPECT_EQ(fingerprint(run(1, "--steps 3 --restart " + path("file"))), fingerprint(first));
  const outcome second = go_on(2, "--checkpoint " + path("next") + " --checkpoint-every 4");
  fs::rename(path("next"), path("file"));
  EXPECT_EQ(fingerprint(go_on(3, "")), fingerprint(second));
}

TEST_F(AmrProgram, RefusesOptionsThatContradictTheFile) {
  begin(2, "3");
  expect_refused(go_on(2, "--finest 4"), "--finest contradicts ");
  expect_refused(go_on(2, "--finest 2 --wind 1,0,0"), "which has 1,-0.75,-0.5");
  expect_refused(run(2, "--steps 2 --restart " + path("file")),
                 "was written after 3 steps, but --steps is 2");
  EXPECT_EQ(go_on(2, small).status, 0);
  EXPECT_EQ(go_on(1, "--mode serial").status, 2);
  for (const char* option : {"--report ", "--checkpoint "}) {
    const outcome onto = go_on(2, option + path("file"));
    EXPECT_EQ(onto.status, 2);
    EXPECT_NE(onto.err.find("outputs must not overwrite inputs"), std::string::npos) << onto.err;
  }
  EXPECT_EQ(go_on(2, small).status, 0);
  EXPECT_EQ(run(1, "--checkpoint-every 2").status, 2);
}

TEST_F(AmrProgram, RefusesOptionsThatMakeNoSense) {
  const char* const wrong[][2] = {{"--radius nan", "--radius: nan"},
                                  {"--tolerance -5", "--tolerance: -5"},
                                  {"--coarsest 4 --finest 2", "is finer than --finest 2"},
                                  {"--mode serial --pictures .", "neither pictures nor"},
                                  {"--gravity 1", "--gravity needs --physics euler"},
                                  {"--physics euler --gamma 1", "--gamma: 1 is invalid"},
                                  {"--physics euler --gravity -1", "--gravity: -1 is invalid"},
                                  {"--pictures /no/where", "folder not found"},
                                  {"--restart /dev/stdin", "--restart: /dev/stdin is a stream"},
                                  {"--checkpoint x --report ./x", "are the same file"}};
  for (const auto& [options, words] : wrong) {
    const outcome of = run(1, options);
    EXPECT_EQ(of.status, 2) << options;
    EXPECT_NE(of.err.find(words), std::string::npos) << of.err;
  }
}

TEST_F(AmrProgram, ComputesAGasAndGoesOnFromItsFile) {
  const std::string gas = "--physics euler --finest 1 --checkpoint " + path("file") + " --steps ";
  const std::string whole = fingerprint(run(1, gas + "3"));
  EXPECT_EQ(run(2, gas + "2").status, 0);
  EXPECT_EQ(fingerprint(run(3, "--steps 3 --restart " + path("file"))), whole);
  expect_refused(run(1, "--physics euler --gravity 2 --steps 3 --restart " + path("file")),
                 "--gravity contradicts ");
}

TEST_F(AmrProgram, SaysWhatIsWrongWithAFile) {
  expect_refused(go_on(2, ""), "No such file");
  std::ofstream(path("file")) << "a letter to somebody";
  expect_refused(go_on(2, ""), "is not a readable checkpoint: its header is unknown");
  begin(2, "3");
  const std::string whole = contents(path("file"));
  fs::resize_file(path("file"), whole.size() - 1);
  expect_refused(go_on(3, ""), "is damaged: it has ");
  std::string changed = whole;
  changed[whole.size() / 2] ^= 1;
  std::ofstream(path("file"), std::ios::binary) << changed;
  expect_refused(go_on(3, ""), "of acre::amr::tree_node is wrong");
}

}  // namespace
