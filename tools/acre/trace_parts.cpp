// SPDX-License-Identifier: BSD-3-Clause
#include "trace_parts.hpp"

#include <acre/base/error.hpp>
#include <acre/base/parse_number.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <tuple>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_ranks_of_parts = std::size_t{1} << 24;

class words_of {
 public:
  explicit words_of(std::string_view line) : left_(line) {}

  std::string_view next() {
    const std::size_t end = std::min(left_.find(' '), left_.size());
    const std::string_view word = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    return word;
  }
  template <class Number>
  bool take(Number& number) {
    const auto read = base::parse_number<Number>(next());
    if (read) number = *read;
    return read.has_value();
  }
  [[nodiscard]] bool ended() const { return left_.empty(); }

 private:
  std::string_view left_;
};

/// Parses "to 4 8192 2" or "from 0 64 1".
bool add_entry(std::string_view line, std::size_t rank, std::size_t ranks,
               std::vector<sent_bytes>& entries) {
  words_of words(line);
  const std::string_view way = words.next();
  std::uint64_t peer = 0;
  sent_bytes entry{};
  const bool is_whole = words.take(peer) && words.take(entry.bytes) && words.take(entry.messages);
  if (!is_whole || !words.ended() || peer >= ranks || (way != "to" && way != "from")) return false;
  entry.from = way == "to" ? rank : peer;
  entry.to = way == "to" ? peer : rank;
  entries.push_back(entry);
  return true;
}

bool read_block(std::ifstream& file, std::size_t rank, std::size_t ranks, trace_window& read) {
  std::string line;
  // A line without newline was cut off.
  const auto next_line = [&] { return std::getline(file, line) && !file.eof(); };
  if (!next_line()) return false;
  words_of head(line);
  unsigned number = 0;
  if (head.next() != "window" || !head.take(number) || !head.take(read.begin) ||
      !head.take(read.end)) {
    return false;
  }
  const std::string last = "end " + std::to_string(number);
  while (next_line()) {
    if (line == last) return true;
    if (line.starts_with("% ")) {
      read.communicators.push_back(line.substr(2));
    } else if (!add_entry(line, rank, ranks, read.entries)) {
      return false;
    }
  }
  return false;
}

void add(trace_window& all, const trace_window& of_rank, bool is_first) {
  all.begin = is_first ? of_rank.begin : std::min(all.begin, of_rank.begin);
  all.end = std::max(all.end, of_rank.end);
  all.entries.insert(all.entries.end(), of_rank.entries.begin(), of_rank.entries.end());
  all.communicators.insert(all.communicators.end(), of_rank.communicators.begin(),
                           of_rank.communicators.end());
}

}  // namespace

void add_up(std::vector<sent_bytes>& entries) {
  const auto ends = [](const sent_bytes& of) { return std::tuple(of.from, of.to); };
  std::ranges::sort(entries, {}, ends);
  std::size_t kept = 0;
  for (const sent_bytes& each : entries) {
    if (kept > 0 && ends(entries[kept - 1]) == ends(each)) {
      entries[kept - 1].bytes += each.bytes;
      entries[kept - 1].messages += each.messages;
    } else {
      entries[kept++] = each;
    }
  }
  entries.resize(kept);
}

trace_parts::trace_parts(const std::string& folder) {
  std::error_code problem;
  for (const auto& each : fs::directory_iterator(folder, problem)) {
    if (each.path().filename().string().starts_with("rank-")) find(each.path());
  }
  if (problem) throw error("trace", folder + " cannot be read: " + problem.message());
  if (!parts_.empty()) return;
  throw error("trace", "no rank has left a part of the trace in " + folder,
              "check that the ranks reach MPI_Init and that their hosts share the folder");
}

void trace_parts::find(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::string program;
  std::getline(file, line);
  constexpr std::string_view begin = "acre part of rank ";
  if (!line.starts_with(begin)) return;
  words_of words(std::string_view(line).substr(begin.size()));
  std::size_t rank = 0;
  std::size_t ranks = 0;
  if (!words.take(rank) || words.next() != "of" || !words.take(ranks) || rank >= ranks ||
      ranks > most_ranks_of_parts || !std::getline(file, program) || file.eof()) {
    return;
  }
  if (parts_.empty()) {
    parts_.resize(ranks);
    program_ = program.substr(std::min(program.find(' ') + 1, program.size()));
  }
  if (parts_.size() != ranks) {
    throw error("trace",
                "the folder contains parts of a job of " + std::to_string(parts_.size()) +
                    " ranks and of one of " + std::to_string(ranks) + ": " + path,
                "trace only one job at a time into a folder");
  }
  parts_[rank] = {path, static_cast<std::int64_t>(file.tellg())};
}

std::string trace_parts::ranks_without_part() const {
  std::string text;
  const auto has_none = [&](std::size_t rank) { return parts_[rank].path.empty(); };
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    if (!has_none(rank)) continue;
    const std::size_t first = rank;
    while (rank + 1 < parts_.size() && has_none(rank + 1)) ++rank;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (rank > first) text += "-" + std::to_string(rank);
  }
  return text;
}

std::optional<trace_window> trace_parts::next() {
  trace_window all;
  std::size_t found = 0;
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    part& each = parts_[rank];
    if (each.path.empty() || each.next < 0) continue;
    std::ifstream file(each.path, std::ios::binary);
    file.seekg(each.next);
    trace_window of_rank;
    if (read_block(file, rank, parts_.size(), of_rank)) {
      add(all, of_rank, found++ == 0);
      each.next = static_cast<std::int64_t>(file.tellg());
    } else {
      each.next = -1;
    }
  }
  if (found == 0) return std::nullopt;
  all.missing = parts_.size() - found;
  add_up(all.entries);
  return all;
}

}  // namespace acre::tool
