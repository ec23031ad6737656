// SPDX-License-Identifier: BSD-3-Clause
// Conformance tests of conduits. Instantiate over makers of ranks in one process:
//
//     INSTANTIATE_TEST_SUITE_P(Mine, Conformance, testing::Values(conduit_maker{...}),
//     name_of_maker);
#pragma once

#include <acre/fabric/conduit.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace acre::fabric {

inline constexpr std::size_t region_bytes = 4 << 20;

struct conduit_maker {
  std::string name;
  std::function<std::vector<std::unique_ptr<conduit>>(rank_t size)> open;
  /// Opens conduits with the smallest limits that the interface permits.
  std::function<std::vector<std::unique_ptr<conduit>>(rank_t size)> open_tiny;
};

struct kept_messages final : receiver {
  struct received_message {
    message_header header;
    std::vector<word> arguments;
    std::vector<std::byte> payload;
  };
  std::vector<received_message> messages;

  void deliver(const message& received) override;
};

[[nodiscard]] std::vector<std::byte> random_bytes(std::size_t bytes, unsigned seed);

class connected_ranks {
  std::vector<std::vector<std::byte>> own_memory_;

 public:
  explicit connected_ranks(std::vector<std::unique_ptr<conduit>> opened);

  void pump();

  template <class Condition>
  void pump_until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      pump();
      if (std::chrono::steady_clock::now() > deadline) {
        throw std::runtime_error("the test exceeds its timeout");
      }
    }
  }

  void quiet(rank_t rank);

  void put(std::uint64_t offset, const void* source, std::size_t bytes);
  void get(std::uint64_t offset, void* destination, std::size_t bytes);
  void put_box(std::uint64_t offset, const std::byte* source, const box& shape);
  void get_box(std::uint64_t offset, std::byte* destination, const box& shape);

  void send(rank_t from, rank_t to, const message_header& header, const word* arguments,
            const void* payload);

  [[nodiscard]] const capabilities& offers() const { return ranks.front()->offers(); }

  std::vector<std::unique_ptr<conduit>> ranks;
  std::vector<std::span<std::byte>> memory;
  std::vector<kept_messages> boxes;
};

struct numbered_message {
  message_header header;
  std::vector<word> arguments;
  std::vector<std::byte> payload;

  numbered_message(rank_t from, unsigned i, std::size_t max_payload);
};

void send_many_both_ways(connected_ranks& job, unsigned count);

class Conformance : public testing::TestWithParam<conduit_maker> {};

[[nodiscard]] inline std::string name_of_maker(const testing::TestParamInfo<conduit_maker>& maker) {
  return maker.param.name;
}

}  // namespace acre::fabric
