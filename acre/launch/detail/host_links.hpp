// SPDX-License-Identifier: BSD-3-Clause
// Links between the hosts of a job: by which of its addresses each host reaches each other one,
// found by trying all of them, and a watch that notices when a host cannot be reached any more.
//
// One rank of each host, its leader, has them. A link is a connection of TCP at whose begin both
// sides prove that they know the job's secret: so neither a stranger nor another job's host, nor
// the own host behind a bridge that all hosts have, is taken for a host. The kernels keep each
// other informed that they are there (keep-alive); what the ranks say to each other goes other
// ways.
//
// A host says goodbye on the links that others have made to it. Links that end without are lost.
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

/// What a host's leader says of it to the others.
struct host_introduction {
  std::string name;
  std::uint16_t port = 0;
  std::vector<ip_address> addresses;  ///< best first, at most eight
};
[[nodiscard]] std::vector<std::byte> pack(const host_introduction& mine);
/// @throws acre::error when it is none
[[nodiscard]] host_introduction unpack_host(std::span<const std::byte> packed);

/// Whether host `from` makes a link to host `to`: all to all in jobs of up to 64 hosts; in larger
/// ones to those that are 1, 2, 4, … further on, so that each host is watched by as many as its
/// number has digits.
[[nodiscard]] constexpr bool makes_link(std::size_t from, std::size_t to,
                                        std::size_t hosts) noexcept {
  constexpr std::size_t few = 64;
  return from != to && (hosts <= few || std::has_single_bit((to + hosts - from) % hosts));
}

/// The addresses of a host that answered, a bit each: the lowest is the best.
using answered_addresses = std::uint8_t;

class host_links {
 public:
  /// Listens at all addresses of this host.
  /// @throws acre::error when there is no socket to be had
  host_links();
  ~host_links();
  host_links(const host_links&) = delete;
  host_links& operator=(const host_links&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Tries all addresses of those hosts to which this one makes links, while these do the same, for
  /// at most `patience`.
  /// @return which of them answered, by host
  /// @throws acre::error naming a host that none of its addresses reaches, and what each of them
  /// said;
  ///         or a host that cannot reach this one
  [[nodiscard]] std::vector<answered_addresses> reach(const secret_key& secret, std::size_t self,
                                                      std::span<const host_introduction> hosts,
                                                      std::chrono::milliseconds patience);

  /// How a link ended.
  enum class end_of_link {
    silence,      ///< nothing comes from there any more
    closed_here,  ///< the program has closed its descriptor
    hung_up       ///< the process at the other end has ended: its launcher will know why
  };
  using note_lost = std::function<void(end_of_link how, const std::string& problem)>;

  /// From now on a thread looks after the links, and calls `lost` once when one has ended.
  /// @param silence  so long nothing may be heard of a host
  void watch(std::chrono::milliseconds silence, note_lost lost);

  /// The others may end, and this host does.
  void say_goodbye() noexcept;
  /// Ends all links without a goodbye, as the end of the process does.
  void abandon() noexcept;

 private:
  class meeting;
  struct link {
    descriptor socket;
    std::string to;  ///< "host n2 at 10.0.0.2"
  };

  void look_after(const note_lost& lost);

  descriptor listener_;
  std::uint16_t port_ = 0;
  std::vector<link> made_here_;
  std::vector<descriptor> made_by_others_;
  descriptor wake_;
  std::jthread watcher_;
};

}  // namespace acre::launch
