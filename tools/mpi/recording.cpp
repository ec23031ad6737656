// SPDX-License-Identifier: BSD-3-Clause
#include "recording.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

// MPI_IN_PLACE of Open MPI's Fortran: address of a common block.
extern "C" [[gnu::weak]] int mpi_fortran_in_place_;

namespace acre::mpi {

/// Ranks of a communicator or window, translated to world ranks on demand.
struct members {
  static constexpr int unknown = -2;

  int rank = 0;
  int size = 0;
  bool two_groups = false;
  MPI_Group group = MPI_Group{};
  std::vector<int> in_world;  ///< empty: the world
  std::vector<int> neighbours;
  bool neighbours_known = false;
  MPI_Comm comm = MPI_Comm{};

  int world_rank(int of);
};

std::atomic<bool> is_tracing = false;
std::atomic<bool> is_recording = false;

namespace {

// Handle as a key: int in MPICH, pointer in Open MPI.
template <class Handle>
std::uintptr_t word(Handle handle) {
  return (std::uintptr_t)handle;  // no C++ cast fits both
}

using known_members = std::unordered_map<std::uintptr_t, std::unique_ptr<members>>;

struct planned {
  int to;
  std::uint64_t bytes;
};

// Collects the sends of persistent requests. Initial-exec avoids a call per access.
[[gnu::tls_model("initial-exec")]] thread_local std::vector<planned>* planning = nullptr;

// Never destroyed: MPI_Finalize may run in a later destructor.
struct record {
  using lock = std::unique_lock<std::mutex>;

  std::mutex mutex;
  std::mutex describing;  ///< acquired before `mutex`
  bool many_threads = false;
  std::chrono::steady_clock::time_point began{};
  MPI_Group world_group = MPI_Group{};
  int key_of_communicators = MPI_KEYVAL_INVALID;
  int key_of_windows = MPI_KEYVAL_INVALID;
  known_members communicators;
  known_members windows;
  std::uintptr_t last_communicator = 0;
  members* last_members = nullptr;
  std::unordered_map<std::uintptr_t, std::vector<planned>> plans;
  peer_table sent;
  peer_table fetched;

  lock take_lock() { return take(mutex); }

  lock take(std::mutex& which) const {
    lock guard(which, std::defer_lock);
    if (many_threads) guard.lock();
    return guard;
  }
};

record& the_record() {
  static record& only = *new record;
  return only;
}

// MPI may reuse a freed handle.
int forget_communicator(MPI_Comm comm, int, void*, void*) {
  record& all = the_record();
  const auto guard = all.take_lock();
  all.last_members = nullptr;
  const auto found = all.communicators.find(word(comm));
  if (found == all.communicators.end()) return MPI_SUCCESS;
  PMPI_Group_free(&found->second->group);
  all.communicators.erase(found);
  return MPI_SUCCESS;
}

int forget_window(MPI_Win win, int, void*, void*) {
  record& all = the_record();
  const auto guard = all.take_lock();
  const auto found = all.windows.find(word(win));
  if (found == all.windows.end()) return MPI_SUCCESS;
  PMPI_Group_free(&found->second->group);
  all.windows.erase(found);
  return MPI_SUCCESS;
}

void find_world_ranks(members& of) {
  PMPI_Group_size(of.group, &of.size);
  int relation = MPI_UNEQUAL;
  PMPI_Group_compare(of.group, the_record().world_group, &relation);
  if (relation != MPI_IDENT) {
    of.in_world.assign(static_cast<std::size_t>(of.size), members::unknown);
  }
}

std::unique_ptr<members> describe_communicator(MPI_Comm comm) {
  auto described = std::make_unique<members>();
  described->comm = comm;
  if (comm == MPI_COMM_NULL) return described;
  int two_groups = 0;
  PMPI_Comm_test_inter(comm, &two_groups);
  described->two_groups = two_groups != 0;
  PMPI_Comm_rank(comm, &described->rank);
  if (described->two_groups) {
    PMPI_Comm_remote_group(comm, &described->group);
  } else {
    PMPI_Comm_group(comm, &described->group);
  }
  find_world_ranks(*described);
  PMPI_Comm_set_attr(comm, the_record().key_of_communicators, nullptr);
  return described;
}

std::unique_ptr<members> describe_window(MPI_Win win) {
  auto described = std::make_unique<members>();
  if (win == MPI_WIN_NULL) return described;
  PMPI_Win_get_group(win, &described->group);
  find_world_ranks(*described);
  PMPI_Win_set_attr(win, the_record().key_of_windows, nullptr);
  return described;
}

// Setting an attribute may take a lock that MPI also holds while it calls forget_*, so `mutex` must
// be free. `describing` prevents a second description.
template <class Describe>
members& find_or_describe(known_members& known, std::uintptr_t handle, record::lock& guard,
                          Describe describe) {
  if (const auto found = known.find(handle); found != known.end()) return *found->second;
  record& all = the_record();
  if (guard) guard.unlock();
  const auto alone = all.take(all.describing);
  guard = all.take_lock();
  if (const auto found = known.find(handle); found != known.end()) return *found->second;
  if (guard) guard.unlock();
  std::unique_ptr<members> described = describe();
  guard = all.take_lock();
  return *known.try_emplace(handle, std::move(described)).first->second;
}

members& members_of_communicator(MPI_Comm comm, record::lock& guard) {
  record& all = the_record();
  if (all.last_members != nullptr && all.last_communicator == word(comm)) return *all.last_members;
  members& found = find_or_describe(all.communicators, word(comm), guard,
                                    [&] { return describe_communicator(comm); });
  all.last_communicator = word(comm);
  all.last_members = &found;
  return found;
}

std::vector<int> neighbours_in_grid(MPI_Comm comm) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  std::vector<int> result;
  for (int each = 0; each < dimensions; ++each) {
    int before = MPI_PROC_NULL;
    int after = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, each, 1, &before, &after);
    result.push_back(before);
    result.push_back(after);
  }
  return result;
}

