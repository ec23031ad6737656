// SPDX-License-Identifier: BSD-3-Clause
// Reads of containers at other nodes: by a get, or by a message that the owner answers.
//
//     acre::set_read_way(acre::read_way::message);   // or ACRE_READ_WAY=message
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre {

enum class read_way : std::uint8_t {
  automatic,  ///< the faster of the two, by the network and the number of bytes
  get,        ///< R: the owner's program takes no part
  message     ///< 2 M
};

/// Sets the way of this rank's later reads where both are possible: hash_map::find() with
/// only<find>, bloom_filter::find(). Initially ACRE_READ_WAY, else automatic. Any thread. l.
void set_read_way(read_way way);
/// l.
[[nodiscard]] read_way get_read_way();

namespace container {

/// Over networks in software, as TCP, the largest read that is a get
/// (docs/decisions/032-find-by-get.md).
inline constexpr std::size_t most_software_get = 4096;

/// True if a read of `bytes` bytes from another node is a get.
[[nodiscard]] bool reads_by_get(std::size_t bytes);

}  // namespace container
}  // namespace acre
