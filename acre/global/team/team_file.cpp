// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/team_file.hpp>

#include <acre/base/descriptor.hpp>
#include <acre/base/error.hpp>
#include <acre/base/file_size_signal.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/new_file.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace acre::global {
namespace {

constexpr int no_data = -1;
template <class Byte, class Move>
int move_all(std::span<Byte> bytes, std::size_t offset, Move&& move) noexcept {
  while (!bytes.empty()) {
    const ssize_t moved = move(bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return no_data;
    bytes = bytes.subspan(static_cast<std::size_t>(moved));
    offset += static_cast<std::size_t>(moved);
  }
  return 0;
}

int write_all(int file, std::size_t offset, std::span<const std::byte> bytes) noexcept {
  const base::file_size_signal_blocked blocked;
  return move_all(bytes, offset, [file](const std::byte* data, std::size_t size, off_t at) {
    return ::pwrite(file, data, size, at);
  });
}
int read_all(int file, std::size_t offset, std::span<std::byte> bytes) noexcept {
  return move_all(bytes, offset, [file](std::byte* data, std::size_t size, off_t at) {
    return ::pread(file, data, size, at);
  });
}

int copy_bytes(int from, int to, std::size_t first, std::size_t last) noexcept {
  const base::file_size_signal_blocked blocked;
  while (first < last) {
    auto read = static_cast<loff_t>(first);
    auto written = read;
    const ssize_t copied = ::copy_file_range(from, &read, to, &written, last - first, 0);
    if (copied < 0 && errno == EINTR) continue;
    if (copied <= 0) break;
    first += static_cast<std::size_t>(copied);
  }
  std::array<std::byte, std::size_t{1} << 16> buffer;
  while (first < last) {
    const std::span piece = std::span(buffer).first(std::min(buffer.size(), last - first));
    if (const int problem = read_all(from, first, piece); problem != 0) return problem;
    if (const int problem = write_all(to, first, piece); problem != 0) return problem;
    first += piece.size();
  }
  return 0;
}

int problem_of_kind(const struct stat& found) noexcept {
  if (S_ISDIR(found.st_mode)) return EISDIR;
  return S_ISREG(found.st_mode) ? 0 : base::file_problem::no_plain_file;
}

std::string problem_text(const base::file_problem& problem) {
  return problem.code == no_data ? "end of file before its last element" : problem.text();
}

const char* advice_for(const base::file_problem& problem, bool is_written) {
  if (is_written || problem.code == EISDIR || problem.code == base::file_problem::no_plain_file) {
    return problem.advice();
  }
  if (problem.code == EACCES || problem.code == EPERM) {
    return "request read permission from its owner";
  }
  return "the file must exist on all ranks under this name";
}

}  // namespace

struct team_file::state {
  state(const team& of, const std::string& name, const char* user_call, const site& place)
      : members(of), path(name), where(place), call(user_call) {}

  team members;
  std::string path;
  site where;
  const char* call;
  bool is_written = false;
  base::new_file made;
  acre::descriptor opened;
  struct stat found{};
  base::file_problem problem{};

  [[nodiscard]] bool is_first() const noexcept { return members.rank() == 0; }
  [[nodiscard]] int file() const noexcept {
    return made.is_open() ? made.descriptor() : opened.get();
  }
  void fail(int code) noexcept {
    if (problem.code == 0) problem.code = code;
  }

