#include <acre/runtime/detail/joining.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/fabric/open_conduit.hpp>
#include <acre/runtime/detail/memory_limits.hpp>
#include <acre/runtime/detail/node_memory.hpp>
#include <acre/runtime/detail/own_addresses.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/static_data.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace acre::runtime::detail {

// --- who is there --------------------------------------------------------------

namespace {

constexpr std::size_t smallest_heap = std::size_t{1} << 20;
/// A segment is two heaps of this size, and its offsets have 44 bits.
constexpr std::size_t largest_heap = std::size_t{1} << (offset_bits - 1);

std::uint64_t host_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // Each of a rank's two heaps is as large as three quarters of what is counted on.
  return std::min({bytes, control_group_bytes(), reservable_bytes() / 2});
}

/// Where all of a segment is promised, less than for those that are only as large as what is used.
std::uint64_t memory_for_segments(const fabric::smp_memory& memory) {
  return memory.page_bytes() == huge_page_bytes ? fabric::free_reserved_bytes() / 2
                                                : host_memory_bytes();
}

introduction introduce_myself(fabric::smp_memory& memory) {
  introduction mine;
  mine.host = fabric::host_fingerprint();
  mine.network = network_fingerprint();
  mine.ticket = memory.publish();
  mine.memory_bytes = memory_for_segments(memory);
  mine.heap_bytes = environment_size("ACRE_SEGMENT_SIZE").value_or(0);
  if (mine.heap_bytes != 0 && (mine.heap_bytes < smallest_heap || mine.heap_bytes > largest_heap)) {
    throw error(
        "job", "ACRE_SEGMENT_SIZE is " + format_size(mine.heap_bytes),
        "set it between " + format_size(smallest_heap) + " and " + format_size(largest_heap));
  }
  mine.ranks_per_node =
      static_cast<std::uint32_t>(environment_number("ACRE_RANKS_PER_NODE").value_or(0));
  mine.static_bytes = static_data_is_shared() ? static_data_pages().size() : 0;
  mine.cpus = usable_cpus();
  mine.share = draw_secret();
  return mine;
}

std::vector<introduction> exchange_introductions(bootstrap& launcher, const introduction& mine) {
  std::vector<introduction> all(launcher.size(), mine);
  if (launcher.size() == 1) return all;
  const auto answers = launcher.exchange(pack(mine));
  for (rank_t r = 0; r < all.size(); ++r) {
    all[r] = unpack(answers[r], r);
    if (all[r].ranks_per_node != all[0].ranks_per_node) {
      throw error("job", "ACRE_RANKS_PER_NODE differs between rank 0 and rank " + std::to_string(r),
                  "set it alike on all ranks");
    }
  }
  return all;
}

/// Ranks of one host are of one node, cut into runs of ACRE_RANKS_PER_NODE.
/// Nodes are numbered by their first rank.
void find_nodes(running_job& job) {
  struct host {
    std::uint32_t ranks = 0;
    std::uint32_t node = 0;
  };
  std::unordered_map<std::uint64_t, host> hosts;
  const std::uint32_t per_node = job.introductions[0].ranks_per_node;
  std::uint32_t nodes = 0;
  job.node_of.resize(job.introductions.size());
  for (std::size_t r = 0; r < job.introductions.size(); ++r) {
    host& its = hosts[job.introductions[r].host];
    if (its.ranks == 0 || (per_node != 0 && its.ranks % per_node == 0)) its.node = nodes++;
    ++its.ranks;
    job.node_of[r] = its.node;
  }
  job.node_count = nodes;
  for (rank_t r = 0; r < job.node_of.size(); ++r) {
    if (job.node_of[r] == job.node_of[world.rank]) job.neighbours.push_back(r);
  }
  job.cpus_a_rank = cpus_a_rank(job.introductions, world.rank);
}

/// The size of each of the two heaps, the same on all ranks. It is only
/// reserved; pages are committed when they are touched.
std::size_t choose_heap_bytes(const running_job& job) {
  const std::size_t bytes = std::min(affordable_heap_bytes(job.introductions), largest_heap);
  const bool is_asked_for = std::ranges::any_of(
      job.introductions, [](const introduction& each) { return each.heap_bytes != 0; });
  // What is our choice must not be more than there is.
  const std::size_t whole =
      is_asked_for ? round_up(bytes, huge_page_bytes) : bytes / huge_page_bytes * huge_page_bytes;
  return std::max(whole, huge_page_bytes);
}

}  // namespace

