// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/find_bootstrap.hpp>

#include <acre/base/error.hpp>
#include <acre/launch/detail/bootstraps.hpp>
#include <acre/launch/pmi_wire.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace pmi = acre::launch::pmi;
using acre::launch::find_bootstrap;

TEST(PmiCommand, GivesTheValuesOfItsKeys) {
  const pmi::command line("cmd=put kvsname=job key=a-1 value=x=y");
  EXPECT_EQ(line.name(), "put");
  EXPECT_EQ(line.value("key"), "a-1");
  EXPECT_EQ(line.value("value"), "x=y");
  EXPECT_EQ(line.value("val"), std::nullopt);
}

TEST(PmiCommand, StaysValidWhenItIsMovedAndCopied) {
  pmi::command first("cmd=a k=1");
  const pmi::command copy = first;
  const pmi::command moved = std::move(first);
  EXPECT_EQ(copy.value("k"), "1");
  EXPECT_EQ(moved.value("k"), "1");
}

TEST(PmiCommand, SurvivesWhatIsNoCommand) {
  for (const char* text : {"", " ", "=", "cmd", "cmd=", "  cmd  = ", "\t", "= = =", "cmd=x rc"}) {
    const pmi::command line(text);
    EXPECT_EQ(line.value("rc"), std::nullopt) << text;
    EXPECT_EQ(line.number("rc"), std::nullopt) << text;
  }
}

TEST(PmiCommand, TakesOnlyWholeNumbersForNumbers) {
  const pmi::command line("a=12 b=-1 c=1x d= e=99999999999999999999");
  EXPECT_EQ(line.number("a"), 12);
  EXPECT_EQ(line.number("b"), -1);
  for (const char* key : {"c", "d", "e", "f"}) EXPECT_EQ(line.number(key), std::nullopt) << key;
}

TEST(PmiInbox, GivesLinesAndBlocksOnlyWhole) {
  pmi::inbox inbox;
  inbox.append("fir");
  EXPECT_EQ(inbox.line(), std::nullopt);
  inbox.append("st\n\nab\nc");
  EXPECT_EQ(inbox.line(), "first");
  EXPECT_EQ(inbox.line(), "");
  EXPECT_EQ(inbox.block(5), std::nullopt);
  EXPECT_EQ(inbox.block(4), "ab\nc");
  EXPECT_EQ(inbox.block(0), "");
  EXPECT_EQ(inbox.waiting(), 0U);
}

TEST(PmiWire, BringsBytesThroughHexadecimalAndBack) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  const auto back = pmi::from_hex(pmi::to_hex(pmi::as_bytes(all)));
  ASSERT_TRUE(back);
  EXPECT_EQ(pmi::as_text(*back), all);
  for (const char* wrong : {"0", "0g", "zz", "00 0"}) EXPECT_FALSE(pmi::from_hex(wrong)) << wrong;
}

