#include <acre/runtime/job.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/open_conduit.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/bootstrap.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/introduction.hpp>
#include <acre/runtime/detail/node_memory.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/rank_table.hpp>
#include <acre/runtime/segment_heap.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace acre::runtime {

constinit world_view world{};
constinit fabric::direct_line network_line;

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t smallest_heap = std::size_t{1} << 20;
/// A segment is two heaps of this size, and its offsets have 44 bits.
constexpr std::size_t largest_heap = std::size_t{1} << (offset_bits - 1);

using detail::introduction;

struct running_job {
  std::unique_ptr<bootstrap> launcher;
  std::vector<introduction> introductions;  ///< until the network is open
  std::vector<std::uint32_t> node_of;       ///< by rank
  std::uint32_t node_count = 1;
  std::vector<rank_t> neighbours;  ///< the ranks of my node, ascending
  bool crowded = false;
  fabric::smp_memory memory;
  std::span<std::byte> static_data;  ///< of this rank, on the node's file; or none
  std::uint64_t static_offset = 0;   ///< there
  std::vector<std::uintptr_t> bases;
  std::optional<rank_table> windows;  ///< a window_table, where static data is shared
  std::unique_ptr<fabric::conduit> conduit;
  std::optional<segment_heap> symmetric;
  std::optional<segment_heap> private_part;
  std::unique_ptr<engine> motor;
};

std::unique_ptr<running_job> current;
bool abandoned = false;

std::vector<job_hooks>& hooks() {
  static std::vector<job_hooks> all;
  return all;
}

// --- settings ------------------------------------------------------------------

/// Says at once what is misspelt, also where it would only matter at the end or elsewhere.
void check_settings() {
  std::vector<std::string_view> conduits = fabric::conduit_names();
  conduits.emplace_back("smp");
  static_cast<void>(environment_choice("ACRE_CONDUIT", conduits));
  static_cast<void>(environment_choice("ACRE_COUNTERS", {"summary", "*.json"}));
}

// --- who is there --------------------------------------------------------------

std::uint64_t host_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t limit = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) bytes = std::min(bytes, limit);
  return bytes;
}

introduction introduce_myself(const fabric::smp_memory& memory) {
  introduction mine;
  mine.host = fabric::host_fingerprint();
  mine.ticket = memory.publish();
  mine.memory_bytes = host_memory_bytes();
  mine.heap_bytes = environment_size("ACRE_SEGMENT_SIZE").value_or(0);
  if (mine.heap_bytes != 0 && (mine.heap_bytes < smallest_heap || mine.heap_bytes > largest_heap)) {
    throw error(
        "job", "ACRE_SEGMENT_SIZE is " + format_size(mine.heap_bytes),
        "set it between " + format_size(smallest_heap) + " and " + format_size(largest_heap));
  }
  mine.ranks_per_node =
      static_cast<std::uint32_t>(environment_number("ACRE_RANKS_PER_NODE").value_or(0));
  mine.static_bytes = static_data_is_shared() ? static_data_pages().size() : 0;
  mine.cpus = detail::usable_cpus();
  return mine;
}

