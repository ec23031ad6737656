// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/host_links.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

namespace {

using namespace acre::launch;
using acre::parse_ip_address;
using acre::secret_key;
using std::chrono::milliseconds;

constexpr secret_key secret{11, 12};

struct hosts {
  explicit hosts(std::size_t count, std::vector<std::string> addresses = {"127.0.0.1"}) {
    for (std::size_t i = 0; i < count; ++i) {
      links.push_back(std::make_unique<host_links>());
      host_handshake made{.name = std::string("h").append(std::to_string(i)),
                          .port = links.back()->port(),
                          .addresses = {}};
      for (const std::string& each : addresses) {
        made.addresses.push_back(parse_ip_address(each).value());
      }
      names.push_back(made);
    }
  }

  struct found {
    std::vector<answered_addresses> answers;
    std::string problem;
  };
  std::vector<found> meet(milliseconds timeout = milliseconds(10'000),
                          const std::vector<secret_key>& secrets = {}) {
    std::vector<found> all(links.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < links.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          all[i].answers =
              links[i]->reach(secrets.empty() ? secret : secrets[i], i, names, timeout);
        } catch (const acre::error& failure) {
          all[i].problem = failure.what();
        }
      });
    }
    threads.clear();
    return all;
  }

  std::vector<std::unique_ptr<host_links>> links;
  std::vector<host_handshake> names;
};

TEST(HostLinks, FindTheAddressesThatAnswer) {
  hosts all(3, {"127.0.0.1", "127.0.0.2"});
  // An unassigned address, and one that refuses connections.
  all.names[1].addresses.front() = parse_ip_address("192.0.2.1").value();
  for (const auto& each : all.meet()) {
    EXPECT_EQ(each.problem, "");
    ASSERT_EQ(each.answers.size(), 3U);
  }
  const auto again = hosts(2).meet();
  EXPECT_EQ(again[0].answers[1], 1U);
  EXPECT_EQ(again[1].answers[0], 1U);
}

TEST(HostLinks, MayBeMoreForAMomentThanTheLimitOfDescriptors) {
  hosts all(4, {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6",
                "127.0.0.7", "127.0.0.8"});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit lower = before;
  lower.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  for (const auto& each : all.meet()) EXPECT_EQ(each.problem, "");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(HostLinks, OfManyHostsAreFewAndEachHostIsWatched) {
  for (const std::size_t count : {2U, 64U, 65U, 100U, 1000U}) {
    for (std::size_t host = 0; host < count; host += 7) {
      std::size_t made = 0;
      std::size_t watched_by = 0;
      for (std::size_t other = 0; other < count; ++other) {
        made += makes_link(host, other, count) ? 1U : 0U;
        watched_by += makes_link(other, host, count) ? 1U : 0U;
      }
      EXPECT_EQ(made,
                count <= 64 ? count - 1 : static_cast<std::size_t>(std::bit_width(count - 1)));
      EXPECT_EQ(watched_by, made);
    }
  }
  for (const auto& each : hosts(70).meet()) EXPECT_EQ(each.problem, "");
}

TEST(HostLinks, TakeNobodyElseForAHost) {
  hosts all(2);
  // All hosts have this address, so each reaches itself.
  all.names[1].port = all.names[0].port;
  const auto found = all.meet(milliseconds(300));
  EXPECT_NE(found[0].problem.find("host h1 cannot be reached from host h0 (127.0.0.1: "),
            std::string::npos)
      << found[0].problem;
  EXPECT_NE(found[0].problem.find("another service answers there"), std::string::npos)
      << found[0].problem;
}

TEST(HostLinks, AreNotMadeWithAnotherJob) {
  hosts all(2);
  const auto found = all.meet(milliseconds(300), {secret, secret_key{11, 13}});
  EXPECT_NE(found[0].problem.find("another service answers there"), std::string::npos)
      << found[0].problem;
  EXPECT_NE(found[1].problem, "");
}

TEST(HostLinks, SayWhichAddressesWereTriedInVain) {
  hosts all(2);
  all.names[1].addresses = {parse_ip_address("127.0.0.1").value(),
                            parse_ip_address("192.0.2.7").value()};
  all.names[1].port = 1;
  const auto found = all.meet(milliseconds(300));
  EXPECT_NE(found[0].problem.find("127.0.0.1: Connection refused; 192.0.2.7: "), std::string::npos)
      << found[0].problem;
  EXPECT_NE(found[0].problem.find("ACRE_INTERFACE"), std::string::npos) << found[0].problem;
  EXPECT_NE(found[1].problem.find("host h0 has not reached host h1"), std::string::npos)
      << found[1].problem;
}

TEST(HostLinks, WithstandIntrudersThatSendNonsense) {
  hosts all(2);
  std::atomic<bool> done{false};
  std::vector<std::jthread> intruders;
  for (int i = 0; i < 4; ++i) {
    intruders.emplace_back([&done, port = all.names[0].port] {
      const acre::socket_address there(parse_ip_address("127.0.0.1").value(), port);
      while (!done) {
        const acre::descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(socket.get(), there.get(), there.bytes) != 0) continue;
        const std::string junk(64, 'x');
        static_cast<void>(::send(socket.get(), junk.data(), junk.size(), MSG_NOSIGNAL));
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    hosts others(2);
    std::swap(others.links[0], all.links[0]);
    std::swap(others.names[0], all.names[0]);
    for (const auto& each : others.meet()) EXPECT_EQ(each.problem, "");
    std::swap(others.links[0], all.links[0]);
    std::swap(others.names[0], all.names[0]);
  }
  done = true;
}

struct heard {
  std::atomic<int> losses{0};
  std::string problem;
  host_links::note_lost note() {
    return [this](host_links::end_of_link, const std::string& why) {
      problem = why;
      ++losses;
    };
  }
};

TEST(HostLinks, EndQuietlyWithAGoodbye) {
  heard lost;
  {
    hosts all(3);
    static_cast<void>(all.meet());
    for (const auto& each : all.links) each->watch(milliseconds(10'000), lost.note());
    for (const auto& each : all.links) each->say_goodbye();
  }
  EXPECT_EQ(lost.losses, 0) << lost.problem;
}

TEST(HostLinks, ThatEndWithoutAreLost) {
  heard lost;
  hosts all(2);
  static_cast<void>(all.meet());
  all.links[0]->watch(milliseconds(10'000), lost.note());
  all.links[1]->abandon();
  for (int i = 0; i < 1000 && lost.losses == 0; ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(lost.losses, 1);
  EXPECT_EQ(lost.problem.find("the link to host h1 at 127.0.0.1 is lost: "), 0U) << lost.problem;
}

TEST(HostHandshake, ArrivesAsItWasSent) {
  const host_handshake sent{
      .name = "n17",
      .port = 4711,
      .addresses = {parse_ip_address("10.0.0.1").value(), parse_ip_address("fd00::1").value()}};
  const host_handshake come = unpack_host(pack(sent));
  EXPECT_EQ(come.name, sent.name);
  EXPECT_EQ(come.port, sent.port);
  EXPECT_EQ(come.addresses, sent.addresses);
  const auto packed = pack(sent);
  for (std::size_t bytes = 0; bytes < packed.size() - sent.name.size(); ++bytes) {
    EXPECT_THROW(static_cast<void>(unpack_host(std::span(packed).first(bytes))), acre::error);
  }
}

}  // namespace
