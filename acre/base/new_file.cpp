// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/new_file.hpp>

#include <acre/base/file_size_signal.hpp>
#include <acre/base/fingerprint.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/link_target.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace acre::base {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr std::string_view mark = ".being-written.";
constexpr const char* access_list = "system.posix_acl_access";
constexpr std::time_t long_ago = std::time_t{24} * 60 * 60;

std::string hexadecimal(std::uint32_t number) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", number);
  return text.data();
}

const std::string& this_boot() {
  static const std::string hash = [] {
    const std::string id = boot_id();
    return hexadecimal(static_cast<std::uint32_t>(fingerprint(id.empty() ? host_name() : id)));
  }();
  return hash;
}

const std::string& this_host() {
  static const std::string name = [] {
    std::string text = host_name().substr(0, 32);
    std::ranges::replace_if(
        text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
    return text;
  }();
  return name;
}

std::string begin_of_names(const std::string& name) {
  constexpr std::size_t most = 160;
  if (name.size() <= most) return name + std::string(mark);
  return name.substr(0, most - 9) + "~" +
         hexadecimal(static_cast<std::uint32_t>(fingerprint(name))) + std::string(mark);
}

std::string new_name(const std::string& name) {
  static thread_local std::random_device random;
  return begin_of_names(name) + this_host() + "." + std::to_string(::getpid()) + "." + this_boot() +
         "." + hexadecimal(random());
}

struct writer {
  std::string host;
  std::string process;
  std::string boot;
};

std::optional<writer> writer_of(std::string_view rest) {
  const auto take_last = [&]() -> std::string {
    const std::size_t dot = rest.rfind('.');
    if (dot == std::string_view::npos) return {};
    std::string last(rest.substr(dot + 1));
    rest = rest.substr(0, dot);
    return last;
  };
  const auto is_made_of = [](const std::string& text, const char* letters) {
    return !text.empty() && text.find_first_not_of(letters) == std::string::npos;
  };
  const std::string random = take_last();
  writer found;
  found.boot = take_last();
  found.process = take_last();
  found.host = rest;
  const bool is_one = random.size() == 8 && is_made_of(random, "0123456789abcdef") &&
                      found.boot.size() == 8 && is_made_of(found.boot, "0123456789abcdef") &&
                      is_made_of(found.process, "0123456789") && !found.host.empty();
  if (!is_one) return std::nullopt;
  return found;
}

/// O_PATH: for unlistable folders.
acre::descriptor open_folder(const std::string& path) {
  return acre::descriptor(
      ::open(path.empty() ? "." : path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

int sync(int file) noexcept {
  if (::fsync(file) == 0) return 0;
  return errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == EBADF ? 0 : errno;
}

int sync_folder(int folder) noexcept {
  const acre::descriptor listed(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listed.open()) return 0;
  const int problem = sync(listed.get());
  return problem == EIO || problem == ENOSPC || problem == EDQUOT ? problem : 0;
}

std::string path_of_descriptor(int number) { return "/proc/self/fd/" + std::to_string(number); }

int refusal(const std::string& path, int rights) noexcept {
  if (::faccessat(AT_FDCWD, path.c_str(), rights, AT_EACCESS) == 0) return 0;
  if (errno == EPERM && ::access(path.c_str(), rights) == 0) return 0;
  return errno;
}

bool is_busy(int problem) noexcept { return problem == EWOULDBLOCK || problem == EAGAIN; }

}  // namespace

std::string file_problem::text() const {
  switch (code) {
    case no_plain_file:
      return "it is not a regular file";
    case of_other_user:
      return "it belongs to another user, in a directory that all users may write to";
    case being_written:
      return who + " is writing it";
    case replaced:
      return "the unfinished file was moved or removed";
    default:
      return std::strerror(code);
  }
}

const char* file_problem::advice() const noexcept {
  if (has_name) {
    return "the file has its name and is complete, but a system crash may undo this: "
           "repair the disk, then write it again";
  }
  switch (code) {
    case EISDIR:
      return "give the name of a file, not of a directory";
    case no_plain_file:
      return "give the name of a regular file, not of a device or a pipe";
    case of_other_user:
      return "write it to a directory that you own";
    case being_written:
      return "use another file for each job, or wait for the end of the other job";
    case replaced:
      return "another program may clean up the directory; the previous file of this name is "
             "unchanged";
    case ENOENT:
    case ENOTDIR:
      return "create the directory first";
    case ENXIO:
      return "start the program that reads the pipe first";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free disk space, or write elsewhere; the previous file of this name is unchanged";
    default:
      return "the previous file of this name is unchanged";
  }
}

struct new_file::rights {
  bool is_known = false;
  uid_t owner = 0;
  gid_t group = 0;
  mode_t mode = 0666;
  std::vector<char> list{};

  [[nodiscard]] int look(const std::string& path, const struct stat& folder,
                         const struct stat& found) {
    // rename() would ignore this permission.
    if (const int problem = refusal(path, W_OK); problem != 0) return problem;
    is_known = true;
    mode = found.st_mode & 0777;
    group = found.st_gid;
    const uid_t me = ::geteuid();
    const bool is_expected = found.st_uid == me || found.st_uid == folder.st_uid;
    owner = is_expected ? found.st_uid : me;
    if (!is_expected) mode &= ~mode_t{S_IWOTH};
    const ssize_t bytes = ::getxattr(path.c_str(), access_list, nullptr, 0);
    if (bytes > 0) {
      list.resize(static_cast<std::size_t>(bytes));
      if (::getxattr(path.c_str(), access_list, list.data(), list.size()) != bytes) list.clear();
    }
    return 0;
  }

  /// Called before the file has a visible name or content.
  /// @return 0 or an errno
  [[nodiscard]] int give_to(int file) const noexcept {
    struct stat now{};
    if (!is_known) return 0;
    if (::fstat(file, &now) != 0) return errno;
    mode_t given = mode;
    if (now.st_uid != owner) static_cast<void>(!::fchown(file, owner, static_cast<gid_t>(-1)));
    if (now.st_gid != group && ::fchown(file, static_cast<uid_t>(-1), group) != 0) {
      // A different group gets only the rights of others.
      given = (given & ~mode_t{S_IRWXG}) | ((given & S_IRWXO) << 3 & given);
    } else if (!list.empty() && ::fsetxattr(file, access_list, list.data(), list.size(), 0) != 0) {
      given &= ~mode_t{S_IRWXG};
    }
    return ::fchmod(file, given) == 0 ? 0 : errno;
  }
};

namespace {

struct place {
  fs::path path;
  std::optional<int> descriptor;
  struct stat folder{};
  struct stat found{};
  bool is_there = false;

  [[nodiscard]] bool is_stream() const noexcept { return is_there && !S_ISREG(found.st_mode); }

  int look(const std::string& given) {
    path = given;
    if (given.empty()) return ENOENT;
    if (const int problem = follow_links(path); problem != 0) {
      return problem == EACCES ? file_problem::of_other_user : problem;
    }
    descriptor = acre::own_descriptor(path);
    if (descriptor) return 0;
    is_there = ::stat(path.c_str(), &found) == 0;
    if (!is_there && errno != ENOENT) return errno;
    if (is_there && S_ISDIR(found.st_mode)) return EISDIR;
    if (!path.has_filename()) return EISDIR;
    const fs::path where = folder_of(path);
    if (::stat(where.c_str(), &folder) != 0) return errno;
    if (!S_ISDIR(folder.st_mode)) return ENOTDIR;
    return is_there && is_of_other_user(folder, found) ? file_problem::of_other_user : 0;
  }
};

}  // namespace

file_problem new_file::check(const std::string& path, streams which) {
  place here;
  if (const int problem = here.look(path); problem != 0) return {.code = problem};
  if (here.descriptor) {
    return {.code = which == streams::written ? 0 : file_problem::no_plain_file};
  }
  if (here.is_stream() && which == streams::refused) return {.code = file_problem::no_plain_file};
  if (here.is_there) {
    if (const int problem = refusal(here.path, W_OK); problem != 0) return {.code = problem};
  }
  if (here.is_stream()) return {};
  return {.code = refusal(folder_of(here.path), W_OK | X_OK)};
}

file_problem new_file::begin(const std::string& path, streams which,
                             std::chrono::milliseconds timeout) {
  drop();
  place here;
  if (const int problem = here.look(path); problem != 0) return {.code = problem};
  if (here.descriptor || here.is_stream()) {
    if (which == streams::refused) return {.code = file_problem::no_plain_file};
    if (!here.descriptor) return begin_stream(here.path, timeout);
    file_ = acre::descriptor(::fcntl(*here.descriptor, F_DUPFD_CLOEXEC, 3));
    return {.code = file_.open() ? 0 : errno};
  }
  rights wanted;
  if (here.is_there) {
    const int problem = wanted.look(here.path, here.folder, here.found);
    if (problem != 0) return {.code = problem};
  }
  const std::string folder = here.path.parent_path();
  folder_path_ = folder.empty() || folder == "/" ? folder : folder + "/";
  folder_ = open_folder(folder);
  if (!folder_.open()) return {.code = errno};
  final_ = here.path.filename();

  // Competing writers back off; the first to retry alone succeeds.
  std::minstd_rand random(std::random_device{}());
  const auto end = clock::now() + timeout;
  for (auto pause = 1ms;; pause = std::min(2 * pause, 50ms)) {
    if (const int problem = create(wanted); problem != 0) {
      drop();
      return {.code = problem};
    }
    std::string other = find_live_writer(wanted);
    if (other.empty()) return {};
    drop();
    do {
      if (clock::now() >= end) return {.code = file_problem::being_written, .who = other};
      std::this_thread::sleep_for(pause * (1 + static_cast<double>(random() % 64) / 32));
      other = find_live_writer(wanted);
    } while (!other.empty());
  }
}

file_problem new_file::begin_stream(const std::string& path, std::chrono::milliseconds timeout) {
  // A pipe without reader would block forever.
  const auto end = clock::now() + 2 * timeout;
  for (;;) {
    file_ = acre::descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file_.open()) break;
    const int problem = errno;
    struct stat found{};
    const bool is_own_pipe = problem == ENXIO && ::stat(path.c_str(), &found) == 0 &&
                             S_ISFIFO(found.st_mode) && found.st_uid == ::geteuid();
    if (!is_own_pipe || clock::now() >= end) return {.code = problem};
    std::this_thread::sleep_for(10ms);
  }
  const int flags = ::fcntl(file_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file_.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return {.code = errno};
  }
  return {};
}

/// O_TMPFILE sets permissions and lock before the name appears.
int new_file::create(const rights& wanted) {
  const mode_t mode = wanted.is_known ? 0600 : 0666;
  creator_ = ::getpid();
  bool has_name = false;
  file_ = acre::descriptor(::openat(folder_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string chosen = new_name(final_);
    if (!file_.open()) {
      file_ = acre::descriptor(::openat(folder_.get(), chosen.c_str(),
                                        O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, mode));
      if (!file_.open() && errno == EEXIST) continue;
      if (!file_.open()) return errno;
      has_name = true;
    }
    if (has_name) {
      temporary_ = chosen;
      name_ = folder_path_ + chosen;
    }
    if (const int problem = wanted.give_to(file_.get()); problem != 0) return problem;
    has_lock_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    const int no_lock = has_lock_ ? 0 : errno;
    if (!has_name) {
      if (::linkat(AT_FDCWD, path_of_descriptor(file_.get()).c_str(), folder_.get(), chosen.c_str(),
                   AT_SYMLINK_FOLLOW) == 0) {
        temporary_ = chosen;
        name_ = folder_path_ + chosen;
        return 0;
      }
      file_.reset();
      continue;
    }
    if (!is_busy(no_lock) && is_in_place()) return 0;
    has_name = false;
    temporary_.clear();
    file_.reset();
  }
  return EEXIST;
}

bool new_file::is_in_place() const noexcept {
  struct stat found{};
  return file_.is_intact() &&
         ::fstatat(folder_.get(), temporary_.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
         identity_of(found) == file_.file();
}

namespace {

struct close_listing {
  void operator()(DIR* listing) const noexcept { ::closedir(listing); }
};
using listing = std::unique_ptr<DIR, close_listing>;

listing list(int folder) {
  const int number = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) return nullptr;
  DIR* const made = ::fdopendir(number);
  if (made == nullptr) ::close(number);
  return listing(made);
}

enum class life : std::uint8_t { live, ended, unknown };

life life_of(const acre::descriptor& file, const writer& by, const struct stat& about,
             bool has_locks, std::time_t now) {
  const bool is_locked = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
  const bool is_here = by.boot == this_boot();
  if (is_locked) return is_busy(errno) && is_here ? life::live : life::unknown;
  if (is_here && has_locks) return life::ended;
  if (by.host == this_host() && !is_here && by.host != "localhost") return life::ended;
  return now - about.st_mtime > long_ago ? life::ended : life::unknown;
}

}  // namespace

/// Removes files of ended processes. @return a live writer, "process 4711 on c0", or empty
std::string new_file::find_live_writer(const rights& wanted) const {
  const listing entries = list(folder_.get());
  if (entries == nullptr) return {};
  struct stat mine{};
  const bool is_known = file_.open() && ::fstat(file_.get(), &mine) == 0;
  const std::time_t now = is_known ? mine.st_mtime : 0;
  const std::string begin = begin_of_names(final_);
  std::string live;
  while (const dirent* const entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (!name.starts_with(begin) || name == temporary_) continue;
    const auto by = writer_of(std::string_view(name).substr(begin.size()));
    struct stat found{};
    if (!by || ::fstatat(folder_.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const bool is_own =
        found.st_uid == ::geteuid() || (wanted.is_known && found.st_uid == wanted.owner);
    if (!S_ISREG(found.st_mode) || !is_own) continue;
    const acre::descriptor file(
        ::openat(folder_.get(), name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.open() || file.file() != identity_of(found)) continue;
    switch (life_of(file, *by, found, has_lock_, now)) {
      case life::live:
        live = "process " + by->process + " on " + by->host;
        break;
      case life::ended:
        ::unlinkat(folder_.get(), name.c_str(), 0);
        break;
      case life::unknown:
        break;
    }
  }
  return live;
}

file_problem new_file::write(std::string_view text) const {
  const file_size_signal_blocked blocked;
  while (!text.empty()) {
    const ssize_t written = ::write(file_.get(), text.data(), text.size());
    if (written < 0 && errno != EINTR) return {.code = errno};
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

file_problem new_file::commit() {
  const file_problem problem = publish();
  drop();
  return problem;
}

file_problem new_file::publish() {
  bool has_name = false;
  int problem = file_.is_intact() ? sync(file_.get()) : int{file_problem::replaced};
  if (problem == 0 && !temporary_.empty()) {
    if (!is_in_place()) {
      problem = file_problem::replaced;
    } else if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), final_.c_str()) != 0) {
      problem = errno;
    } else {
      temporary_.clear();
      has_name = true;
      if (has_lock_) ::flock(file_.get(), LOCK_UN);
      problem = sync_folder(folder_.get());
    }
  }
  if (problem != 0) drop();
  return {.code = problem, .has_name = problem != 0 && has_name};
}

void new_file::drop() noexcept {
  if (!temporary_.empty() && creator_ == ::getpid() && is_in_place()) {
    ::unlinkat(folder_.get(), temporary_.c_str(), 0);
  }
  temporary_.clear();
  file_.reset();
}

new_file::new_file(new_file&& other) noexcept { *this = std::move(other); }

new_file& new_file::operator=(new_file&& other) noexcept {
  if (this == &other) return *this;
  drop();
  file_ = std::move(other.file_);
  folder_ = std::move(other.folder_);
  folder_path_ = std::move(other.folder_path_);
  final_ = std::move(other.final_);
  temporary_ = std::exchange(other.temporary_, {});
  name_ = std::move(other.name_);
  creator_ = other.creator_;
  has_lock_ = other.has_lock_;
  return *this;
}

}  // namespace acre::base
