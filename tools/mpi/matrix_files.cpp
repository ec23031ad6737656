// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_files.hpp"

#include "../acre/matrix_file.hpp"
#include "../acre/messages_file.hpp"
#include "mpi_header.hpp"
#include "program.hpp"
#include "recording.hpp"
#include "topologies.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace acre::mpi {
namespace {

using row = std::vector<peer_table::entry>;

constexpr int tag = 1;
static_assert(sizeof(peer_table::entry) == 3 * sizeof(std::uint64_t));

struct world {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  bool complete = true;  ///< false after MPI errors

  bool check(int answer) {
    const bool well = answer == MPI_SUCCESS;
    complete = complete && well;
    return well;
  }
};

// A duplicate would call the program's attribute callbacks and inherit its error handler.
world make_world() {
  world all;
  PMPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &all.size);
  PMPI_Comm_split(MPI_COMM_WORLD, 0, all.rank, &all.comm);
  PMPI_Comm_set_errhandler(all.comm, MPI_ERRORS_RETURN);
  return all;
}

row receive_row(int from, world& all) {
  MPI_Status status;
  if (!all.check(PMPI_Probe(from, tag, all.comm, &status))) return {};
  int words = 0;
  PMPI_Get_count(&status, MPI_UINT64_T, &words);
  row entries(static_cast<std::size_t>(words) / 3);
  all.check(PMPI_Recv(entries.data(), words, MPI_UINT64_T, status.MPI_SOURCE, tag, all.comm,
                      MPI_STATUS_IGNORE));
  return entries;
}

// Requests limit unexpected messages at rank 0.
row ask_for_row(int from, world& all) {
  all.check(PMPI_Send(nullptr, 0, MPI_UINT64_T, from, tag, all.comm));
  return receive_row(from, all);
}

void send_row_when_asked(const row& entries, world& all) {
  all.check(PMPI_Recv(nullptr, 0, MPI_UINT64_T, 0, tag, all.comm, MPI_STATUS_IGNORE));
  all.check(PMPI_Send(entries.data(), static_cast<int>(entries.size() * 3), MPI_UINT64_T, 0, tag,
                      all.comm));
}

// A reduction yields the number of messages to expect.
void hand_back_fetched(peer_table& mine, world& all) {
  const row fetches = fetched().entries();
  std::vector<std::uint64_t> fetches_from(static_cast<std::size_t>(all.size));
  for (const auto& each : fetches) fetches_from[static_cast<std::size_t>(each.peer)] = 1;
  std::vector<std::uint64_t> tellers(fetches_from.size());
  all.check(PMPI_Allreduce(fetches_from.data(), tellers.data(), all.size, MPI_UINT64_T, MPI_SUM,
                           all.comm));
  std::vector<MPI_Request> requests;
  std::vector<row> told;
  told.reserve(fetches.size());
  for (const auto& each : fetches) {
    told.push_back({{all.rank, each.bytes, each.messages}});
    requests.push_back(MPI_REQUEST_NULL);
    all.check(PMPI_Isend(told.back().data(), 3, MPI_UINT64_T, static_cast<int>(each.peer), tag,
                         all.comm, &requests.back()));
  }
  for (std::uint64_t left = tellers[static_cast<std::size_t>(all.rank)]; left > 0; --left) {
    for (const auto& each : receive_row(MPI_ANY_SOURCE, all)) {
      mine.add(static_cast<int>(each.peer), each.bytes, each.messages);
    }
  }
  for (MPI_Request& each : requests) PMPI_Wait(&each, MPI_STATUS_IGNORE);
  all.check(PMPI_Barrier(all.comm));
}

bool anyone_fetched(world& all) {
  std::uint64_t mine = fetched().size();
  std::uint64_t most = 0;
  all.check(PMPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, all.comm));
  return most > 0;
}

std::vector<std::string> collect_topologies(world& all) {
  std::string mine;
  for (const std::string& each : noted_topologies()) mine += each + '\n';
  std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths(all.rank == 0 ? static_cast<std::size_t>(all.size) : 0);
  all.check(PMPI_Gather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, 0, all.comm));
  if (all.rank != 0) {
    if (length > 0) {
      all.check(PMPI_Send(mine.data(), static_cast<int>(length), MPI_BYTE, 0, tag, all.comm));
    }
    return {};
  }
  std::vector<std::string> lines;
  for (int from = 0; from < all.size; ++from) {
    const std::uint64_t theirs = lengths[static_cast<std::size_t>(from)];
    if (from != 0 && theirs > 0) {
      mine.assign(theirs, '\n');
      all.check(PMPI_Recv(mine.data(), static_cast<int>(theirs), MPI_BYTE, from, tag, all.comm,
                          MPI_STATUS_IGNORE));
    }
    std::istringstream text(from == 0 || theirs > 0 ? mine : "");
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

void add(tool::matrix_file& file, int from, const row& entries,
         std::uint64_t peer_table::entry::* what) {
  for (const auto& each : entries) {
    file.add(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(each.peer), each.*what);
  }
}

}  // namespace

void write_matrix_files(const std::string& bytes_file) {
  world all = make_world();
  peer_table mine = sent();
  if (anyone_fetched(all)) hand_back_fetched(mine, all);
  std::uint64_t entries = mine.size();
  std::uint64_t all_entries = 0;
  all.check(PMPI_Reduce(&entries, &all_entries, 1, MPI_UINT64_T, MPI_SUM, 0, all.comm));
  std::vector<std::string> remarks = collect_topologies(all);
  if (all.rank == 0) {
    remarks.insert(remarks.begin(),
                   {"program: " + program(), "ranks: " + std::to_string(all.size)});
    const auto ranks = static_cast<std::uint64_t>(all.size);
    tool::matrix_file bytes(bytes_file);
    tool::matrix_file messages(tool::messages_file(bytes_file));
    bytes.begin("bytes", ranks, all_entries, remarks);
    messages.begin("messages", ranks, all_entries, remarks);
    for (int from = 0; from < all.size; ++from) {
      const row of_rank = from == 0 ? mine.entries() : ask_for_row(from, all);
      add(bytes, from, of_rank, &peer_table::entry::bytes);
      add(messages, from, of_rank, &peer_table::entry::messages);
    }
    const char* problem = all.complete ? "" : "MPI failed to collect the traffic of the ranks";
    bytes.end(problem);
    messages.end(problem);
  } else {
    send_row_when_asked(mine.entries(), all);
  }
  PMPI_Comm_free(&all.comm);
}

}  // namespace acre::mpi
