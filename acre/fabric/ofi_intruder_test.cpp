// SPDX-License-Identifier: BSD-3-Clause
// Attacks by a process that knows everything except the job's secret.
#include <acre/fabric/conformance_test.hpp>
#include <acre/fabric/ofi.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_provider.hpp>
#include <acre/fabric/ofi_put.hpp>
#include <acre/fabric/seals.hpp>

#include <gtest/gtest.h>
#include <rdma/fi_atomic.h>

#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace acre::fabric {
namespace {

constexpr secret_key secret{0x1234, 0x5678};
constexpr std::byte untouched{0x5A};

conduit_options options_with_secret(rank_t self) {
  return {.job = "acre-intruder-test-" + std::to_string(::getpid()),
          .self = self,
          .size = 2,
          .single_host = true,
          .secret = secret};
}

class besieged {
 public:
  explicit besieged(const std::string& provider) {
    for (rank_t rank = 0; rank < 2; ++rank) {
      auto opened = std::make_unique<ofi>(options_with_secret(rank), provider);
      memory_[rank].assign(region_bytes, untouched);
      opened->register_region(segment_region, memory_[rank].data(), region_bytes);
      descriptors_.push_back(opened->descriptor());
      ranks_.push_back(std::move(opened));
    }
    for (rank_t rank = 0; rank < 2; ++rank) ranks_[rank]->connect(rank, descriptors_);
  }

  void pump() {
    for (rank_t rank = 0; rank < 2; ++rank) ranks_[rank]->progress(boxes_[rank]);
  }
  template <class Condition>
  void pump_until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      pump();
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    }
  }

  void talk(word number) {
    const message_header header{.handler = 1, .argument_count = 1, .source = 0};
    while (!ranks_[0]->try_send(1, header, &number, nullptr)) pump();
    pump_until([&] { return !boxes_[1].words.empty(); });
    EXPECT_EQ(boxes_[1].words, std::vector<word>{number});
    boxes_[1].words.clear();
  }
  void put(std::uint64_t value) {
    while (!ranks_[0]->try_put(1, segment_region, 64, &value, sizeof value)) pump();
    pump_until([&] {
      static_cast<void>(ranks_[0]->line().read(ranks_[0]->line().counter));
      std::uint64_t there = 0;
      std::memcpy(&there, memory_[1].data() + 64, sizeof there);
      return there == value;
    });
    std::fill_n(memory_[1].data() + 64, sizeof value, untouched);
  }

  [[nodiscard]] std::vector<std::byte> address() const {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, descriptors_[1].data(), sizeof bytes);
    return {descriptors_[1].begin() + sizeof bytes, descriptors_[1].begin() + sizeof bytes + bytes};
  }
  [[nodiscard]] std::size_t refused() const { return boxes_[1].refused; }
  [[nodiscard]] bool heard_nothing() const { return boxes_[1].words.empty(); }
  [[nodiscard]] bool untouched_memory() const {
    return memory_[1] == std::vector<std::byte>(region_bytes, untouched);
  }

 private:
  struct box final : receiver {
    std::vector<word> words;
    std::size_t refused = 0;
    void deliver(const message& received) override { words.push_back(received.arguments[0]); }
    void note_refused() noexcept override { ++refused; }
  };

  std::array<std::vector<std::byte>, 2> memory_;
  std::vector<std::vector<std::byte>> descriptors_;
  std::vector<std::unique_ptr<ofi>> ranks_;
  std::array<box, 2> boxes_;
};

class intruder {
 public:
  intruder(std::string provider, std::vector<std::byte> victim)
      : provider_(std::move(provider)), victim_(std::move(victim)) {
    open();
  }

  template <class Issue>
  void attempt(besieged& job, Issue issue) {
    if (!endpoint_) open();
    for (int tries = 0; tries < 200; ++tries) {
      const ssize_t result = issue(endpoint_->endpoint.get());
      if (result == 0) break;
      poll();
      job.pump();
      if (result != -FI_EAGAIN) {
        endpoint_.reset();
        return;
      }
    }
    const std::size_t refused = job.refused();
    for (int rounds = 0; rounds < 200 && !failed_ && job.refused() == refused; ++rounds) {
      job.pump();
      poll();
    }
    if (failed_) endpoint_.reset();
  }

  void wait_for_end_of(besieged& job) {
    for (int rounds = 0; rounds < 100 && endpoint_; ++rounds) {
      job.pump();
      poll();
    }
  }

 private:
  void open() {
    const ofi_request request{.provider = provider_};
    endpoint_.emplace(*find_ofi(request, {.single_host = true}), nullptr);
    endpoint_->insert(victim_, 0);
    failed_ = false;
  }
  void poll() {
    std::array<fi_cq_data_entry, 8> entries;
    const ssize_t count = fi_cq_read(endpoint_->queue.get(), entries.data(), entries.size());
    if (count != -FI_EAVAIL) return;
    fi_cq_err_entry failure{};
    static_cast<void>(fi_cq_readerr(endpoint_->queue.get(), &failure, 0));
    failed_ = true;
  }

