// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/results.hpp>

#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team_file.hpp>

#include <cstddef>

namespace acre::graph {

void store_texts(const team& members, const std::string& path, std::string_view own) {
  auto file = global::team_file::create(members, path, "acre-graph", site::current());
  file.share();
  const std::size_t offset = members.exclusive_scan(own.size(), std::size_t{0});
  file.write(offset, std::as_bytes(std::span(own)));
  file.finish();
}

}  // namespace acre::graph
