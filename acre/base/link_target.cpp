// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/link_target.hpp>

#include <acre/base/parse_number.hpp>

#include <cerrno>
#include <string>
#include <system_error>
#include <unistd.h>

namespace acre::base {
namespace {

namespace fs = std::filesystem;

int require_no_other_user(const fs::path& link) {
  struct stat folder{};
  struct stat entry{};
  if (::stat(folder_of(link).c_str(), &folder) != 0 || ::lstat(link.c_str(), &entry) != 0) {
    return errno;
  }
  return is_of_other_user(folder, entry) ? EACCES : 0;
}

int accept_all(const fs::path&) { return 0; }

/// N of /proc/PID/fd/N or /proc/PID/task/TID/fd/N, if PID is this process.
std::optional<int> number_in_own_folder(const fs::path& path) {
  std::error_code problem;
  const fs::path folder = fs::canonical(folder_of(path), problem);
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/";
  const std::string& text = folder.native();
  if (problem || !text.starts_with(own) || !text.ends_with("/fd")) return std::nullopt;
  const auto number = base::parse_number<int>(path.filename().native());
  if (!number || *number < 0) return std::nullopt;
  return number;
}

/// @param refusal  returns 0 to follow, else an errno
int follow(fs::path& path, int (*refusal)(const fs::path& link)) {
  constexpr int most = 40;
  std::error_code problem;
  for (int links = 0; fs::is_symlink(path, problem); ++links) {
    if (number_in_own_folder(path)) return 0;
    if (links == most) return ELOOP;
    if (const int refused = refusal(path); refused != 0) return refused;
    const fs::path next = fs::read_symlink(path, problem);
    if (problem) return problem.value();
    path = path.parent_path() / next;
  }
  return 0;
}

}  // namespace

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? "." : folder;
}

bool is_of_other_user(const struct stat& folder, const struct stat& entry) noexcept {
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  const bool is_shared = (folder.st_mode & shared) == shared;
  return is_shared && entry.st_uid != ::geteuid() && entry.st_uid != folder.st_uid;
}

bool is_absent_or_own_file(const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return errno == ENOENT;
  return S_ISREG(found.st_mode) && found.st_uid == ::geteuid() && found.st_nlink == 1;
}

int follow_links(fs::path& path) { return follow(path, require_no_other_user); }

}  // namespace acre::base

std::optional<int> acre::own_descriptor(const std::filesystem::path& path) {
  std::filesystem::path at = path;
  if (base::follow(at, base::accept_all) != 0) return std::nullopt;
  return base::number_in_own_folder(at);
}