  std::string provider_;
  std::vector<std::byte> victim_;
  std::optional<ofi_endpoint> endpoint_;
  bool failed_ = false;
};

class Intruders : public testing::TestWithParam<const char*> {
 protected:
  void besiege(unsigned tries);
  void send_large(unsigned tries);
};

INSTANTIATE_TEST_SUITE_P(Ofi, Intruders, testing::Values("tcp;ofi_rxm", "sockets", "udp;ofi_rxd"),
                         [](const auto& provider) {
                           std::string name = provider.param;
                           std::erase_if(name, [](char c) { return c == ';' || c == '_'; });
                           return name;
                         });

void Intruders::besiege(unsigned tries) {
  besieged job(GetParam());
  job.talk(1);
  job.put(2);
  intruder who(GetParam(), job.address());
  std::mt19937_64 chance(7);
  std::array<std::byte, 64> words{};
  const auto some_key = [&](unsigned i) { return i % 4 < 2 ? i % 4 : chance(); };

  for (unsigned i = 0; i < tries; ++i) {
    who.attempt(job, [&](fid_ep* end) {
      return issue_get(end, words.data(), words.size(), 0, 64 * i % 4096, some_key(i), nullptr, 0);
    });
    EXPECT_EQ(words, (std::array<std::byte, 64>{})) << "something was read";
  }
  for (unsigned i = 0; i < tries; ++i) {
    who.attempt(job, [&](fid_ep* end) {
      return issue_put(end, words.data(), words.size(), 0, 64 * i % 4096, some_key(i), nullptr, 0);
    });
  }
  job.talk(3);
  job.put(4);
  EXPECT_TRUE(job.untouched_memory());

  const std::size_t refused_before = job.refused();
  // A provider may send nothing more after an unanswered operation.
  intruder sender(GetParam(), job.address());
  const auto kind = base::processor_has_aes() ? seal_kind::aes : seal_kind::siphash;
  message_seals recorded(kind, derive_key(secret, key_purpose::messages), 0, 2);
  message_seals other_job(kind, {3, 4}, 0, 2);
  for (unsigned i = 0; i < tries; ++i) {
    std::array<std::uint64_t, 8> message{};
    for (auto& each : message) each = chance();
    const message_header header{.handler = 1, .argument_count = 1, .source = 0};
    if (i % 3 != 0) {
      const message_head head{.header = header};
      std::memcpy(message.data(), &head, sizeof head);
      (i % 3 == 1 ? recorded : other_job).seal_and_send(1, message.data(), [] { return 1; });
    }
    const std::size_t bytes = i % 3 == 0 ? chance() % sizeof message : 4 * sizeof(std::uint64_t);
    sender.attempt(job, [&](fid_ep* end) { return fi_inject(end, message.data(), bytes, 0); });
    ASSERT_TRUE(job.heard_nothing());
  }
  sender.wait_for_end_of(job);
  EXPECT_GT(job.refused(), refused_before + tries / 2);
  job.talk(5);
  job.put(6);
  EXPECT_TRUE(job.untouched_memory());
}

TEST_P(Intruders, ReadNothingWriteNothingAndAreNotHeard) { besiege(60); }

// `sockets` crashes in the attacker after some hundred failures.
class IntrudersAtLength : public Intruders {};
INSTANTIATE_TEST_SUITE_P(Ofi, IntrudersAtLength, testing::Values("tcp;ofi_rxm", "udp;ofi_rxd"));
TEST_P(IntrudersAtLength, ReadNothingWriteNothingAndAreNotHeardHoweverOftenTheyTry) {
  besiege(10'000);
}

TEST_P(Intruders, AreCountedAlsoWhenTheySayNothing) {
  besieged job(GetParam());
  job.talk(1);
  intruder who(GetParam(), job.address());
  for (int tries = 0; tries < 100 && job.refused() == 0; ++tries) {
    who.attempt(job, [](fid_ep* end) { return fi_inject(end, nullptr, 0, 0); });
    who.wait_for_end_of(job);
  }
  EXPECT_GT(job.refused(), 0U);
  job.talk(2);
}

void Intruders::send_large(unsigned tries) {
  besieged job(GetParam());
  job.talk(1);
  intruder who(GetParam(), job.address());
  const std::vector<std::byte> large(200'000);
  fi_context2 context{};
  const iovec piece{const_cast<std::byte*>(large.data()), large.size()};
  const fi_msg message{.msg_iov = &piece,
                       .desc = nullptr,
                       .iov_count = 1,
                       .addr = 0,
                       .context = &context,
                       .data = 0};
  for (unsigned i = 0; i < tries; ++i) {
    who.attempt(job, [&](fid_ep* end) { return fi_sendmsg(end, &message, FI_COMPLETION); });
  }
  who.wait_for_end_of(job);
  for (word i = 2; i < 100; ++i) job.talk(i);
}

TEST_P(Intruders, WithMessagesThatAreTooLargeEndNothing) { send_large(1); }

TEST_P(IntrudersAtLength, WithMessagesThatAreTooLargeEndNothingHoweverManyTheySend) {
  send_large(12'000);
}

}  // namespace
}  // namespace acre::fabric