void meet_others(running_job& job) {
  job.introductions = exchange_introductions(*job.launcher, introduce_myself(*job.memory));
  job.secret = job_secret(job.introductions);
  find_nodes(job);
}

// --- other hosts -------------------------------------------------------------------

namespace {

[[nodiscard]] bool in_one_network(const running_job& job) {
  return std::ranges::all_of(job.introductions, [&](const introduction& each) {
    return each.network == job.introductions[0].network;
  });
}

/// The hosts, as the network sees them, numbered by their first ranks, which lead them.
struct host_numbers {
  std::vector<rank_t> leaders;
  std::vector<std::size_t> of_ranks;
};

host_numbers number_hosts(const running_job& job) {
  host_numbers found;
  std::unordered_map<std::uint64_t, std::size_t> numbers;
  for (rank_t r = 0; r < job.introductions.size(); ++r) {
    const auto [number, is_new] =
        numbers.try_emplace(job.introductions[r].network, found.leaders.size());
    if (is_new) found.leaders.push_back(r);
    found.of_ranks.push_back(number->second);
  }
  return found;
}

host_introduction introduce_host(const host_links& links) {
  host_introduction mine{.name = host_name(), .port = links.port(), .addresses = {}};
  const std::string wanted =
      environment("ACRE_INTERFACE").value_or(environment("ACRE_OFI_INTERFACE").value_or(""));
  for (const interface_address& each : addresses_to_try(addresses_of_interfaces(), wanted)) {
    mine.addresses.push_back(each.address);
  }
  return mine;
}

/// How long a host that has just been started may take to listen, and networks to answer.
constexpr std::chrono::seconds patience_for_hosts{10};

/// Which addresses answered: `answers[a][b]` says which of host b's answered host a.
struct reachability {
  const host_numbers& hosts;
  std::span<const host_introduction> names;
  std::span<const std::vector<std::byte>> answers;

  [[nodiscard]] unsigned answered(std::size_t from, std::size_t to) const {
    return std::to_integer<unsigned>(answers[hosts.leaders[from]][to]);
  }
  [[nodiscard]] const ip_address& best_of(std::size_t host, unsigned some) const {
    return names[host].addresses.at(static_cast<std::size_t>(std::countr_zero(some)));
  }
};

/// Of each host the best address of this version that all other hosts reach; or none, where there
/// is a host that has no such address.
std::vector<ip_address> common_addresses(const reachability& known, std::uint8_t version) {
  std::vector<ip_address> common;
  for (std::size_t to = 0; to < known.names.size(); ++to) {
    unsigned all = 0;
    const auto& addresses = known.names[to].addresses;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (addresses[i].version == version) all |= 1U << i;
    }
    for (std::size_t from = 0; from < known.names.size(); ++from) {
      if (makes_link(from, to, known.names.size())) all &= known.answered(from, to);
    }
    if (all == 0) return {};
    common.push_back(known.best_of(to, all));
  }
  return common;
}

/// By which address each host is reached from here. An endpoint is of one version of the Internet
/// protocol, and has one address: only where no version joins all hosts it listens at all of them.
void choose_addresses(running_job& job, const reachability& known, std::size_t self) {
  std::vector<ip_address> chosen = common_addresses(known, 4);
  if (chosen.empty()) chosen = common_addresses(known, 6);
  if (chosen.empty()) {
    job.listen_everywhere = true;
    for (std::size_t to = 0; to < known.names.size(); ++to) {
      // The own address is needed by nobody here; that of a host which was not tried is its best.
      const bool is_known = makes_link(self, to, known.names.size());
      chosen.push_back(known.best_of(to, is_known ? known.answered(self, to) : 1U));
    }
  }
  for (const std::size_t host : known.hosts.of_ranks) job.addresses.push_back(chosen[host]);
}

}  // namespace

void meet_hosts(running_job& job) {
  if (job.node_count == 1 || in_one_network(job)) return;
  const std::string conduit = environment("ACRE_CONDUIT").value_or("ofi");
  if (conduit != "ofi") return;
  const host_numbers hosts = number_hosts(job);
  const std::size_t self = hosts.of_ranks[world.rank];
  std::vector<std::byte> mine;
  if (hosts.leaders[self] == world.rank) {
    job.links = std::make_unique<host_links>();
    mine = pack(introduce_host(*job.links));
  }
  const auto introductions = job.launcher->exchange(mine);
  std::vector<host_introduction> names;
  for (const rank_t leader : hosts.leaders) names.push_back(unpack_host(introductions[leader]));
  std::vector<answered_addresses> reached;
  if (job.links != nullptr) {
    reached = job.links->reach(job.secret, self, names, patience_for_hosts);
  }
  const auto answers = job.launcher->exchange(std::as_bytes(std::span(reached)));
  choose_addresses(job, {.hosts = hosts, .names = names, .answers = answers}, self);
}