std::vector<introduction> exchange_introductions(bootstrap& launcher, const introduction& mine) {
  std::vector<introduction> all(launcher.size(), mine);
  if (launcher.size() == 1) return all;
  const auto answers = launcher.exchange(detail::pack(mine));
  for (rank_t r = 0; r < all.size(); ++r) {
    all[r] = detail::unpack(answers[r], r);
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
  job.crowded = detail::share_cores(job.introductions, world.rank);
}

/// The size of each of the two heaps, the same on all ranks. It is only
/// reserved; pages are committed when they are touched.
std::size_t choose_heap_bytes(const running_job& job) {
  const std::size_t bytes =
      std::min(detail::affordable_heap_bytes(job.introductions), largest_heap);
  return std::max(round_up(bytes, huge_page), huge_page);
}

// --- memory ----------------------------------------------------------------------

void map_segments(running_job& job, std::size_t heap_bytes) {
  const std::size_t segment_bytes = 2 * heap_bytes;
  const std::span<std::byte> mine = detail::shared_static_data(job.introductions);
  const detail::node_layout layout(job.neighbours.size(), segment_bytes, mine.size());
  job.memory.open(job.introductions[job.neighbours.front()].ticket, layout.file_bytes());
  const auto self = static_cast<std::size_t>(std::ranges::lower_bound(job.neighbours, world.rank) -
                                             job.neighbours.begin());
  std::byte* node = nullptr;
  const std::vector<detail::mapped_rank> mapped =
      mine.empty() ? detail::map_whole(job.memory, layout, node)
                   : detail::map_windows(job.memory, layout, self, mine, node);
  job.static_data = mine;
  job.static_offset = layout.static_data(self);
  world.node = reinterpret_cast<node_box*>(node);
  world.segment = mapped[self].segment;
  world.segment_bytes = segment_bytes;
  world.window = mapped[self].window;
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
  box_of(world.rank).process.store(static_cast<std::uint32_t>(::getpid()));
  job.symmetric.emplace(world.segment, heap_bytes);
  job.private_part.emplace(world.segment + heap_bytes, heap_bytes);
}

/// Until all ranks of the node have mapped the memory, whose file belongs to one of them.
void await_neighbours(const running_job& job) {
  node_box& node = this_node();
  node.attached.fetch_add(1, std::memory_order_acq_rel);
  for (unsigned tries = 0; node.attached.load(std::memory_order_acquire) < job.neighbours.size();
       ++tries) {
    if (tries < 1000) {
      ::sched_yield();
    } else {
      ::usleep(100);
    }
  }
}

// --- network ----------------------------------------------------------------------

void open_network(running_job& job) {
  if (job.node_count == 1) return;
  if (environment("ACRE_CONDUIT") == "smp") {
    throw error(
        "job",
        "ACRE_CONDUIT=smp cannot join the " + std::to_string(job.node_count) + " nodes of this job",
        "smp works inside a node; unset ACRE_CONDUIT");
  }
  const bool single_host =
      std::all_of(job.introductions.begin(), job.introductions.end(),
                  [&](const introduction& each) { return each.host == job.introductions[0].host; });
  job.conduit = fabric::open_conduit(environment("ACRE_CONDUIT").value_or(""),
                                     {.job = job.launcher->job_name(),
                                      .self = world.rank,
                                      .size = world.size,
                                      .single_host = single_host,
                                      .line = &network_line,
                                      .session = job.launcher->session()});
}

/// From here on ranks of other nodes can be reached.
void connect(running_job& job) {
  if (job.conduit == nullptr) return;
  if (job.conduit->offers().pins_memory) {
    job.symmetric->keep_pages();
    job.private_part->keep_pages();
  }
  job.conduit->register_region(fabric::segment_region, world.segment, world.segment_bytes);
  if (world.window != nullptr) {
    job.conduit->register_region(fabric::window_region, world.window,
                                 window_gap + world.segment_bytes);
  }
  const auto mine = job.conduit->descriptor();
  job.conduit->connect(world.rank, job.launcher->exchange(mine));
  world.conduit = job.conduit.get();
}

// --- counters ---------------------------------------------------------------------

/// ACRE_COUNTERS=summary prints a table, ACRE_COUNTERS=FILE.json writes a file.
void report_counters(running_job& job) {
  const auto wanted = environment("ACRE_COUNTERS");
  if (!wanted) return;
  std::vector<counter_values> all(world.size, counter_table);
  if (world.size > 1) {
    const auto answers = job.launcher->exchange(std::as_bytes(std::span(counter_table)));
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::memcpy(all[r].data(), answers[r].data(), sizeof(counter_values));
    }
  }
  if (world.rank != 0) return;
  if (*wanted == "summary") {
    const std::string text = counter_table_text(all);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  std::ofstream file(*wanted);
  file << counter_json(all);
  if (!file.flush()) {
    std::fprintf(stderr, "acre: cannot write the counters to %s: %s\n", wanted->c_str(),
                 std::strerror(errno));
  }
}

// --- children ---------------------------------------------------------------------

void take_static_data_back(const running_job& job) noexcept {
  if (job.static_data.empty()) return;
  job.memory.map_copy_over(job.static_data.data(), job.static_offset, job.static_data.size());
}

/// A child that the program made by fork() is no rank. It has variables of its own, and when it
/// exits it takes nothing down that is its parent's.
void leave_job_to_parent() noexcept {
  if (current == nullptr) return;
  take_static_data_back(*current);
  [[maybe_unused]] static const running_job* const parents = current.release();
  abandoned = true;
}

void watch_for_children() {
  [[maybe_unused]] static const int watched =
      ::pthread_atfork(nullptr, nullptr, leave_job_to_parent);
}

// --- start and end -------------------------------------------------------------------

void start() {
  auto job = std::make_unique<running_job>();
  job->launcher = find_bootstrap();
  world.rank = job->launcher->rank();
  world.size = job->launcher->size();
  identify_process(world.rank, host_name());
  if (world.size > max_ranks) {
    throw error("job", std::to_string(world.size) + " ranks are too many",
                "a global pointer has 20 bits for the rank");
  }
  check_settings();
  set_stall_limit(environment_seconds("ACRE_STALL_SECONDS").value_or(std::chrono::milliseconds(0)));
  job->introductions = exchange_introductions(*job->launcher, introduce_myself(job->memory));
  find_nodes(*job);
  open_network(*job);
  map_segments(*job, choose_heap_bytes(*job));
  current = std::move(job);
  watch_for_children();
  await_neighbours(*current);
  connect(*current);
  current->introductions = {};  // what is needed of them is kept elsewhere, four bytes a rank
  current->motor = std::make_unique<engine>(box_of(world.rank).ring, current->conduit.get());
  the_engine = current->motor.get();
  for (const job_hooks& each : hooks()) {
    if (each.started != nullptr) each.started();
  }
}

void leave_world() {
  world = {};
  if (static_data_is_shared()) world.windows = window_table::of(table_of_no_ranks());
}

void forget_job() {
  // The network's last completions may still have something for the engine.
  if (current->motor != nullptr) current->motor->stop_helper();
  current->conduit.reset();
  take_static_data_back(*current);
  the_engine = nullptr;
  current->motor.reset();
  leave_world();
  current.reset();
}

void end() {
  for (auto each = hooks().rbegin(); each != hooks().rend(); ++each) {
    if (each->ending != nullptr) each->ending();
  }
  rethrow_lost_failure();
  report_counters(*current);
  // Others may still read and write here: the helper answers until all are done.
  if (world.size > 1) static_cast<void>(current->launcher->exchange({}));
  current->launcher->finish();
  forget_job();
}

}  // namespace

