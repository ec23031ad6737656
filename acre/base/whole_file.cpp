#include <acre/base/whole_file.hpp>

#include <acre/base/descriptor.hpp>
#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view call, const std::string& path, int why) {
  throw error(call, path + " cannot be written: " + std::strerror(why));
}

/// What is to be written where something has this name, if anything has.
enum class place : std::uint8_t { nothing, file, stream };

place place_at(std::string_view call, const std::string& path, struct stat& found) {
  if (::stat(path.c_str(), &found) != 0) return place::nothing;
  if (S_ISDIR(found.st_mode)) refuse(call, path, EISDIR);
  return S_ISREG(found.st_mode) ? place::file : place::stream;
}

/// @return 0, or what is wrong
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Opens, writes and closes. @return 0, or what is wrong
int write_to(const std::string& name, int how, mode_t mode, std::string_view text) {
  const descriptor file(::open(name.c_str(), how | O_WRONLY | O_CLOEXEC, mode));
  if (!file.open()) return errno;
  if (const int problem = write_all(file.get(), text); problem != 0) return problem;
  // A full disk may be told of as late as here. What is no plain file need not know the call.
  return ::fsync(file.get()) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/// Of the file itself, where the path is a link: the link stays one.
std::string real_name(std::string_view call, const std::string& path) {
  fs::path meant = path;
  if (const int problem = detail::follow_links(meant); problem != 0) refuse(call, path, problem);
  return meant.string();
}

}  // namespace

void require_place(std::string_view call, const std::string& path) {
  struct stat found{};
  const place kind = place_at(call, path, found);
  if (kind != place::nothing && ::access(path.c_str(), W_OK) != 0) refuse(call, path, errno);
  if (kind == place::stream) return;
  const std::string folder = fs::path(real_name(call, path)).parent_path().string();
  const char* const where = folder.empty() ? "." : folder.c_str();
  if (!fs::is_directory(where)) refuse(call, path, fs::exists(where) ? ENOTDIR : ENOENT);
  if (::access(where, W_OK) != 0) refuse(call, path, errno);
}

void write_whole(std::string_view call, const std::string& path, std::string_view text) {
  struct stat found{};
  const place kind = place_at(call, path, found);
  if (kind == place::stream) {
    const int problem = write_to(path, 0, 0, text);
    if (problem != 0) refuse(call, path, problem);
    return;
  }
  const std::string name = real_name(call, path);
  const std::string unfinished = name + ".being-written";
  const mode_t mode = kind == place::file ? found.st_mode & 0777 : 0666;
  int problem = write_to(unfinished, O_CREAT | O_TRUNC | O_NOFOLLOW, mode, text);
  if (problem == 0 && std::rename(unfinished.c_str(), name.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  if (problem != ELOOP) ::unlink(unfinished.c_str());  // somebody else's link
  refuse(call, path, problem);
}

}  // namespace acre
