// SPDX-License-Identifier: BSD-3-Clause
// Teams of consecutive members, and of members that share a part of a machine.
#include <acre/base/bits.hpp>
#include <acre/base/cpu_domains.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre {

namespace {

/// Equal for ranks that share a part of a machine.
struct part_of_machine {
  std::uint32_t node;
  std::uint64_t domains;

  friend bool operator==(const part_of_machine&, const part_of_machine&) = default;
};

part_of_machine own_part(locality part) {
  std::vector<std::size_t> domains;
  if (part == locality::socket) domains = base::sockets_of(base::usable_cpus());
  if (part == locality::numa_domain) domains = base::numa_domains_of(base::usable_cpus());
  std::uint64_t all = 0;
  for (const std::size_t each : domains) all = mix_bits(all + each + 1);
  return {runtime::node_of(acre::rank()), all};
}

}  // namespace

team team::split_into(rank_t number, const site& where) const {
  if (number == 0) {
    throw error("team::split_into", "a team cannot be split into 0 parts" + describe_place(where),
                "pass the number of new teams");
  }
  const rank_t least = size() / number;
  const rank_t larger_parts = size() % number;
  const rank_t in_larger_parts = larger_parts * (least + 1);
  const rank_t color = rank() < in_larger_parts ? rank() / (least + 1)
                                                : larger_parts + (rank() - in_larger_parts) / least;
  return split(static_cast<int>(color), 0, where);
}

team team::split_by(locality part, const site& where) const {
  const std::vector<part_of_machine> all = allgather(own_part(part), where);
  const auto first = std::ranges::find(all, all[rank()]);
  return split(static_cast<int>(first - all.begin()), 0, where);
}

}  // namespace acre
