// SPDX-License-Identifier: BSD-3-Clause
// TCP connections between the leaders (first ranks) of a job's hosts, which determine the usable
// addresses of each host and detect an unreachable one by keep-alive.
//
// Both sides prove knowledge of the job's secret, which excludes other jobs, and the own host at an
// address that all hosts share (bridges). A link without the accepting host's disconnect notice is
// lost.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/base/ip_address.hpp>
#include <acre/base/keyed_hash.hpp>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace acre::launch {

struct host_handshake {
  std::string name;
  std::uint16_t port = 0;
  std::vector<ip_address> addresses;
};
[[nodiscard]] std::vector<std::byte> pack(const host_handshake& mine);
[[nodiscard]] host_handshake unpack_host(std::span<const std::byte> packed);

/// True if host `from` makes a link to host `to`: all pairs up to 64 hosts, otherwise distances 1,
/// 2, 4, …
[[nodiscard]] constexpr bool makes_link(std::size_t from, std::size_t to,
                                        std::size_t hosts) noexcept {
  constexpr std::size_t few = 64;
  return from != to && (hosts <= few || std::has_single_bit((to + hosts - from) % hosts));
}

/// Bit i: address i answered (0 is best).
using answered_addresses = std::uint8_t;

class host_links {
 public:
  /// Listens on all addresses.
  host_links();
  ~host_links();
  host_links(const host_links&) = delete;
  host_links& operator=(const host_links&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Makes this host's links within `timeout`. Collective over the leaders.
  /// @return addresses that answered, by host
  /// @throws acre::error naming an unreachable host with all failures, or one that cannot reach
  /// this host
  [[nodiscard]] std::vector<answered_addresses> reach(const secret_key& secret, std::size_t self,
                                                      std::span<const host_handshake> hosts,
                                                      std::chrono::milliseconds timeout);

  enum class end_of_link { silence, closed_here, hung_up };
  using note_lost = std::function<void(end_of_link how, const std::string& problem)>;

  /// Starts a thread that watches the links and calls `lost` once.
  /// @param silence after which a host counts as lost
  void watch(std::chrono::milliseconds silence, note_lost lost);

  void say_goodbye() noexcept;
  void abandon() noexcept;

 private:
  class meeting;
  struct link {
    descriptor socket;
    std::string to;
  };

  void look_after(std::chrono::milliseconds silence, const note_lost& lost);

  descriptor listener_;
  std::uint16_t port_ = 0;
  std::vector<link> made_here_;
  std::vector<descriptor> made_by_others_;
  descriptor wake_;
  std::thread watcher_;
};

}  // namespace acre::launch
