#include <acre/runtime/detail/memory_limits.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace acre::runtime::detail {
namespace {

namespace fs = std::filesystem;

// --- control groups ------------------------------------------------------------

/// Where groups of one hierarchy are seen: `group` of them is the folder `point`.
struct group_mount {
  bool is_second_version = false;
  std::string group;
  std::string point;
};

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
  return false;
}

/// Blanks and the like are written as \040 there.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// "31 23 0:28 GROUP POINT options … - TYPE SOURCE OPTIONS"
std::vector<group_mount> group_mounts(const fs::path& root) {
  std::vector<group_mount> found;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped, group, point, type, source, options;
    words >> skipped >> skipped >> skipped >> group >> point;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> source >> options;
    const bool is_second = type == "cgroup2";
    if (!is_second && !(type == "cgroup" && has_word(options, "memory"))) continue;
    found.push_back({is_second, without_escapes(group), without_escapes(point)});
  }
  return found;
}

/// The process's group in that hierarchy: a line "ID:CONTROLLERS:GROUP".
std::string own_group(const fs::path& root, bool is_second_version) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = is_second_version ? line.starts_with("0:") && controllers.empty()
                                         : has_word(controllers, "memory");
    if (is_it) return line.substr(second + 1);
  }
  return "/";
}

std::uint64_t number_in(const fs::path& path) {
  std::uint64_t number = 0;
  return std::ifstream(path) >> number ? number : no_limit;  // "max" is no number
}

std::uint64_t limit_of_group(const fs::path& folder, bool is_second_version) {
  if (!is_second_version) return number_in(folder / "memory.limit_in_bytes");
  return std::min(number_in(folder / "memory.max"), number_in(folder / "memory.high"));
}

/// The least of a group's limit and of those that it is in, as far as they are seen.
std::uint64_t least_limit(const fs::path& root, const group_mount& mount) {
  const std::string own = own_group(root, mount.is_second_version);
  // A container may see its own group as the root, and another name of it in its process.
  std::string below;
  if (mount.group == "/") {
    below = own;
  } else if (own.starts_with(mount.group + "/")) {
    below = own.substr(mount.group.size());
  }
  const fs::path top = root / fs::path(mount.point).relative_path();
  std::uint64_t least = limit_of_group(top, mount.is_second_version);
  fs::path folder = top;
  for (const fs::path& each : fs::path(below).relative_path()) {
    if (each == "..") break;  // it is in a group above all that are seen
    folder /= each;
    least = std::min(least, limit_of_group(folder, mount.is_second_version));
  }
  return least;
}

// --- limits of the process -----------------------------------------------------

/// What to do where of `wanted` bytes, most of them for heaps, only `left` are left.
std::string advice(const char* raise, std::uint64_t left, std::uint64_t wanted,
                   const segment_room& room) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  const std::uint64_t beside_heaps = wanted - room.heaps * room.heap_bytes;
  const std::uint64_t most = left / 4 * 3;  // the program takes some, too
  const std::uint64_t fitting =
      most > beside_heaps ? (most - beside_heaps) / room.heaps / mebibyte : 0;
  std::string text = std::string("raise it: ") + raise;
  if (fitting >= 2) {
    text += "; or set ACRE_SEGMENT_SIZE to " + std::to_string(fitting / 2 * 2) + "M";
  }
  return text;
}

/// So many descriptors are free.
bool has_free_descriptors(std::size_t wanted) {
  std::vector<int> taken;
  const int some = ::open("/", O_PATH | O_CLOEXEC);
  if (some >= 0) taken.push_back(some);
  while (!taken.empty() && taken.size() < wanted) {
    const int next = ::fcntl(taken.front(), F_DUPFD_CLOEXEC, 0);
    if (next < 0) break;
    taken.push_back(next);
  }
  for (const int each : taken) ::close(each);
  return taken.size() >= wanted || errno != EMFILE;
}

void require_descriptors(std::size_t wanted) {
  if (has_free_descriptors(wanted)) return;
  if (raise_limit(RLIMIT_NOFILE, std::min(hard_limit(RLIMIT_NOFILE), std::uint64_t{1} << 20)) &&
      has_free_descriptors(wanted)) {
    return;
  }
  throw error("job",
              "the limit of " + std::to_string(soft_limit(RLIMIT_NOFILE)) +
                  " open files (ulimit -n) leaves less than the " + std::to_string(wanted) +
                  " that Acre needs",
              "raise it: ulimit -n 1024");
}