  void open(const std::string& name, int how) noexcept {
    opened = acre::descriptor(::open(name.c_str(), how | O_CLOEXEC));
    if (!opened.open()) fail(errno);
  }
  /// Opens the file that member 0 created. Inode numbers are compared on its host only, as they may
  /// differ between hosts.
  void open_to_write(const std::string& name, const file_identity& created, const std::string& host,
                     int how) noexcept {
    open(name, how | O_NOFOLLOW | O_NONBLOCK);
    if (opened.open() && (::fstat(opened.get(), &found) != 0 || !S_ISREG(found.st_mode) ||
                          (host == host_name() && opened.file() != created))) {
      fail(base::file_problem::replaced);
    }
  }
  void agree() {
    const std::vector<int> problems = members.allgather(problem.code, where);
    const auto found_one = std::ranges::find_if(problems, [](int each) { return each != 0; });
    if (found_one == problems.end()) return;
    made.drop();
    const auto member = static_cast<rank_t>(found_one - problems.begin());
    const base::file_problem first{.code = *found_one,
                                   .has_name = members.broadcast(problem.has_name, member, where),
                                   .who = members.broadcast(problem.who, member, where)};
    members.barrier(where);
    throw error(call,
                std::string("cannot ") + (is_written ? "write " : "read ") + path + ": " +
                    problem_text(first) + " (rank " + std::to_string(members[member].world_rank()) +
                    ")" + describe_place(where),
                advice_for(first, is_written));
  }
};

team_file::team_file(base::unique_object<state> made) noexcept : state_(std::move(made)) {}
team_file::team_file(team_file&&) noexcept = default;
team_file::~team_file() = default;

team_file team_file::create(const team& members, const std::string& path, const char* call,
                            const site& where) {
  auto made = base::make_unique_object<state>(members, path, call, where);
  made->is_written = true;
  if (made->is_first()) made->problem = made->made.begin(path, base::streams::refused);
  return team_file(std::move(made));
}

team_file team_file::open(const team& members, const std::string& path, const char* call,
                          const site& where) {
  auto made = base::make_unique_object<state>(members, path, call, where);
  made->open(path, O_RDONLY | O_NONBLOCK);
  if (made->opened.open()) {
    made->problem.code =
        ::fstat(made->opened.get(), &made->found) != 0 ? errno : problem_of_kind(made->found);
  }
  made->agree();
  return team_file(std::move(made));
}

const team& team_file::members() const noexcept { return state_->members; }
const std::string& team_file::path() const noexcept { return state_->path; }
const site& team_file::where() const noexcept { return state_->where; }
bool team_file::is_first() const noexcept { return state_->is_first(); }
std::string team_file::name_until_finished() {
  // A descriptor's path, so that renaming cannot substitute another file. HDF5 resolves it, so the
  // file needs a name.
  state& here = *state_;
  if (!here.opened.open()) {
    here.open_to_write(here.made.name(), here.made.identity(), host_name(), O_RDWR);
  }
  const std::string by_number = "/proc/self/fd/" + std::to_string(here.opened.get());
  return ::access(by_number.c_str(), F_OK) == 0 ? by_number : here.made.name();
}
std::size_t team_file::bytes() const noexcept {
  return static_cast<std::size_t>(state_->found.st_size);
}
std::size_t team_file::identity() const noexcept { return state_->found.st_ino; }

bool team_file::has(std::size_t offset, std::span<std::byte> bytes) const noexcept {
  return read_all(state_->file(), offset, bytes) == 0;
}

bool team_file::is_good() const noexcept { return !state_->problem; }

void team_file::reserve(std::size_t offset, std::size_t bytes) noexcept {
  state& here = *state_;
  if (here.problem || bytes == 0) return;
  const base::file_size_signal_blocked blocked;
  const int refused =
      ::fallocate(here.file(), 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  if (refused == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) {
    here.fail(errno);
  } else if (bytes <= std::size_t{1} << 20) {
    clear(offset, bytes);
  }
}

void team_file::cut(std::size_t bytes) noexcept {
  state& here = *state_;
  struct stat now{};
  if (here.problem) return;
  if (::fstat(here.file(), &now) != 0 ||
      (static_cast<std::size_t>(now.st_size) > bytes &&
       ::ftruncate(here.file(), static_cast<off_t>(bytes)) != 0)) {
    here.fail(errno);
  }
}

void team_file::write(std::size_t offset, std::span<const std::byte> bytes) noexcept {
  if (state_->problem) return;
  state_->problem.code = write_all(state_->file(), offset, bytes);
}

void team_file::read(std::size_t offset, std::span<std::byte> bytes) noexcept {
  if (state_->problem) return;
  state_->problem.code = read_all(state_->file(), offset, bytes);
}

void team_file::clear(std::size_t offset, std::size_t bytes) noexcept {
  static constexpr std::array<std::byte, std::size_t{1} << 16> zeros{};
  while (bytes != 0 && !state_->problem) {
    const std::span piece = std::span(zeros).first(std::min(zeros.size(), bytes));
    write(offset, piece);
    offset += piece.size();
    bytes -= piece.size();
  }
}

void team_file::copy_share(const team_file& from) noexcept {
  state& here = *state_;
  if (here.problem) return;
  constexpr std::size_t page = std::size_t{1} << 16;
  const std::size_t all = from.bytes();
  const std::size_t pages = all / page + 1;
  const std::size_t first = pages * here.members.rank() / here.members.size() * page;
  const std::size_t last = pages * (here.members.rank() + 1) / here.members.size() * page;
  here.problem.code =
      copy_bytes(from.state_->file(), here.file(), std::min(first, all), std::min(last, all));
}

void team_file::fail(int problem) noexcept { state_->fail(problem); }

void team_file::share() {
  state& here = *state_;
  here.agree();
  const auto [name, created, host] = here.members.broadcast(
      std::tuple(here.made.name(), here.made.identity(), host_name()), 0, here.where);
  if (!here.is_first()) here.open_to_write(name, created, host, O_WRONLY);
  here.agree();
}

void team_file::agree() { state_->agree(); }

void team_file::finish() {
  state& here = *state_;
  if (here.is_written && !here.problem && ::fsync(here.file()) != 0) here.fail(errno);
  here.agree();
  if (!here.is_written) return;
  if (here.is_first()) here.problem = here.made.commit();
  here.agree();
}

}  // namespace acre::global