std::uint32_t node_of(rank_t rank) noexcept { return current->node_of[rank]; }
std::uint32_t node_count() noexcept { return current->node_count; }
std::uint32_t node_size() noexcept {
  return static_cast<std::uint32_t>(current->neighbours.size());
}
bool crowded() noexcept { return current != nullptr && current->crowded; }

bool job_is_abandoned() noexcept { return abandoned; }

bool add_job_hooks(job_hooks added) {
  hooks().push_back(added);
  return true;
}

void require_job(const char* call) {
  if (current == nullptr) {
    throw error(call, "there is no job", "make an acre::job first: acre::job job;");
  }
}

// --- the heaps ---------------------------------------------------------------------

namespace {

void* allocate_or_explain(segment_heap& heap, const char* which, std::size_t bytes,
                          std::size_t alignment) {
  if (void* block = heap.allocate(bytes, alignment)) return block;
  const std::size_t free = heap.free_bytes();
  std::string state = format_size(free) + " of " + format_size(heap.size()) + " are free";
  if (free >= bytes) {
    state += ", the largest piece has " + format_size(heap.largest_free_block());
  }
  throw error("allocate",
              "the " + std::string(which) + " heap has no room for " + format_size(bytes) + " (" +
                  state + ")",
              "set ACRE_SEGMENT_SIZE to more than " + format_size(heap.size()));
}

/// Frees what other ranks have given back.
void take_back_freed() noexcept {
  std::atomic<std::uint64_t>& freed = box_of(world.rank).freed_by_others;
  if (freed.load(std::memory_order_relaxed) == 0) return;
  std::uint64_t offset = freed.exchange(0, std::memory_order_acquire);
  while (offset != 0) {
    std::byte* const block = world.segment + offset;
    std::memcpy(&offset, block, sizeof offset);
    current->private_part->free(block);
  }
}

}  // namespace