void watch_links(running_job& job) {
  if (job.links == nullptr) return;
  const auto silence =
      environment_seconds("ACRE_LINK_SECONDS").value_or(std::chrono::milliseconds(10'000));
  if (silence < std::chrono::seconds(1)) {
    throw error("job", "ACRE_LINK_SECONDS is " + format_seconds(silence), "set it to 1 or more");
  }
  job.links->watch(silence, [&job](host_links::end_of_link how, const std::string& problem) {
    if (how == host_links::end_of_link::hung_up) job.launcher->let_launcher_speak();
    note_lost_host(problem);
  });
}

// --- memory ----------------------------------------------------------------------

namespace {

/// What map_whole() or map_windows() takes.
std::uint64_t addresses_of(const node_layout& layout) {
  if (layout.static_bytes() == 0) return layout.file_bytes() + huge_page_bytes;
  // Between a rank's static data and its segment is a gap; its own is there in any case.
  const std::uint64_t segment = layout.segment_bytes() + rank_box_bytes + huge_page_bytes;
  return segment + (layout.ranks() - 1) * (window_gap + segment + layout.static_bytes());
}

/// A file that the ranks of the node map, or with static data several times pieces of it.
std::vector<mapped_rank> map_node(running_job& job, std::size_t self, std::size_t segment_bytes,
                                  std::byte*& node) {
  const std::span<std::byte> mine = shared_static_data(job.introductions);
  const node_layout layout(job.neighbours.size(), segment_bytes, mine.size());
  require_room({.file_bytes = layout.file_bytes(),
                .address_bytes = addresses_of(layout),
                .heaps = 2 * layout.ranks(),
                .heap_bytes = segment_bytes / 2});
  job.memory->open(job.introductions[job.neighbours.front()].ticket, layout.file_bytes(),
                   job.secret);
  job.static_data = mine;
  job.static_offset = layout.static_data(self);
  if (mine.empty()) return map_whole(*job.memory, layout, node);
  if (job.memory->page_bytes() == huge_page_bytes) {
    throw error("job", "the program's static data cannot lie in reserved huge pages",
                "set ACRE_HUGE_PAGES to on");
  }
  return map_windows(*job.memory, layout, self, mine, node);
}

/// What the network's library gives this rank, which is a node of its own.
std::vector<mapped_rank> take_brought_memory(running_job& job, std::size_t segment_bytes,
                                             std::byte*& node) {
  if (!shared_static_data(job.introductions).empty()) {
    throw error("job",
                "the conduit " + job.conduit->offers().name +
                    " brings memory of its own, and cannot share the program's static data",
                "set ACRE_CONDUIT to another one");
  }
  const node_layout layout(1, segment_bytes, 0);
  const std::size_t bytes = layout.file_bytes();
  std::byte* const brought = job.conduit->bring_memory(bytes + huge_page_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(brought);
  node = brought + (round_up(address, huge_page_bytes) - address);
  return {{.segment = node + layout.segment(0)}};
}

/// The ways from here to the ranks of this node.
void fill_tables(running_job& job, std::span<const mapped_rank> mapped) {
  job.bases.assign(world.size, 0);
  // Where a rank is on another node, only the sum with an address in the window has a carry.
  const auto window = reinterpret_cast<std::uintptr_t>(world.window);
  if (world.window != nullptr) {
    job.windows.emplace(world.size, -window);
    world.windows = window_table::of(job.windows->data());
  }
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const rank_t rank = job.neighbours[i];
    job.bases[rank] =
        reinterpret_cast<std::uintptr_t>(mapped[i].segment) - (std::uintptr_t{rank} << offset_bits);
    if (world.window != nullptr) {
      (*job.windows)[rank] = reinterpret_cast<std::uintptr_t>(mapped[i].window) - window;
    }
  }
  world.bases = job.bases.data();
}

[[nodiscard]] bool network_brings_memory(const running_job& job) noexcept {
  return job.conduit != nullptr && job.conduit->offers().brings_memory;
}

}  // namespace

void map_memory(running_job& job) {
  const std::size_t heap_bytes = choose_heap_bytes(job);
  const std::size_t segment_bytes = 2 * heap_bytes;
  const auto self = static_cast<std::size_t>(std::ranges::lower_bound(job.neighbours, world.rank) -
                                             job.neighbours.begin());
  std::byte* node = nullptr;
  const std::vector<mapped_rank> mapped = network_brings_memory(job)
                                              ? take_brought_memory(job, segment_bytes, node)
                                              : map_node(job, self, segment_bytes, node);
  world.node = reinterpret_cast<node_box*>(node);
  world.segment = mapped[self].segment;
  world.segment_bytes = segment_bytes;
  world.window = mapped[self].window;
  fill_tables(job, mapped);
  box_of(world.rank).process.store(static_cast<std::uint32_t>(::getpid()));
  job.symmetric.emplace(world.segment, heap_bytes);
  job.private_part.emplace(world.segment + heap_bytes, heap_bytes);
  const bool keeps_pages = job.conduit != nullptr && (job.conduit->offers().pins_memory ||
                                                      job.conduit->offers().brings_memory);
  if (keeps_pages) {
    job.symmetric->keep_pages();
    job.private_part->keep_pages();
  }
}

void await_neighbours(running_job& job) {
  node_box& node = this_node();
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
  job.memory->close_door();
}

// --- network ----------------------------------------------------------------------

namespace {

void make_each_rank_a_node(running_job& job) {
  std::iota(job.node_of.begin(), job.node_of.end(), 0U);
  job.node_count = world.size;
  job.neighbours = {world.rank};
}

}  // namespace

void open_network(running_job& job) {
  if (job.node_count == 1) return;
  if (environment("ACRE_CONDUIT") == "smp") {
    throw error(
        "job",
        "ACRE_CONDUIT=smp cannot join the " + std::to_string(job.node_count) + " nodes of this job",
        "smp works inside a node; unset ACRE_CONDUIT");
  }
  job.conduit = fabric::open_conduit(environment("ACRE_CONDUIT").value_or(""),
                                     {.job = job.launcher->job_name(),
                                      .self = world.rank,
                                      .size = world.size,
                                      .single_host = in_one_network(job),
                                      .addresses = job.addresses,
                                      .listen_everywhere = job.listen_everywhere,
                                      .secret = job.secret,
                                      .line = &network_line,
                                      .session = job.launcher->session()});
  if (job.conduit->offers().brings_memory) make_each_rank_a_node(job);
}

namespace {

/// Sends a message to each of the ranks of other nodes that `chosen` says, and awaits one of each
/// of the others of them. Nothing else is under way.
template <class Choice>
void greet(running_job& job, Choice chosen) {
  struct : fabric::receiver {
    void deliver(const fabric::message& /*greeting*/) override { ++come; }
    rank_t come = 0;
  } guests;
  rank_t expected = 0;
  std::vector<rank_t> left;
  for (rank_t r = 0; r < world.size; ++r) {
    if (job.node_of[r] == job.node_of[world.rank]) continue;
    if (chosen(r)) {
      left.push_back(r);
    } else {
      ++expected;
    }
  }
  fabric::message_header greeting;
  greeting.source = world.rank;
  const auto deadline = std::chrono::steady_clock::now() + patience_for_hosts;
  while (!left.empty() || guests.come < expected) {
    std::erase_if(
        left, [&](rank_t each) { return job.conduit->try_send(each, greeting, nullptr, nullptr); });
    if (job.conduit->progress(guests) == 0) ::sched_yield();
    if (std::chrono::steady_clock::now() > deadline) {
      throw error("job",
                  "hosts of this job do not reach each other by the addresses from which these "
                  "come to them",
                  "ACRE_INTERFACE names the network to use, where one of them joins all hosts");
    }
  }
  static_cast<void>(job.launcher->exchange({}));
}

/// Two endpoints that listen at all addresses of their hosts lose what they send when they connect
/// to each other at the same moment: libfabric's ofi_rxm compares their addresses to choose one of
/// the two connections, and each side finds its own, [::], to be the lower. So of each pair the
/// lower rank connects, and then the other one has shown that it uses the same connection.
void connect_in_order(running_job& job) {
  greet(job, [](rank_t other) { return other > world.rank; });
  greet(job, [](rank_t other) { return other < world.rank; });
}

}  // namespace

void connect(running_job& job) {
  if (job.conduit == nullptr) return;
  job.conduit->register_region(fabric::segment_region, world.segment, world.segment_bytes);
  if (world.window != nullptr) {
    job.conduit->register_region(fabric::window_region, world.window,
                                 window_gap + world.segment_bytes);
  }
  const auto mine = job.conduit->descriptor();
  job.conduit->connect(world.rank, job.launcher->exchange(mine));
  if (job.listen_everywhere) connect_in_order(job);
  world.conduit = job.conduit.get();
}

}  // namespace acre::runtime::detail
