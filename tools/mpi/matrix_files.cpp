#include "matrix_files.hpp"

#include "../acre/messages_file.hpp"
#include "mpi_header.hpp"
#include "recording.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
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
  bool complete = true;  ///< false once MPI has said that something failed

  bool check(int answer) {
    const bool well = answer == MPI_SUCCESS;
    complete = complete && well;
    return well;
  }
};

// Not a duplicate, of which the program's attributes would be told; nor has it the program's error
// handler.
world make_world() {
  world all;
  PMPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &all.size);
  PMPI_Comm_split(MPI_COMM_WORLD, 0, all.rank, &all.comm);
  PMPI_Comm_set_errhandler(all.comm, MPI_ERRORS_RETURN);
  return all;
}

// Empty where MPI fails.
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

// Rows that nobody asked for yet would pile up at rank 0.
row ask_for_row(int from, world& all) {
  all.check(PMPI_Send(nullptr, 0, MPI_UINT64_T, from, tag, all.comm));
  return receive_row(from, all);
}

void send_row_when_asked(const row& entries, world& all) {
  all.check(PMPI_Recv(nullptr, 0, MPI_UINT64_T, 0, tag, all.comm, MPI_STATUS_IGNORE));
  all.check(PMPI_Send(entries.data(), static_cast<int>(entries.size() * 3), MPI_UINT64_T, 0, tag,
                      all.comm));
}

// What a rank has fetched belongs into the rows of those whom it came from: each learns how many
// will tell it, and takes as many messages.
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

// The command line of this process, on one line.
std::string program() {
  std::ifstream file("/proc/self/cmdline");
  std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::ranges::replace_if(
      words, [](char each) { return static_cast<unsigned char>(each) < ' '; }, ' ');
  return words;
}

// One of the two files. The first thing that goes wrong is kept for its end.
class matrix_file {
 public:
  explicit matrix_file(std::string name) : name_(std::move(name)) {
    file_ = std::fopen(name_.c_str(), "w");
    check(file_ != nullptr);
  }
  matrix_file(const matrix_file&) = delete;
  matrix_file& operator=(const matrix_file&) = delete;

  void begin(const char* what, int ranks, std::uint64_t entries) {
    if (!problem_.empty()) return;
    check(std::fprintf(
              file_,
              "%%%%MatrixMarket matrix coordinate real general\n"
              "%% %s between the ranks of MPI_COMM_WORLD: the row sends, the column receives\n"
              "%% program: %s\n"
              "%% ranks: %d\n"
              "%d %d %" PRIu64 "\n",
              what, program().c_str(), ranks, ranks, ranks, entries) > 0);
  }

  void add(int from, const row& entries, std::uint64_t peer_table::entry::* what) {
    for (const auto& each : entries) {
      if (!problem_.empty()) return;
      check(std::fprintf(file_, "%d %" PRId64 " %" PRIu64 "\n", from + 1, each.peer + 1,
                         each.*what) > 0);
    }
  }

  // What lacks lines would be a wrong matrix: nothing is left of it.
  void end(bool complete) {
    if (!complete && problem_.empty()) problem_ = "MPI has failed to collect what the ranks sent";
    if (file_ == nullptr) return complain();
    check(std::fclose(std::exchange(file_, nullptr)) == 0);
    if (problem_.empty()) return;
    std::error_code none;
    std::filesystem::resize_file(name_, 0, none);
    complain();
  }

 private:
  void check(bool well) {
    if (!well && problem_.empty()) problem_ = std::strerror(errno);
  }

  void complain() const {
    std::fprintf(stderr,
                 "acre: trace: cannot write %s: %s\n      name another file for the trace\n",
                 name_.c_str(), problem_.c_str());
  }

  std::string name_;
  std::FILE* file_ = nullptr;
  std::string problem_;  ///< empty: there is none
};

}  // namespace

void write_matrix_files(const std::string& bytes_file) {
  world all = make_world();
  peer_table mine = sent();
  if (anyone_fetched(all)) hand_back_fetched(mine, all);
  std::uint64_t entries = mine.size();
  std::uint64_t all_entries = 0;
  all.check(PMPI_Reduce(&entries, &all_entries, 1, MPI_UINT64_T, MPI_SUM, 0, all.comm));
  if (all.rank == 0) {
    matrix_file bytes(bytes_file);
    matrix_file messages(tool::messages_file(bytes_file));
    bytes.begin("bytes", all.size, all_entries);
    messages.begin("messages", all.size, all_entries);
    for (int from = 0; from < all.size; ++from) {
      const row of_rank = from == 0 ? mine.entries() : ask_for_row(from, all);
      bytes.add(from, of_rank, &peer_table::entry::bytes);
      messages.add(from, of_rank, &peer_table::entry::messages);
    }
    bytes.end(all.complete);
    messages.end(all.complete);
  } else {
    send_row_when_asked(mine.entries(), all);
  }
  PMPI_Comm_free(&all.comm);
}

}  // namespace acre::mpi