void* allocate_symmetric(std::size_t bytes, std::size_t alignment) {
  require_job("allocate");
  if (alignment > most_alignment()) {
    throw error("allocate", "blocks cannot be aligned to " + format_size(alignment),
                "ask for at most " + format_size(most_alignment()));
  }
  return allocate_or_explain(*current->symmetric, "symmetric", bytes, alignment);
}

std::size_t most_alignment() noexcept {
  constexpr std::size_t linked = std::size_t{8} << 20;  // -z max-page-size
  return world.window != nullptr ? linked : huge_page;
}

std::size_t symmetric_blocks() noexcept {
  return current == nullptr ? 0 : current->symmetric->blocks();
}

void* allocate_private(std::size_t bytes, std::size_t alignment) {
  require_job("allocate");
  take_back_freed();
  return allocate_or_explain(*current->private_part, "private", bytes, alignment);
}

void free_symmetric(void* block) noexcept {
  if (current != nullptr) current->symmetric->free(block);
}

void free_private(void* block) noexcept {
  if (current != nullptr) current->private_part->free(block);
}

void free_private_of(std::uint64_t pointer_bits) noexcept {
  if (current == nullptr) return;
  const auto owner = static_cast<rank_t>(pointer_bits >> offset_bits);
  std::byte* const block = direct_address(pointer_bits);
  if (owner == world.rank) return current->private_part->free(block);
  std::atomic<std::uint64_t>& freed = box_of(owner).freed_by_others;
  std::uint64_t next = freed.load(std::memory_order_relaxed);
  do {
    std::memcpy(block, &next, sizeof next);
  } while (!freed.compare_exchange_weak(next, pointer_bits & offset_mask, std::memory_order_release,
                                        std::memory_order_relaxed));
}

std::uint64_t segment_offset(const void* address) noexcept {
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - world.segment);
}

bool in_segment(const void* address) noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= world.segment && byte < world.segment + world.segment_bytes;
}

bool in_symmetric_heap(const void* address) noexcept {
  return current != nullptr && current->symmetric->contains(address);
}

free_memory segment_free() {
  require_job("segment_free");
  take_back_freed();
  return {current->symmetric->free_bytes(), current->private_part->free_bytes()};
}

}  // namespace acre::runtime

namespace acre {

job::job() : exceptions_(std::uncaught_exceptions()) {
  if (runtime::current != nullptr) {
    throw error("job", "this process has joined its job already", "keep one acre::job, in main()");
  }
  try {
    runtime::start();
  } catch (...) {
    if (runtime::current != nullptr) runtime::forget_job();
    runtime::leave_world();
    throw;
  }
}

job::~job() {
  if (runtime::current == nullptr) return;  // in a child, which is no rank
  if (std::uncaught_exceptions() > exceptions_) {
    // Others may be anywhere: they are not waited for, and what they may still
    // reach stays mapped. The launcher sees that this rank did not finish.
    static_cast<void>(runtime::current.release());
    runtime::abandoned = true;
    return;
  }
  // A destructor has no other way to say that the job has failed.
  try {
    runtime::end();
  } catch (const error& failure) {
    abort_job(1, failure.call() + ": " + failure.problem());
  } catch (const std::exception& failure) {
    abort_job(1, std::string("at the end of the job: ") + failure.what());
  } catch (...) {
    abort_job(1, "at the end of the job: an exception that is no std::exception");
  }
}

std::string conduit_name() {
  return runtime::world.conduit == nullptr ? "smp" : runtime::world.conduit->offers().name;
}

void abort_job(int status, const std::string& why) {
  if (runtime::current != nullptr) runtime::current->launcher->abort(status, why);
  std::fprintf(stderr, "acre: %s: %s\n", process_identity().c_str(), why.c_str());
  std::_Exit(status);
}

}  // namespace acre
