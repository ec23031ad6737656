// SPDX-License-Identifier: BSD-3-Clause
#include "part_file.hpp"

#include "program.hpp"
#include "recording.hpp"
#include "topologies.hpp"
#include <acre/base/file_size_signal.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace acre::mpi {
namespace {

// Independent of the locale.
std::string seconds(double number) {
  std::array<char, 64> text{};
  char* const end = text.data() + text.size();
  return {text.data(), std::to_chars(text.data(), end, number, std::chars_format::fixed, 3).ptr};
}

// Differences in lines of `word`. Both lists are sorted by peer.
void add_growth(std::string& text, std::string_view word,
                const std::vector<peer_table::entry>& before,
                const std::vector<peer_table::entry>& now) {
  auto old = before.begin();
  for (const peer_table::entry& each : now) {
    const bool is_known = old != before.end() && old->peer == each.peer;
    const peer_table::entry known = is_known ? *old++ : peer_table::entry{};
    if (each.messages == known.messages) continue;
    text.append(word).append(" ").append(std::to_string(each.peer));
    text.append(" ").append(std::to_string(each.bytes - known.bytes));
    text.append(" ").append(std::to_string(each.messages - known.messages)).append("\n");
  }
}

void write(int file, std::string_view text) {
  if (file < 0) return;  // `acre trace` reports the missing file
  const acre::base::file_size_signal_blocked blocked;
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  ::close(file);
}

void begin(const std::string& name, std::string_view text) {
  ::unlink(name.c_str());
  write(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666), text);
}

// Shared file systems publish at close.
void append(const std::string& name, std::string_view text) {
  constexpr int how = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  write(::open(name.c_str(), how), text);
}

}  // namespace

part_file::part_file(const std::string& folder, int rank, int ranks)
    : name_(folder + "/rank-" + std::to_string(rank)), rank_(rank), ranks_(ranks) {
  begin(name_, head());
}

std::string part_file::head() const {
  return "acre part of rank " + std::to_string(rank_) + " of " + std::to_string(ranks_) +
         "\nprogram " + program() + "\n";
}

void part_file::add_window() { append(name_, next_window()); }

std::string part_file::next_window() {
  totals now = totals_until_now();
  const std::string number = std::to_string(++windows_);
  std::string text = "window " + number + " " + seconds(began_) + " " + seconds(now.seconds) + "\n";
  for (const std::string& each : noted_topologies(topologies_)) {
    text += "% " + each + "\n";
    ++topologies_;
  }
  add_growth(text, "to", sent_, now.sent);
  add_growth(text, "from", fetched_, now.fetched);
  began_ = now.seconds;
  sent_ = std::move(now.sent);
  fetched_ = std::move(now.fetched);
  return text + "end " + number + "\n";
}

}  // namespace acre::mpi
