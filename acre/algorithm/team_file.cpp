#include <acre/algorithm/team_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace acre::detail {
namespace {

/// A file of this process.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// All of the bytes, in as many calls of the system as it takes.
/// @return 0, or what is wrong; no_data where the file ends before
constexpr int no_data = -1;
/// More that no number of the system says: of the name, or of that which the file has while it is
/// written.
constexpr int no_plain_file = -2;
constexpr int link_in_the_way = -3;
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
  return move_all(bytes, offset, [file](const std::byte* data, std::size_t size, off_t at) {
    return ::pwrite(file, data, size, at);
  });
}
int read_all(int file, std::size_t offset, std::span<std::byte> bytes) noexcept {
  return move_all(bytes, offset, [file](std::byte* data, std::size_t size, off_t at) {
    return ::pread(file, data, size, at);
  });
}

/// The bytes first … last - 1 of a file, to the same place in another.
int copy_bytes(int from, int to, std::size_t first, std::size_t last) noexcept {
  while (first < last) {
    auto read = static_cast<loff_t>(first);
    auto written = read;
    const ssize_t copied = ::copy_file_range(from, &read, to, &written, last - first, 0);
    if (copied < 0 && errno == EINTR) continue;
    if (copied <= 0) break;  // not between these file systems: by hand
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

/// What keeps this from being a file of elements. A device or a pipe would not be written: it would
/// be gone when the file gets its name.
int problem_of_kind(const struct stat& found) noexcept {
  if (S_ISDIR(found.st_mode)) return EISDIR;
  return S_ISREG(found.st_mode) ? 0 : no_plain_file;
}

/// What keeps a file from getting this name, and the mode of what has it now.
int look_at_old_file(const std::string& path, std::optional<mode_t>& mode) noexcept {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return 0;
  if (const int problem = problem_of_kind(found); problem != 0) return problem;
  // A rename asks for no right to what it replaces, but who takes that right away means it.
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  mode = found.st_mode & 0777;
  return 0;
}

/// A name is on the disk when its folder is.
/// @return 0, or what is wrong; folders that cannot be opened, or written so, are left to the
/// system
int sync_folder_of(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  const descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open() || ::fsync(opened.number()) == 0) return 0;
  return errno == EIO || errno == ENOSPC || errno == EDQUOT ? errno : 0;
}

std::string problem_text(int problem) {
  switch (problem) {
    case no_data:
      return "it ends before its last element";
    case no_plain_file:
      return "it is no plain file";
    case link_in_the_way:
      return "the same name with .being-written is a symbolic link";
    default:
      return std::strerror(problem);
  }
}

const char* advice_for(int problem, bool is_written) {
  if (problem == link_in_the_way) return "remove that link, or write elsewhere";
  if (problem == EISDIR) return "give the name of a file: that is a directory's";
  if (problem == no_plain_file) return "give the name of a file, not that of a device or a pipe";
  if (is_written && (problem == ENOENT || problem == ENOTDIR)) {
    return "make the directory first, where all ranks see it";
  }
  if (is_written && (problem == ENOSPC || problem == EDQUOT || problem == EFBIG)) {
    return "make room, or write it elsewhere; what had this name before is as it was";
  }
  if (is_written) return "what had this name before is as it was";
  if (problem == EACCES || problem == EPERM) return "ask its owner for the right to read it";
  return "all ranks must see the file, under this name";
}

}  // namespace

struct team_file::state {
  state(const team& of, const std::string& name, const char* user_call, const site& place)
      : members(of), path(name), where(place), call(user_call) {}

  team members;
  std::string path;
  site where;
  const char* call;
  std::string name_until_finished;  ///< empty: the file is read
  std::string name_when_finished;   ///< that of `path`, or of what it is a link to
  descriptor file;
  struct stat found{};
  int problem = 0;  ///< of this member
  bool is_finished = false;

  [[nodiscard]] bool is_written() const noexcept { return !name_until_finished.empty(); }
  [[nodiscard]] bool is_first() const noexcept { return members.rank() == 0; }

  void open(const std::string& name, int how, mode_t mode = 0) noexcept {
    file = descriptor(::open(name.c_str(), how | O_CLOEXEC, mode));
    if (!file.is_open()) problem = errno;
  }
  /// Under the name until it is finished: a link there is not followed.
  void open_to_write(int how, mode_t mode = 0) noexcept {
    open(name_until_finished, how | O_RDWR | O_NOFOLLOW, mode);
    if (problem == ELOOP) problem = link_in_the_way;
  }
  /// With the rights of what it replaces.
  void open_new() noexcept {
    std::optional<mode_t> old;
    problem = look_at_old_file(path, old);
    if (problem == 0) open_to_write(O_CREAT | O_TRUNC, old.value_or(0666));
    if (problem == 0 && old && ::fchmod(file.number(), *old) != 0) problem = errno;
  }
  void agree() {
    const std::vector<int> problems = members.allgather(problem, where);
    const auto found_one = std::ranges::find_if(problems, [](int each) { return each != 0; });
    if (found_one == problems.end()) return;
    drop();
    members.barrier(where);  // when the error is heard of, nothing is left
    const auto member = static_cast<rank_t>(found_one - problems.begin());
    throw error(call,
                std::string("cannot ") + (is_written() ? "write " : "read ") + path + ": " +
                    problem_text(*found_one) + " (rank " +
                    std::to_string(members[member].world_rank()) + ")" + describe_place(where),
                advice_for(*found_one, is_written()));
  }
  /// What is not whole is not kept.
  void drop() noexcept {
    if (is_finished || !is_written() || !is_first() || !file.is_open()) return;
    ::unlink(name_until_finished.c_str());
    is_finished = true;
  }
};

