// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/joining.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/library_descriptors.hpp>
#include <acre/fabric/open_conduit.hpp>
#include <acre/launch/detail/agreement.hpp>
#include <acre/launch/detail/joining_hosts.hpp>
#include <acre/launch/detail/memory_limits.hpp>
#include <acre/launch/detail/node_memory.hpp>
#include <acre/launch/detail/own_addresses.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/static_data.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace acre::launch {

namespace {

std::uint64_t addresses_for_segments() { return reservable_bytes() / 2; }

std::uint64_t host_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min({bytes, control_group_bytes(), addresses_for_segments()});
}

handshake send_handshake(fabric::smp_memory& memory) {
  handshake mine;
  mine.host = fabric::host_fingerprint();
  mine.network = network_fingerprint();
  mine.ticket = memory.publish();
  if (memory.page_bytes() == runtime::huge_page_bytes) {
    mine.memory_bytes = fabric::free_reserved_bytes() / 2;
  } else {
    mine.memory_bytes = host_memory_bytes();
    mine.reservable_bytes = addresses_for_segments();
  }
  mine.heap_bytes = environment_size("ACRE_SEGMENT_SIZE").value_or(0);
  mine.ranks_per_node =
      static_cast<std::uint32_t>(environment_number("ACRE_RANKS_PER_NODE").value_or(0));
  mine.static_bytes = runtime::static_data_is_shared() ? runtime::static_data_pages().size() : 0;
  mine.cpus = usable_cpus();
  mine.share = draw_secret();
  return mine;
}

std::vector<handshake> exchange_handshakes(runtime::bootstrap& launcher, handshake mine) {
  if (launcher.size() == 1) return {mine};
  const program_build program = this_program();
  const std::vector<fact> facts = facts_of_rank(program);
  mine.program = fingerprint_of(program);
  mine.agreement = digest(facts);
  std::vector<handshake> all(launcher.size());
  const auto answers = launcher.exchange(pack(mine));
  std::vector<std::uint64_t> digests;
  digests.reserve(all.size());
  for (rank_t r = 0; r < all.size(); ++r) {
    all[r] = unpack(answers[r], r);
    digests.push_back(all[r].agreement);
  }
  require_agreement(launcher, facts, digests);
  return all;
}

/// A node is ACRE_RANKS_PER_NODE successive ranks of a host, by default all.
void find_nodes(running_job& job) {
  struct host {
    std::uint32_t ranks = 0;
    std::uint32_t node = 0;
  };
  std::unordered_map<std::uint64_t, host> hosts;
  const std::uint32_t per_node = job.handshakes[0].ranks_per_node;
  std::uint32_t nodes = 0;
  job.node_of.resize(job.handshakes.size());
  for (std::size_t r = 0; r < job.handshakes.size(); ++r) {
    host& its = hosts[job.handshakes[r].host];
    if (its.ranks == 0 || (per_node != 0 && its.ranks % per_node == 0)) its.node = nodes++;
    ++its.ranks;
    job.node_of[r] = its.node;
  }
  job.node_count = nodes;
  for (rank_t r = 0; r < job.node_of.size(); ++r) {
    if (job.node_of[r] == job.node_of[runtime::world.rank]) job.neighbours.push_back(r);
  }
  job.cpus_a_rank = cpus_a_rank(job.handshakes, runtime::world.rank);
}

std::size_t choose_heap_bytes(const running_job& job) {
  constexpr std::size_t largest = std::size_t{1} << (offset_bits - 1);
  const std::size_t bytes = std::min(largest, affordable_heap_bytes(job.handshakes));
  const bool is_asked_for = std::ranges::any_of(
      job.handshakes, [](const handshake& each) { return each.heap_bytes != 0; });
  const std::size_t whole = is_asked_for
                                ? round_up(bytes, runtime::huge_page_bytes)
                                : bytes / runtime::huge_page_bytes * runtime::huge_page_bytes;
  return std::max(whole, runtime::huge_page_bytes);
}

}  // namespace

void meet_others(running_job& job) {
  job.handshakes = exchange_handshakes(*job.launcher, send_handshake(*job.memory));
  job.secret = job_secret(job.handshakes);
  find_nodes(job);
}