/// Threads have what the limit of the stack was when the program started.
void give_threads_a_stack(std::size_t least) {
  pthread_attr_t usual;
  if (::pthread_getattr_default_np(&usual) != 0) return;
  std::size_t bytes = 0;
  const bool is_short = ::pthread_attr_getstacksize(&usual, &bytes) == 0 && bytes < least &&
                        ::pthread_attr_setstacksize(&usual, least) == 0;
  if (is_short) ::pthread_setattr_default_np(&usual);
  ::pthread_attr_destroy(&usual);
}

}  // namespace

std::uint64_t control_group_bytes(const fs::path& root) {
  std::uint64_t least = no_limit;
  for (const group_mount& each : group_mounts(root))
    least = std::min(least, least_limit(root, each));
  return least;
}

std::uint64_t addresses_in_use(const fs::path& root) {
  const std::uint64_t pages = number_in(root / "proc/self/statm");
  return pages == no_limit ? 0 : pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t reservable_bytes() {
  const std::uint64_t addresses = hard_limit(RLIMIT_AS);
  const std::uint64_t used = addresses == no_limit ? 0 : std::min(addresses, addresses_in_use());
  return std::min(hard_limit(RLIMIT_FSIZE), addresses == no_limit ? no_limit : addresses - used);
}

void require_room(const segment_room& wanted) {
  if (const std::uint64_t most = hard_limit(RLIMIT_FSIZE); most < wanted.file_bytes) {
    throw error("job",
                "the segments of this node are a file in memory of " +
                    format_size(wanted.file_bytes) + ", and the limit of files is " +
                    format_size(most) + " (ulimit -f)",
                advice("ulimit -f unlimited", most, wanted.file_bytes, wanted));
  }
  if (raise_limit_by(RLIMIT_AS, wanted.address_bytes)) return;
  // It may be enough without being raised by all of it.
  const std::uint64_t most = hard_limit(RLIMIT_AS);
  const std::uint64_t used = std::min(most, addresses_in_use());
  if (most - used < wanted.address_bytes) {
    throw error("job",
                "the segments of this node take " + format_size(wanted.address_bytes) +
                    " of addresses, and the limit is " + format_size(most) + " (ulimit -v), " +
                    format_size(used) + " of it in use",
                advice("ulimit -v unlimited", most - used, wanted.address_bytes, wanted));
  }
  raise_limit(RLIMIT_AS, most);
}

file_limit_lifted::file_limit_lifted() : before_(soft_limit(RLIMIT_FSIZE)) {
  constexpr std::uint64_t least = std::uint64_t{16} << 20;
  const std::uint64_t most = hard_limit(RLIMIT_FSIZE);
  if (most < least) {
    throw error("job",
                "the limit of files is " + format_size(most) +
                    " (ulimit -f), and what ranks share are files in memory",
                "raise it: ulimit -f unlimited; " + format_size(least) + " is the least");
  }
  raise_limit(RLIMIT_FSIZE, most);
}

file_limit_lifted::~file_limit_lifted() {
  rlimit both{};
  if (::getrlimit(RLIMIT_FSIZE, &both) != 0) return;
  both.rlim_cur = before_;
  ::setrlimit(RLIMIT_FSIZE, &both);
}

void require_usual_limits() {
  constexpr std::size_t descriptors = 4;
  require_descriptors(descriptors);
  constexpr std::size_t least_stack = std::size_t{256} << 10;
  if (raise_limit(RLIMIT_STACK, least_stack)) return give_threads_a_stack(least_stack);
  throw error(
      "job", "the limit of the stack is " + format_size(soft_limit(RLIMIT_STACK)) + " (ulimit -s)",
      "raise it: ulimit -s " + std::to_string(least_stack >> 10) + " is the least, 8192 is usual");
}

void require_limits_of_network(std::uint64_t ranks) {
  // A provider over TCP has one or two for each peer that it talks to, and some dozen for itself.
  constexpr std::uint64_t own = 40;
  constexpr std::uint64_t a_peer = 2;
  const std::uint64_t all = std::min(own + a_peer * ranks, hard_limit(RLIMIT_NOFILE));
  raise_limit(RLIMIT_NOFILE, all);
  constexpr std::size_t least = 24;
  require_descriptors(least);
}

}  // namespace acre::runtime::detail