team_file::team_file(std::unique_ptr<state> made) noexcept : state_(std::move(made)) {}
team_file::team_file(team_file&&) noexcept = default;
team_file::~team_file() {
  if (state_ != nullptr) state_->drop();
}

team_file team_file::create(const team& members, const std::string& path, const char* call,
                            const site& where) {
  auto made = std::make_unique<state>(members, path, call, where);
  std::filesystem::path meant = path;
  made->problem = follow_links(meant);
  made->name_when_finished = meant.string();
  made->name_until_finished = made->name_when_finished + ".being-written";
  if (made->is_first() && made->problem == 0) made->open_new();
  return team_file(std::move(made));
}

team_file team_file::open(const team& members, const std::string& path, const char* call,
                          const site& where) {
  auto made = std::make_unique<state>(members, path, call, where);
  made->open(path, O_RDONLY | O_NONBLOCK);  // nobody may ever write to a pipe
  if (made->problem == 0) {
    made->problem =
        ::fstat(made->file.number(), &made->found) != 0 ? errno : problem_of_kind(made->found);
  }
  made->agree();
  return team_file(std::move(made));
}

const team& team_file::members() const noexcept { return state_->members; }
const std::string& team_file::path() const noexcept { return state_->path; }
const site& team_file::where() const noexcept { return state_->where; }
bool team_file::is_first() const noexcept { return state_->is_first(); }
const std::string& team_file::name_until_finished() const noexcept {
  return state_->name_until_finished;
}
std::size_t team_file::bytes() const noexcept {
  return static_cast<std::size_t>(state_->found.st_size);
}
std::size_t team_file::identity() const noexcept { return state_->found.st_ino; }

bool team_file::has(std::size_t offset, std::span<std::byte> bytes) const noexcept {
  return read_all(state_->file.number(), offset, bytes) == 0;
}

bool team_file::is_good() const noexcept { return state_->problem == 0; }

void team_file::reserve(std::size_t offset, std::size_t bytes) noexcept {
  state& here = *state_;
  if (here.problem != 0 || bytes == 0) return;
  const int refused =
      ::fallocate(here.file.number(), 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  if (refused == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) {
    here.problem = errno;
  } else if (bytes <= std::size_t{1} << 20) {
    clear(offset, bytes);  // of more, such a file system cannot tell before
  }
}

void team_file::cut(std::size_t bytes) noexcept {
  state& here = *state_;
  struct stat now{};
  if (here.problem != 0) return;
  if (::fstat(here.file.number(), &now) != 0 ||
      (static_cast<std::size_t>(now.st_size) > bytes &&
       ::ftruncate(here.file.number(), static_cast<off_t>(bytes)) != 0)) {
    here.problem = errno;
  }
}

void team_file::write(std::size_t offset, std::span<const std::byte> bytes) noexcept {
  if (state_->problem != 0) return;
  state_->problem = write_all(state_->file.number(), offset, bytes);
}

void team_file::read(std::size_t offset, std::span<std::byte> bytes) noexcept {
  if (state_->problem != 0) return;
  state_->problem = read_all(state_->file.number(), offset, bytes);
}

void team_file::clear(std::size_t offset, std::size_t bytes) noexcept {
  static constexpr std::array<std::byte, std::size_t{1} << 16> zeros{};
  while (bytes != 0 && state_->problem == 0) {
    const std::span piece = std::span(zeros).first(std::min(zeros.size(), bytes));
    write(offset, piece);
    offset += piece.size();
    bytes -= piece.size();
  }
}

void team_file::copy_share(const team_file& from) noexcept {
  state& here = *state_;
  if (here.problem != 0) return;
  // In whole pages, so that blocks can be shared.
  constexpr std::size_t page = std::size_t{1} << 16;
  const std::size_t all = from.bytes();
  const std::size_t pages = all / page + 1;
  const std::size_t first = pages * here.members.rank() / here.members.size() * page;
  const std::size_t last = pages * (here.members.rank() + 1) / here.members.size() * page;
  here.problem = copy_bytes(from.state_->file.number(), here.file.number(), std::min(first, all),
                            std::min(last, all));
}

void team_file::fail(int problem) noexcept {
  if (state_->problem == 0) state_->problem = problem;
}

void team_file::share() {
  state& here = *state_;
  here.agree();
  if (!here.is_first()) here.open_to_write(0);
  here.agree();
}

void team_file::agree() { state_->agree(); }

void team_file::finish() {
  state& here = *state_;
  if (here.is_written() && here.problem == 0 && ::fsync(here.file.number()) != 0) {
    here.problem = errno;
  }
  here.agree();
  if (!here.is_written()) return;
  if (here.is_first()) {
    here.problem = ::rename(here.name_until_finished.c_str(), here.name_when_finished.c_str()) != 0
                       ? errno
                       : sync_folder_of(here.name_when_finished);
  }
  here.agree();
  here.is_finished = true;
}

}  // namespace acre::detail
