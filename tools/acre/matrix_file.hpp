// SPDX-License-Identifier: BSD-3-Clause
// Writes traffic as Matrix Market, for acre and tools/mpi; named when complete (base/new_file.hpp).
#pragma once

#include <acre/base/new_file.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

namespace acre::tool {

class matrix_file {
 public:
  explicit matrix_file(std::string name) : name_(std::move(name)) {
    check(file_.begin(name_, base::streams::refused));
  }

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

  /// Commits the file unless there was a problem, which it reports on standard error.
  /// @return whether committed
  bool end(const std::string& problem = {}) {
    if (problem_.empty()) problem_ = problem;
    flush();
    if (problem_.empty()) check(file_.commit());
    if (problem_.empty()) return true;
    file_.drop();
    std::fprintf(stderr,
                 "acre: trace: cannot write %s: %s\n      name another file for the trace\n",
                 name_.c_str(), problem_.c_str());
    return false;
  }

 private:
  template <class... Values>
  void say(const char* format, Values... values) {
    if (!problem_.empty()) return;
    const int length = std::snprintf(nullptr, 0, format, values...);
    const std::size_t before = text_.size();
    text_.resize(before + static_cast<std::size_t>(length) + 1);
    std::snprintf(text_.data() + before, text_.size() - before, format, values...);
    text_.pop_back();
    if (text_.size() >= std::size_t{1} << 18) flush();
  }

  void flush() {
    if (problem_.empty()) check(file_.write(text_));
    text_.clear();
  }

  void check(const base::file_problem& found) {
    if (found && problem_.empty()) problem_ = found.text();
  }

  std::string name_;
  base::new_file file_;
  std::string text_;
  std::string problem_;
};

}  // namespace acre::tool