namespace {

std::uint64_t addresses_of(const node_layout& layout) {
  if (layout.static_bytes() == 0) return layout.file_bytes() + runtime::huge_page_bytes;
  const std::uint64_t segment =
      layout.segment_bytes() + runtime::rank_box_bytes + runtime::huge_page_bytes;
  return segment + (layout.ranks() - 1) * (runtime::window_gap + segment + layout.static_bytes());
}

std::vector<mapped_rank> map_node(running_job& job, std::size_t self, std::size_t segment_bytes,
                                  std::byte*& node) {
  const std::span<std::byte> mine = shared_static_data(job.handshakes);
  const node_layout layout(job.neighbours.size(), segment_bytes, mine.size());
  require_room({.file_bytes = layout.file_bytes(),
                .address_bytes = addresses_of(layout),
                .heaps = 2 * layout.ranks(),
                .heap_bytes = segment_bytes / 2});
  job.memory->open(job.handshakes[job.neighbours.front()].ticket, layout.file_bytes(), job.secret);
  job.static_data = mine;
  job.static_offset = layout.static_data(self);
  if (mine.empty()) return map_whole(*job.memory, layout, node);
  if (job.memory->page_bytes() == runtime::huge_page_bytes) {
    throw error("job", "reserved huge pages cannot hold the program's static data",
                "set ACRE_HUGE_PAGES to on");
  }
  return map_windows(*job.memory, layout, self, mine, node);
}

std::vector<mapped_rank> map_brought_memory(running_job& job, std::size_t segment_bytes,
                                            std::byte*& node) {
  if (!shared_static_data(job.handshakes).empty()) {
    throw error("job",
                "the conduit " + job.conduit->offers().name +
                    " provides its own memory, and cannot share the program's static data",
                "set ACRE_CONDUIT to another conduit");
  }
  const node_layout layout(1, segment_bytes, 0);
  const std::size_t bytes = layout.file_bytes();
  std::byte* const brought = job.conduit->bring_memory(bytes + runtime::huge_page_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(brought);
  node = brought + (round_up(address, runtime::huge_page_bytes) - address);
  return {{.segment = node + layout.segment(0)}};
}

void fill_tables(running_job& job, std::span<const mapped_rank> mapped) {
  job.bases.assign(runtime::world.size, 0);
  // windows[rank] plus an address in the window overflows for ranks of other nodes only.
  const auto window = reinterpret_cast<std::uintptr_t>(runtime::world.window);
  if (runtime::world.window != nullptr) {
    job.windows.emplace(runtime::world.size, -window);
    runtime::world.windows = runtime::window_table::of(job.windows->data());
  }
  std::byte* first = mapped.front().segment;
  std::byte* last = first;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const rank_t rank = job.neighbours[i];
    first = std::min(first, mapped[i].segment);
    last = std::max(last, mapped[i].segment);
    job.bases[rank] =
        reinterpret_cast<std::uintptr_t>(mapped[i].segment) - (std::uintptr_t{rank} << offset_bits);
    if (runtime::world.window != nullptr) {
      (*job.windows)[rank] = reinterpret_cast<std::uintptr_t>(mapped[i].window) - window;
    }
  }
  job.mapped = {first, last + runtime::world.segment_bytes};
  runtime::world.bases = job.bases.data();
}

[[nodiscard]] bool network_brings_memory(const running_job& job) noexcept {
  return job.conduit != nullptr && job.conduit->offers().brings_memory;
}

}  // namespace

