// SPDX-License-Identifier: BSD-3-Clause
// Random graphs by name: "rmat:20,16000000", "geometric:1000000,0.002", "gnm:1000000,8000000". Each
// member generates its part without communication; the parts of any number of members are one
// list.
#pragma once

#include <apps/graph/edge.hpp>
#include <apps/graph/kronecker.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace acre::graph {

struct generator {
  std::uint64_t vertices;
  double edges;  ///< number, or expected number
  std::function<void(std::uint32_t member, std::uint32_t members, const edge_sink& f)> part;
};

[[nodiscard]] generator generator_of(const kronecker& list);
/// @throws acre::error for an unknown kind, invalid numbers or too many edges
[[nodiscard]] generator generator_of(const std::string& specification, std::uint64_t seed,
                                     direction entries);

}  // namespace acre::graph
