// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/job_manager.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace acre::machines {
namespace {

using nodes = std::vector<job_node>;

TEST(JobManager, OfSlurmSaysTasksOfEachNode) {
  EXPECT_EQ(nodes_of_slurm("n[01-04]", "24(x3),12"),
            (nodes{{"n01", 24}, {"n02", 24}, {"n03", 24}, {"n04", 12}}));
  for (const auto& [list, tasks] : {std::pair("n[1-4]", "24(x3)"),
                                    {"n[1-4]", "24(x5)"},
                                    {"n1", "x"},
                                    {"n1", "0"},
                                    {"n1", "1(x"},
                                    {"n1", "1(y1)"},
                                    {"n1,n1", "1(x2)"},
                                    {"n[1", "1"},
                                    {"n1", ""},
                                    {"n[1-4]", "1(x4294967295)"}}) {
    EXPECT_THROW(static_cast<void>(nodes_of_slurm(list, tasks)), acre::error) << list << tasks;
  }
}

TEST(JobManager, OfLsfSaysHostsWithTheirSlots) {
  EXPECT_EQ(nodes_of_lsf("n01 24 n02 12 n01 4"), (nodes{{"n01", 28}, {"n02", 12}}));
  for (const char* hosts : {"", "n01", "n01 x", "n01 0", "n01 24 n02"}) {
    EXPECT_THROW(static_cast<void>(nodes_of_lsf(hosts)), acre::error) << hosts;
  }
}

TEST(JobManager, OfGridEngineSaysSlotsOfEachQueue) {
  EXPECT_EQ(nodes_of_grid_engine(source_text("hosts",
                                             "n01 24 all.q@n01 UNDEFINED\nn02 8 all.q@n02 <NULL>\n"
                                             "n01 4 short.q@n01 UNDEFINED\n")),
            (nodes{{"n01", 28}, {"n02", 8}}));
  EXPECT_NE(wrong_with(nodes_of_grid_engine, "n01 24 q u\nn02\n").find("file:2: expected a node"),
            std::string::npos);
  for (const char* text : {"", "n01 0 q u\n", "n01 many q u\n"}) {
    EXPECT_NE(wrong_with(nodes_of_grid_engine, text), "no error") << text;
  }
}

const std::string resources = R"({"version": 1, "execution": {
  "R_lite": [{"rank": "1-2", "children": {"core": "0-7", "gpu": "0"}},
             {"rank": "0", "children": {"core": "[0,2-3]"}}],
  "nodelist": ["n[07-08]", "m1"], "starttime": 0, "expiration": 0}})";

std::string wrong_resources(std::string text) {
  return wrong_with([](const source_text& file) { return nodes_of_hostfile(file, 1); },
                    std::move(text));
}

TEST(JobManager, OfFluxSaysTheCoresOfEachRank) {
  EXPECT_EQ(nodes_of_hostfile(source_text("R", resources), 1),
            (nodes{{"n07", 3}, {"n08", 8}, {"m1", 8}}));
  std::string fewer = resources;
  EXPECT_NE(wrong_resources(fewer.replace(fewer.find(", \"m1\""), 6, ""))
                .find("file:4: nodelist contains 2 nodes, but R_lite has 3 ranks"),
            std::string::npos);
  for (const char* text :
       {R"({"execution": {}})", R"({"execution": []})",
        R"({"execution": {"R_lite": [{"rank": 0}], "nodelist": ["a"]}})",
        R"({"execution": {"R_lite": [{"rank": "x"}], "nodelist": ["a"]}})",
        R"({"execution": {"R_lite": [{"rank": "0,0"}], "nodelist": ["a", "b"]}})",
        R"({"execution": {"R_lite": [{"rank": "0"}], "nodelist": [1]}})",
        R"({"execution": {"R_lite": [], "nodelist": []}})"}) {
    EXPECT_NE(wrong_resources(text), "no error") << text;
  }
}

class ThisJob : public testing::Test {
 protected:
  ThisJob() { unset_all(); }
  ~ThisJob() override {
    unset_all();
    std::filesystem::remove_all(folder_);
  }

  std::string file(const std::string& name, const std::string& text) {
    std::filesystem::create_directory(folder_);
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  static void unset_all() {
    for (const char* name :
         {"SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE", "PBS_NODEFILE",
          "LSB_DJOB_HOSTFILE", "LSB_MCPU_HOSTS", "PE_HOSTFILE", "FLUX_JOB_ID", "FLUX_URI",
          "PRTE_MCA_prte_default_hostfile"}) {
      unsetenv(name);
    }
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("acre-job-" + std::to_string(getpid()));
};

TEST_F(ThisJob, IsOfNobodyWhereNothingIsSet) {
  EXPECT_THROW(static_cast<void>(nodes_of_this_job()), acre::error);
}

TEST_F(ThisJob, MayBeOfSlurm) {
  setenv("PBS_NODEFILE", "/no/such/file", 1);
  EXPECT_THROW(static_cast<void>(nodes_of_this_job()), acre::error);
  setenv("SLURM_JOB_NODELIST", "a[1-2]", 1);
  EXPECT_THROW(static_cast<void>(nodes_of_this_job()), acre::error);
  setenv("SLURM_JOB_CPUS_PER_NODE", "8(x2)", 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"a1", 8}, {"a2", 8}}));
  setenv("SLURM_TASKS_PER_NODE", "4,2", 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"a1", 4}, {"a2", 2}}));
}

TEST_F(ThisJob, MayBeOfOtherManagers) {
  setenv("PRTE_MCA_prte_default_hostfile", file("prte", "p1 slots=2\n").c_str(), 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"p1", 2}}));
  setenv("PE_HOSTFILE", file("pe", "s1 3 all.q@s1 UNDEFINED\n").c_str(), 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"s1", 3}}));
  setenv("PBS_NODEFILE", file("pbs", "q1\nq1\n").c_str(), 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"q1", 2}}));
  setenv("LSB_MCPU_HOSTS", "l1 4", 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"l1", 4}}));
  setenv("LSB_DJOB_HOSTFILE", file("lsf", "l2\nl3\nl2\n").c_str(), 1);
  EXPECT_EQ(nodes_of_this_job(), (nodes{{"l2", 2}, {"l3", 1}}));
}

TEST_F(ThisJob, OfFluxIsAskedForWithItsCommand) {
  const std::string command =
      file("flux", "#!/bin/sh\n[ \"$*\" = \"job info f12 R\" ] || exit 1\ncat <<'END'\n" +
                       resources + "\nEND\n");
  std::filesystem::permissions(command, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder().string() + ":" + path).c_str(), 1);
  setenv("FLUX_JOB_ID", "f12", 1);
  EXPECT_EQ(nodes_of_this_job().size(), 3U);
  unsetenv("FLUX_JOB_ID");
  setenv("FLUX_URI", "local:///somewhere", 1);
  EXPECT_THROW(static_cast<void>(nodes_of_this_job()), acre::error) << "the command fails";
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace acre::machines