TEST(PmiWire, UnpacksWhatItPackedAndNothingElse) {
  const std::vector<std::string> pieces{"", "one", std::string(100'000, '\n')};
  const std::string packed = pmi::pack(pieces);
  const auto back = pmi::unpack(packed, 3);
  ASSERT_TRUE(back);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(pmi::as_text((*back)[i]), pieces[i]);
  EXPECT_FALSE(pmi::unpack(packed, 2));
  EXPECT_FALSE(pmi::unpack(packed, 4));
  EXPECT_FALSE(pmi::unpack(packed.substr(0, packed.size() - 1), 3));
  EXPECT_FALSE(pmi::unpack("abc", 1));
}

using answers = std::function<std::optional<std::string>(const pmi::command&)>;

class launcher {
 public:
  explicit launcher(answers answer) {
    int both[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0) throw std::runtime_error("socketpair");
    rank_end = both[0];
    thread_ =
        std::thread([number = both[1], answer = std::move(answer)] { serve(number, answer); });
  }
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;
  ~launcher() {
    ::close(rank_end);
    thread_.join();
  }
  int rank_end;

 private:
  static void serve(int number, const answers& answer) {
    pmi::inbox inbox;
    char buffer[4096];
    bool talking = true;
    while (talking) {
      const ssize_t got = ::recv(number, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      inbox.append({buffer, static_cast<std::size_t>(got)});
      while (auto line = inbox.line()) {
        const auto reply = answer(pmi::command(*line));
        talking = reply.has_value();
        if (!talking) break;
        for (const char each : *reply) ::send(number, &each, 1, MSG_NOSIGNAL);
      }
    }
    ::close(number);
  }
  std::thread thread_;
};

class environment {
 public:
  explicit environment(const std::map<std::string, std::string>& variables) {
    for (const char* each :
         {"PMI_FD", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "ACRE_LAUNCHER",
          "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_ID", "PMI_JOBID"}) {
      const char* before = std::getenv(each);
      before_[each] = before == nullptr ? std::nullopt : std::optional<std::string>(before);
      ::unsetenv(each);
    }
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() {
    for (const auto& [name, value] : before_) {
      ::unsetenv(name.c_str());
      if (value) ::setenv(name.c_str(), value->c_str(), 1);
    }
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

environment as_rank(const launcher& of, const char* rank, const char* size) {
  return environment(
      {{"PMI_FD", std::to_string(of.rank_end)}, {"PMI_RANK", rank}, {"PMI_SIZE", size}});
}

answers plain_server(std::size_t room, std::map<std::string, std::string>& values,
                     std::size_t& longest) {
  return [room, &values, &longest](const pmi::command& line) -> std::optional<std::string> {
    longest = std::max(longest, line.line().size());
    const auto name = line.name();
    if (name == "init") return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
    if (name == "get_maxes") {
      return "cmd=maxes kvsname_max=64 keylen_max=32 vallen_max=" + std::to_string(room) + "\n";
    }
    if (name == "get_my_kvsname") return "cmd=my_kvsname kvsname=kvs:1/x\n";
    if (name == "barrier_in") return "cmd=barrier_out\n";
    if (name == "finalize") return "cmd=finalize_ack\n";
    const std::string key(line.value("key").value_or(""));
    if (name == "put") {
      const std::string value(line.value("value").value_or(""));
      if (value.size() >= room) return "cmd=put_result rc=-1 msg=value_too_long\n";
      values[key] = value;
      values["acre-" + key.substr(5, 2) + "1" + key.substr(8)] = value;
      return "cmd=put_result rc=0 msg=success\n";
    }
    if (name == "get" && values.contains(key)) {
      return "cmd=get_result rc=0 msg=success value=" + values[key] + "\n";
    }
    return "cmd=get_result rc=-1 msg=no_such_key\n";
  };
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const acre::error& problem) {
    return problem.what();
  }
  return "no error";
}

TEST(Bootstrap, IsAJobOfOneWithoutALauncher) {
  const environment none({});
  const auto job = find_bootstrap();
  EXPECT_EQ(job->rank(), 0U);
  EXPECT_EQ(job->size(), 1U);
  EXPECT_NE(job->job_name(), find_bootstrap()->job_name());
  const auto all = job->exchange(pmi::as_bytes("mine"));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(pmi::as_text(all[0]), "mine");
  job->finish();
}

TEST(Bootstrap, RefusesToBeOneOfManyTasksThatSrunStartedWithoutPmi) {
  {
    const environment task({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}});
    const std::string message = message_of([] { (void)find_bootstrap(); });
    EXPECT_NE(message.find("srun started 2 tasks"), std::string::npos) << message;
    EXPECT_NE(message.find("--mpi=pmix"), std::string::npos) << message;
  }
  {
    const environment task({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
    EXPECT_EQ(find_bootstrap()->size(), 1U);
  }
  const environment alone(
      {{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}, {"ACRE_LAUNCHER", "none"}});
  EXPECT_EQ(find_bootstrap()->size(), 1U);
}

TEST(Bootstrap, IsAloneBesideALauncherWhenItIsToldSo) {
  const launcher server([](const pmi::command&) { return std::nullopt; });
  const environment set({{"PMI_FD", std::to_string(server.rank_end)},
                         {"PMI_RANK", "0"},
                         {"PMI_SIZE", "4"},
                         {"ACRE_LAUNCHER", "none"}});
  EXPECT_EQ(find_bootstrap()->size(), 1U);
  const environment wrong({{"ACRE_LAUNCHER", "srun"}});
  const std::string message = message_of([] { (void)find_bootstrap(); });
  EXPECT_NE(message.find("ACRE_LAUNCHER: \"srun\" is invalid"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("valid value: none")) << message;
}

TEST(Bootstrap, CutsValuesIntoPiecesThatTheServerTakes) {
  for (const std::size_t room : {16U, 100U, 100'000U}) {
    std::map<std::string, std::string> values;
    std::size_t longest = 0;
    const launcher server(plain_server(room, values, longest));
    const auto set = as_rank(server, "0", "2");
    const auto job = find_bootstrap();
    EXPECT_EQ(job->job_name(), "kvs-1-x");
    for (const std::size_t size : {0U, 1U, 4U, 5U, 6U, 7U, 10'240U}) {
      const std::string mine(size, '\xa5');
      const auto all = job->exchange(pmi::as_bytes(mine));
      ASSERT_EQ(all.size(), 2U);
      EXPECT_EQ(pmi::as_text(all[0]), mine);
      EXPECT_EQ(pmi::as_text(all[1]), mine);
    }
    job->finish();
    EXPECT_LE(longest, 1000U);
  }
}

TEST(Bootstrap, CarriesOneConversationThroughAllJobsOfAProcess) {
  std::map<std::string, std::string> values;
  std::size_t longest = 0;
  std::map<std::string, int> said;
  {
    const launcher server(
        [&, plain = plain_server(1000, values, longest)](const pmi::command& line) {
          ++said[std::string(line.name())];
          return plain(line);
        });
    const auto set = as_rank(server, "0", "2");
    for (const std::string mine : {"first", "second", "third"}) {
      const auto job = find_bootstrap();
      const auto all = job->exchange(pmi::as_bytes(mine));
      ASSERT_EQ(all.size(), 2U);
      EXPECT_EQ(pmi::as_text(all[1]), mine);
      job->finish();
    }
  }
  EXPECT_EQ(said["init"], 1);
  EXPECT_EQ(said["finalize"], 0);
}

TEST(Bootstrap, SaysWhenTheServerHasNoRoomAtAll) {
  for (const std::size_t room : {0U, 1U}) {
    std::map<std::string, std::string> values;
    std::size_t longest = 0;
    const launcher server(plain_server(room, values, longest));
    const auto set = as_rank(server, "0", "2");
    const auto job = find_bootstrap();
    EXPECT_NE(message_of([&] { (void)job->exchange({}); }).find("limits values to"),
              std::string::npos);
  }
}

TEST(Bootstrap, SaysThatTheLauncherIsLostWhenItHangsUp) {
  const launcher server([](const pmi::command& line) -> std::optional<std::string> {
    if (line.name() != "init") return std::nullopt;
    return "cmd=response_to_init rc=0 acre=1 kvsname=job\n";
  });
  const auto set = as_rank(server, "1", "2");
  const auto job = find_bootstrap();
  EXPECT_NE(message_of([&] { (void)job->exchange({}); }).find("the launcher is lost"),
            std::string::npos);
  EXPECT_NE(message_of([&] { job->finish(); }).find("the launcher is lost"), std::string::npos);
}

TEST(Bootstrap, RepeatsAnAnswerThatItDoesNotUnderstand) {
  for (const char* answer : {"cmd=response_to_init rc=-1\n", "hello\n", "\n", "cmd=maxes rc=0\n",
                             "cmd=response_to_init rc=0 acre=1\n"}) {
    const launcher server([answer](const pmi::command&) { return std::string(answer); });
    const auto set = as_rank(server, "0", "1");
    const std::string message = message_of([] { (void)find_bootstrap(); });
    EXPECT_NE(message.find("the launcher answered \""), std::string::npos) << answer;
  }
}

TEST(Bootstrap, RefusesDamagedPieces) {
  for (const char* answer : {"cmd=acre_exchanged bytes=3\nabc", "cmd=acre_exchanged bytes=-1\n",
                             "cmd=acre_exchanged\n"}) {
    const launcher server([answer](const pmi::command& line) -> std::optional<std::string> {
      if (line.name() == "init") return "cmd=response_to_init rc=0 acre=1 kvsname=job\n";
      return answer;
    });
    const auto set = as_rank(server, "0", "2");
    const auto job = find_bootstrap();
    EXPECT_NE(message_of([&] { (void)job->exchange({}); }).find("the launcher answered"),
              std::string::npos)
        << answer;
  }
}

TEST(Bootstrap, NamesWhatIsWrongInTheEnvironment) {
  {
    const environment set({{"PMI_FD", "987654"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "1"}});
    EXPECT_NE(message_of([] { (void)find_bootstrap(); }).find("PMI_FD=987654"), std::string::npos);
  }
  const launcher server([](const pmi::command&) { return std::nullopt; });
  {
    const auto set = as_rank(server, "", "4");
    EXPECT_NE(message_of([] { (void)find_bootstrap(); }).find("PMI_RANK"), std::string::npos);
  }
  {
    const auto set = as_rank(server, "4", "4");
    EXPECT_NE(message_of([] { (void)find_bootstrap(); }).find("PMI_RANK=4"), std::string::npos);
  }
}

std::map<std::string, std::string> given_by_slurm(const launcher& server, int rank) {
  return {{"PMI_FD", std::to_string(server.rank_end)},
          {"PMI_RANK", std::to_string(rank)},
          {"PMI_SIZE", "2"},
          {"PMI_JOBID", "7.0"},
          {"SLURM_STEP_ID", "0"}};
}

struct end_of_rank {
  int status;
  std::string aborted;
};

end_of_rank end_rank_by(const std::function<void()>& die) {
  std::map<std::string, std::string> values;
  std::size_t longest = 0;
  std::promise<std::string> aborted;
  const launcher server([&, plain = plain_server(1000, values, longest)](const pmi::command& line) {
    if (line.name() != "abort") return plain(line);
    aborted.set_value(line.line());
    return std::optional<std::string>();
  });
  const environment set(given_by_slurm(server, 1));
  const pid_t rank = ::fork();
  if (rank == 0) {
    const auto job = find_bootstrap();
    [&]() noexcept { die(); }();
    ::_exit(99);
  }
  end_of_rank end{};
  ::waitpid(rank, &end.status, 0);
  auto line = aborted.get_future();
  if (line.wait_for(std::chrono::seconds(20)) == std::future_status::ready)
    end.aborted = line.get();
  return end;
}

TEST(BootstrapOfSlurm, EndsTheJobOfARankThatIsKilled) {
  const auto end = end_rank_by([] { ::raise(SIGKILL); });
  EXPECT_TRUE(WIFSIGNALED(end.status));
  EXPECT_EQ(end.aborted, "cmd=abort exitcode=1");
}

TEST(BootstrapOfSlurm, EndsTheJobOfARankThatExits) {
  const auto end = end_rank_by([] { std::exit(0); });
  EXPECT_EQ(WEXITSTATUS(end.status), 1);
  EXPECT_EQ(end.aborted, "cmd=abort exitcode=1");
}

TEST(BootstrapOfSlurm, EndsTheJobOfARankWhoseErrorNobodyCatches) {
  const auto end = end_rank_by([] { throw acre::error("call", "it is wrong"); });
  EXPECT_EQ(WEXITSTATUS(end.status), 134);
  EXPECT_EQ(end.aborted, "cmd=abort exitcode=134");
}

TEST(BootstrapOfSlurm, LeavesAJobAloneThatIsFinished) {
  std::map<std::string, std::string> values;
  std::size_t longest = 0;
  std::atomic<bool> aborted = false;
  {
    const launcher server(
        [&, plain = plain_server(1000, values, longest)](const pmi::command& line) {
          if (line.name() == "abort") aborted = true;
          return plain(line);
        });
    const environment set(given_by_slurm(server, 0));
    const pid_t rank = ::fork();
    if (rank == 0) {
      find_bootstrap()->finish();
      std::exit(0);
    }
    int status = 0;
    ::waitpid(rank, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_FALSE(aborted);
}

TEST(BootstrapDeathTest, AbortAloneSaysWhyAndEndsWithTheStatus) {
  const environment none({});
  EXPECT_EXIT(find_bootstrap()->abort(7, "no reason"), testing::ExitedWithCode(7),
              "acre: .*no reason");
}

}  // namespace