std::vector<int> neighbours_in_graph(MPI_Comm comm, int rank) {
  int count = 0;
  PMPI_Graph_neighbors_count(comm, rank, &count);
  std::vector<int> result(static_cast<std::size_t>(count));
  PMPI_Graph_neighbors(comm, rank, count, result.data());
  return result;
}

std::vector<int> targets_in_graph(MPI_Comm comm) {
  int sources = 0;
  int targets = 0;
  int weighted = 0;
  PMPI_Dist_graph_neighbors_count(comm, &sources, &targets, &weighted);
  std::vector<int> from(static_cast<std::size_t>(sources) + 1);
  std::vector<int> from_weights(from.size());
  std::vector<int> to(static_cast<std::size_t>(targets) + 1);
  std::vector<int> to_weights(to.size());
  PMPI_Dist_graph_neighbors(comm, sources, from.data(), from_weights.data(), targets, to.data(),
                            to_weights.data());
  to.resize(static_cast<std::size_t>(targets));
  return to;
}

std::vector<int> neighbours_of(const members& which) {
  if (which.comm == MPI_COMM_NULL) return {};
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(which.comm, &topology);
  if (topology == MPI_CART) return neighbours_in_grid(which.comm);
  if (topology == MPI_GRAPH) return neighbours_in_graph(which.comm, which.rank);
  if (topology == MPI_DIST_GRAPH) return targets_in_graph(which.comm);
  return {};
}

}  // namespace

int members::world_rank(int of) {
  if (of < 0 || of >= size) return MPI_PROC_NULL;
  if (in_world.empty()) return of;
  int& known = in_world[static_cast<std::size_t>(of)];
  if (known == unknown) {
    PMPI_Group_translate_ranks(group, 1, &of, the_record().world_group, &known);
    if (known == MPI_UNDEFINED) known = MPI_PROC_NULL;  // a rank of another world
  }
  return known;
}

void begin_recording(readers others) {
  record& all = the_record();
  int threads = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&threads);
  all.many_threads = threads == MPI_THREAD_MULTIPLE || others == readers::other_threads;
  all.began = std::chrono::steady_clock::now();
  PMPI_Comm_group(MPI_COMM_WORLD, &all.world_group);
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &forget_communicator, &all.key_of_communicators,
                          nullptr);
  PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, &forget_window, &all.key_of_windows, nullptr);
  is_tracing = true;
  is_recording = true;
}

void record_traffic(bool go_on) { is_recording = go_on && is_tracing; }

void end_recording() { is_tracing = is_recording = false; }

const peer_table& sent() { return the_record().sent; }
const peer_table& fetched() { return the_record().fetched; }

totals totals_until_now() {
  record& all = the_record();
  const auto guard = all.take_lock();
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - all.began;
  return {all.sent.entries(), all.fetched.entries(), gone.count()};
}

sender sender::among(MPI_Comm comm) {
  lock guard = the_record().take_lock();
  members& found = members_of_communicator(comm, guard);
  return {std::move(guard), found};
}

sender sender::into(MPI_Win win) {
  record& all = the_record();
  lock guard = all.take_lock();
  members& found =
      find_or_describe(all.windows, word(win), guard, [&] { return describe_window(win); });
  return {std::move(guard), found};
}

seat sender::place() const { return {members_.rank, members_.two_groups ? 0 : members_.size}; }

std::span<const int> sender::neighbours() const {
  if (!std::exchange(members_.neighbours_known, true))
    members_.neighbours = neighbours_of(members_);
  return members_.neighbours;
}

void sender::send(int to, std::uint64_t bytes) {
  const int peer = members_.world_rank(to);
  if (peer < 0) return;
  record& all = the_record();
  if (planning != nullptr) {
    planning->push_back({peer, bytes});
  } else {
    all.sent.add(peer, bytes);
  }
}

void sender::fetch(int from, std::uint64_t bytes) {
  const int peer = members_.world_rank(from);
  if (peer >= 0) the_record().fetched.add(peer, bytes);
}

void plan(MPI_Request request, const std::function<void()>& sends) {
  std::vector<planned> list;
  planning = &list;
  sends();
  planning = nullptr;
  record& all = the_record();
  const auto guard = all.take_lock();
  if (list.empty()) {
    all.plans.erase(word(request));
  } else {
    all.plans[word(request)] = std::move(list);
  }
}

void start(MPI_Request request) {
  record& all = the_record();
  const auto guard = all.take_lock();
  if (all.plans.empty()) return;
  const auto found = all.plans.find(word(request));
  if (found == all.plans.end()) return;
  for (const planned& each : found->second) all.sent.add(each.to, each.bytes);
}

void forget(MPI_Request request) {
  record& all = the_record();
  const auto guard = all.take_lock();
  if (!all.plans.empty()) all.plans.erase(word(request));
}

bool is_in_place(const void* data) {
  const void* const of_fortran = &mpi_fortran_in_place_;
  return data == MPI_IN_PLACE || (of_fortran != nullptr && data == of_fortran);
}

}  // namespace acre::mpi