void map_memory(running_job& job) {
  const std::size_t heap_bytes = choose_heap_bytes(job);
  const std::size_t segment_bytes = 2 * heap_bytes;
  const auto self = static_cast<std::size_t>(
      std::ranges::lower_bound(job.neighbours, runtime::world.rank) - job.neighbours.begin());
  std::byte* node = nullptr;
  const std::vector<mapped_rank> mapped = network_brings_memory(job)
                                              ? map_brought_memory(job, segment_bytes, node)
                                              : map_node(job, self, segment_bytes, node);
  runtime::world.node = reinterpret_cast<runtime::node_box*>(node);
  runtime::world.segment = mapped[self].segment;
  runtime::world.segment_bytes = segment_bytes;
  runtime::world.window = mapped[self].window;
  fill_tables(job, mapped);
  runtime::box_of(runtime::world.rank).process.store(static_cast<std::uint32_t>(::getpid()));
  job.symmetric.emplace(runtime::world.segment, heap_bytes);
  job.private_part.emplace(runtime::world.segment + heap_bytes, heap_bytes);
  const bool keeps_pages = job.conduit != nullptr && (job.conduit->offers().pins_memory ||
                                                      job.conduit->offers().brings_memory);
  if (keeps_pages) {
    job.symmetric->keep_pages();
    job.private_part->keep_pages();
  }
}

void await_neighbours(running_job& job) {
  runtime::node_box& node = runtime::this_node();
  node.attached.fetch_add(1, std::memory_order_acq_rel);
  for (unsigned tries = 0; node.attached.load(std::memory_order_acquire) < job.neighbours.size();
       ++tries) {
    job.memory->hand_over(job.secret);
    if (tries < 1000) {
      ::sched_yield();
    } else {
      ::usleep(100);
    }
  }
  job.memory->close_server();
}

namespace {

void make_each_rank_a_node(running_job& job) {
  std::iota(job.node_of.begin(), job.node_of.end(), 0U);
  job.node_count = runtime::world.size;
  job.neighbours = {runtime::world.rank};
}

}  // namespace

void open_network(running_job& job) {
  if (job.node_count == 1) return;
  if (environment("ACRE_CONDUIT") == "smp") {
    throw error("job",
                "ACRE_CONDUIT=smp cannot connect the " + std::to_string(job.node_count) +
                    " nodes of this job",
                "smp works within one node; unset ACRE_CONDUIT");
  }
  const fabric::conduit_options options{.job = job.launcher->job_name(),
                                        .self = runtime::world.rank,
                                        .size = runtime::world.size,
                                        .single_host = in_one_network(job),
                                        .addresses = job.addresses,
                                        .listen_everywhere = job.listen_everywhere,
                                        .secret = job.secret,
                                        .line = &runtime::network_line,
                                        .session = job.launcher->session()};
  library_descriptors().note_those_of([&] {
    job.conduit = fabric::open_conduit(environment("ACRE_CONDUIT").value_or(""), options);
  });
  if (job.conduit->offers().brings_memory) make_each_rank_a_node(job);
}

namespace {

std::vector<std::vector<std::byte>> exchange_descriptors(running_job& job) {
  std::vector<fact> facts;
  const std::string advice = job.conduit->how_to_agree();
  for (const auto& [name, value] : job.conduit->must_be_alike()) {
    facts.push_back({.name = name, .value = value, .shown = {}, .advice = advice});
  }
  const std::uint64_t own = digest(facts);
  std::vector<std::byte> mine = job.conduit->descriptor();
  const auto front = std::as_bytes(std::span(&own, 1));
  mine.insert(mine.begin(), front.begin(), front.end());
  auto all = job.launcher->exchange(mine);
  std::vector<std::uint64_t> digests(all.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    const std::size_t bytes = std::min(all[r].size(), sizeof own);
    std::memcpy(&digests[r], all[r].data(), bytes);
    all[r].erase(all[r].begin(), all[r].begin() + static_cast<std::ptrdiff_t>(bytes));
  }
  require_agreement(*job.launcher, facts, digests);
  return all;
}

}  // namespace

void connect(running_job& job) {
  if (job.conduit == nullptr) return;
  job.conduit->register_region(fabric::segment_region, runtime::world.segment,
                               runtime::world.segment_bytes);
  if (runtime::world.window != nullptr) {
    job.conduit->register_region(fabric::window_region, runtime::world.window,
                                 runtime::window_gap + runtime::world.segment_bytes);
  }
  job.conduit->connect(runtime::world.rank, exchange_descriptors(job));
  if (job.listen_everywhere) connect_in_order(job);
  runtime::world.conduit = job.conduit.get();
}

}  // namespace acre::launch
