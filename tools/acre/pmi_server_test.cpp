// SPDX-License-Identifier: BSD-3-Clause
#include "pmi_server.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using acre::tool::pmi_server;
using stage = pmi_server::stage;

std::string told(pmi_server& server, acre::fabric::rank_t rank) {
  std::string text;
  while (!server.outgoing(rank).empty()) {
    text += server.outgoing(rank).substr(0, 1);
    server.sent(rank, 1);
  }
  return text;
}

std::string ask(pmi_server& server, acre::fabric::rank_t rank, std::string_view question) {
  server.receive(rank, question);
  return told(server, rank);
}

TEST(PmiServer, KnowsWhoIsInsideTheJob) {
  pmi_server server(2, "job");
  EXPECT_EQ(server.stage_of(1), stage::outside);
  EXPECT_EQ(ask(server, 1, "cmd=init pmi_version=1 pmi_subversion=1\n"),
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 acre=1 kvsname=job\n");
  EXPECT_EQ(server.stage_of(1), stage::inside);
  EXPECT_EQ(ask(server, 1, "cmd=finalize\n"), "cmd=finalize_ack\n");
  EXPECT_EQ(server.stage_of(1), stage::finished);
  EXPECT_EQ(server.stage_of(0), stage::outside);
}

TEST(PmiServer, RefusesOtherVersions) {
  pmi_server server(1, "job");
  EXPECT_NE(ask(server, 0, "cmd=init pmi_version=2 pmi_subversion=0\n").find("rc=-1"),
            std::string::npos);
  EXPECT_EQ(server.stage_of(0), stage::outside);
}

TEST(PmiServer, KeepsValuesForAllRanks) {
  pmi_server server(2, "job");
  EXPECT_NE(ask(server, 0, "cmd=get kvsname=job key=a\n").find("rc=-1"), std::string::npos);
  EXPECT_EQ(ask(server, 1, "cmd=put kvsname=job key=a value=x\n"),
            "cmd=put_result rc=0 msg=success\n");
  EXPECT_EQ(ask(server, 0, "cmd=get kvsname=job key=a\n"),
            "cmd=get_result rc=0 msg=success value=x\n");
  EXPECT_NE(ask(server, 0, "cmd=put kvsname=job\n").find("rc=-1"), std::string::npos);
}

TEST(PmiServer, TellsMpiLibrariesThatAllRanksShareANode) {
  pmi_server server(3, "job");
  EXPECT_EQ(ask(server, 0, "cmd=get kvsname=job key=PMI_process_mapping\n"),
            "cmd=get_result rc=0 msg=success value=(vector,(0,1,3))\n");
}

TEST(PmiServer, GivesEachRankTheNumberOfItsProgram) {
  pmi_server server(2, "job");
  server.set_program(1, 3);
  EXPECT_EQ(ask(server, 0, "cmd=get_appnum\n"), "cmd=appnum appnum=0\n");
  EXPECT_EQ(ask(server, 1, "cmd=get_appnum\n"), "cmd=appnum appnum=3\n");
}

TEST(PmiServer, OpensABarrierWhenAllAreInAndCanDoItAgain) {
  pmi_server server(3, "job");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(ask(server, 0, "cmd=barrier_in\n"), "");
    EXPECT_EQ(ask(server, 2, "cmd=barrier_in\n"), "");
    EXPECT_EQ(server.waiting(), 2U);
    (void)server.pop_ready();
    EXPECT_EQ(ask(server, 1, "cmd=barrier_in\n"), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(server.pop_ready().size(), 3U);
    EXPECT_EQ(told(server, 0), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(told(server, 2), "cmd=barrier_out rc=0\n");
    EXPECT_EQ(server.waiting(), 0U);
  }
}

TEST(PmiServer, ExchangesBlocksThatComeInPiecesAndMayHoldAnything) {
  pmi_server server(2, "job");
  for (const char each : std::string("cmd=acre_exchange bytes=4\na\nb\n")) {
    server.receive(0, std::string_view(&each, 1));
  }
  EXPECT_EQ(server.waiting(), 1U);
  server.receive(1, "cmd=acre_exchange bytes=0\ncmd=get_appnum\n");
  const std::string packed("cmd=acre_exchanged bytes=12\n\4\0\0\0a\nb\n\0\0\0\0", 40);
  EXPECT_EQ(told(server, 0), packed);
  EXPECT_EQ(told(server, 1), packed + "cmd=appnum appnum=0\n");
}

TEST(PmiServer, RefusesAnExchangeOfImpossibleSize) {
  pmi_server server(1, "job");
  for (const char* bytes : {"-1", "x", "99999999999"}) {
    EXPECT_NE(ask(server, 0, std::string("cmd=acre_exchange bytes=") + bytes + "\n").find("rc=-1"),
              std::string::npos);
  }
  EXPECT_EQ(server.waiting(), 0U);
}

TEST(PmiServer, PassesOnTheFirstAbortOnce) {
  pmi_server server(3, "job");
  EXPECT_FALSE(server.pop_abort());
  server.receive(2, "cmd=abort exitcode=5 why=6e6f\n");
  server.receive(1, "cmd=abort exitcode=6\n");
  const auto request = server.pop_abort();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->rank, 2U);
  EXPECT_EQ(request->status, 5);
  EXPECT_EQ(request->why, "no");
  EXPECT_FALSE(server.pop_abort());
}

TEST(PmiServer, RefusesToSpawnAndSkipsTheRequest) {
  pmi_server server(1, "job");
  EXPECT_EQ(ask(server, 0, "mcmd=spawn\nnprocs=2\nexecname=x\nendcmd\ncmd=get_appnum\n"),
            "cmd=spawn_result rc=-1 msg=acre_run_cannot_spawn\ncmd=appnum appnum=0\n");
}

TEST(PmiServer, SurvivesNoise) {
  pmi_server server(1, "job");
  EXPECT_EQ(ask(server, 0, "\n"), "cmd=error rc=-1 msg=unknown_command\n");
  EXPECT_EQ(ask(server, 0, std::string(1000, 'x') + "\n"), "cmd=error rc=-1 msg=unknown_command\n");
  server.receive(0, std::string(100'000, 'x'));
  EXPECT_TRUE(server.pop_abort());
}

}  // namespace
