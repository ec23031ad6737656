// A matrix of traffic as a file of Matrix Market.
//
// It is written under another name and gets its own when it is whole: whoever is killed in the
// middle leaves no half matrix. The layer before MPI (tools/mpi) and the command both write such.
#pragma once

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace acre::tool {

/// What a file under way is called, for that it will replace.
[[nodiscard]] inline std::string unfinished_name(const std::string& name) {
  return name + ".unfinished";
}

class matrix_file {
 public:
  explicit matrix_file(std::string name) : name_(std::move(name)) {
    file_ = std::fopen(unfinished_name(name_).c_str(), "w");
    check(file_ != nullptr);
  }
  matrix_file(const matrix_file&) = delete;
  matrix_file& operator=(const matrix_file&) = delete;
  ~matrix_file() {
    if (file_ != nullptr) std::fclose(file_);
  }

  /// @param what    "bytes"
  /// @param remarks lines of comment below the first one
  void begin(const char* what, std::uint64_t ranks, std::uint64_t entries,
             std::span<const std::string> remarks) {
    say("%%%%MatrixMarket matrix coordinate real general\n"
        "%% %s between the ranks of MPI_COMM_WORLD: the row sends, the column receives\n",
        what);
    for (const std::string& each : remarks) say("%% %s\n", each.c_str());
    say("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ranks, ranks, entries);
  }

  /// Ranks count from 0.
  void add(std::uint64_t from, std::uint64_t to, std::uint64_t value) {
    say("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", from + 1, to + 1, value);
  }

  /// Gives it its name, unless something went wrong.
  /// @param problem what else did; empty: nothing
  /// @return whether it is there; if not, standard error says why
  bool end(const std::string& problem = {}) {
    if (problem_.empty()) problem_ = problem;
    if (file_ != nullptr) check(std::fclose(std::exchange(file_, nullptr)) == 0);
    const std::string unfinished = unfinished_name(name_);
    if (problem_.empty()) check(std::rename(unfinished.c_str(), name_.c_str()) == 0);
    if (problem_.empty()) return true;
    std::remove(unfinished.c_str());
    std::fprintf(stderr,
                 "acre: trace: cannot write %s: %s\n      name another file for the trace\n",
                 name_.c_str(), problem_.c_str());
    return false;
  }

 private:
  template <class... Values>
  void say(const char* format, Values... values) {
    if (!problem_.empty()) return;
    check(std::fprintf(file_, format, values...) > 0);
  }

  // The first thing that goes wrong is kept.
  void check(bool well) {
    if (!well && problem_.empty()) problem_ = std::strerror(errno);
  }

  std::string name_;
  std::FILE* file_ = nullptr;
  std::string problem_;  ///< empty: there is none
};

}  // namespace acre::tool
