// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/handshake.hpp>

#include <acre/base/error.hpp>
#include <acre/base/version.hpp>
#include <acre/runtime/static_data.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>

namespace acre::launch {
namespace {

constexpr std::uint32_t this_version =
    ACRE_VERSION_MAJOR << 16 | ACRE_VERSION_MINOR << 8 | ACRE_VERSION_PATCH;

/// All versions of Acre send the version first.
struct fixed_part {
  std::uint32_t version;
  std::uint32_t ranks_per_node;
  std::uint64_t host;
  std::uint64_t network;
  fabric::smp_memory::ticket ticket;
  std::uint64_t memory_bytes;
  std::uint64_t heap_bytes;
  std::uint64_t static_bytes;
  secret_key share;
  std::uint64_t agreement;
  std::uint64_t program;
  std::uint64_t reservable_bytes;
};
static_assert(sizeof(fixed_part) == 120);

std::string version_text(std::uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) + "." +
         std::to_string(version & 0xff);
}

[[noreturn]] void report_other_version(std::span<const std::byte> packed, fabric::rank_t from) {
  std::string theirs = "an unknown version";
  std::uint32_t version = this_version;
  if (packed.size() >= sizeof version) std::memcpy(&version, packed.data(), sizeof version);
  if (version != this_version) theirs = "version " + version_text(version);
  throw error("job",
              "rank " + std::to_string(from) + " runs " + theirs +
                  " of Acre, but this rank version " + version_text(this_version),
              "run the same binary, with the same library, on all ranks");
}

}  // namespace

std::vector<std::byte> pack(const handshake& mine) {
  const fixed_part fixed{.version = this_version,
                         .ranks_per_node = mine.ranks_per_node,
                         .host = mine.host,
                         .network = mine.network,
                         .ticket = mine.ticket,
                         .memory_bytes = mine.memory_bytes,
                         .heap_bytes = mine.heap_bytes,
                         .static_bytes = mine.static_bytes,
                         .share = mine.share,
                         .agreement = mine.agreement,
                         .program = mine.program,
                         .reservable_bytes = mine.reservable_bytes};
  const auto cpus = std::as_bytes(std::span(mine.cpus));
  std::vector<std::byte> packed(sizeof fixed + cpus.size());
  std::memcpy(packed.data(), &fixed, sizeof fixed);
  std::ranges::copy(cpus, packed.begin() + sizeof fixed);
  return packed;
}

handshake unpack(std::span<const std::byte> packed, fabric::rank_t from) {
  fixed_part fixed;
  if (packed.size() < sizeof fixed) report_other_version(packed, from);
  std::memcpy(&fixed, packed.data(), sizeof fixed);
  const auto cpus = packed.subspan(sizeof fixed);
  if (fixed.version != this_version || cpus.size() % sizeof(cpu_mask::value_type) != 0) {
    report_other_version(packed, from);
  }
  handshake theirs{.host = fixed.host,
                   .network = fixed.network,
                   .ticket = fixed.ticket,
                   .memory_bytes = fixed.memory_bytes,
                   .reservable_bytes = fixed.reservable_bytes,
                   .heap_bytes = fixed.heap_bytes,
                   .agreement = fixed.agreement,
                   .program = fixed.program,
                   .ranks_per_node = fixed.ranks_per_node,
                   .static_bytes = fixed.static_bytes,
                   .share = fixed.share,
                   .cpus = cpu_mask(cpus.size() / sizeof(cpu_mask::value_type))};
  std::ranges::copy(cpus, std::as_writable_bytes(std::span(theirs.cpus)).begin());
  return theirs;
}

secret_key job_secret(std::span<const handshake> all) {
  secret_key secret;
  for (const handshake& each : all) {
    secret.low ^= each.share.low;
    secret.high ^= each.share.high;
  }
  return secret;
}

std::size_t cpus_a_rank(std::span<const handshake> all, fabric::rank_t self) {
  std::size_t ranks = 1;
  cpu_mask together = all[self].cpus;
  for (const handshake& each : all) {
    if (&each == &all[self] || each.host != all[self].host) continue;
    ++ranks;
    together.resize(std::max(together.size(), each.cpus.size()));
    for (std::size_t i = 0; i < each.cpus.size(); ++i) together[i] |= each.cpus[i];
  }
  std::size_t cpus = 0;
  for (const std::uint64_t word : together) cpus += static_cast<unsigned>(std::popcount(word));
  return cpus / ranks;
}

std::span<std::byte> shared_static_data(std::span<const handshake> all) {
  const auto is_another = [&](const handshake& each) { return each.program != all[0].program; };
  const auto shares = [](const handshake& each) { return each.static_bytes != 0; };
  if (std::ranges::any_of(all, shares) && std::ranges::any_of(all, is_another)) {
    throw error("job", "the ranks share their static data, but run several programs",
                "run one program on all ranks: OpenSHMEM requires this for remotely accessible "
                "static variables");
  }
  for (fabric::rank_t r = 1; r < all.size(); ++r) {
    if (all[r].static_bytes == all[0].static_bytes) continue;
    throw error("job",
                "rank 0 shares " + std::to_string(all[0].static_bytes) +
                    " bytes of static data, but rank " + std::to_string(r) + " " +
                    std::to_string(all[r].static_bytes),
                "run the same binary on all ranks");
  }
  return all[0].static_bytes == 0 ? std::span<std::byte>{} : runtime::static_data_pages();
}

std::size_t affordable_heap_bytes(std::span<const handshake> all) {
  std::unordered_map<std::uint64_t, std::size_t> ranks_on;
  for (const handshake& each : all) ++ranks_on[each.host];
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const handshake& each : all) {
    const auto share_of = [&](std::uint64_t bytes) {
      return std::size_t{bytes / ranks_on[each.host] / 4 * 3};
    };
    const std::size_t share = std::max(share_of(each.memory_bytes),
                                       std::min(share_of(each.reservable_bytes), least_heap_bytes));
    least = std::min<std::size_t>(least, each.heap_bytes != 0 ? each.heap_bytes : share);
  }
  return least;
}

}  // namespace acre::launch
