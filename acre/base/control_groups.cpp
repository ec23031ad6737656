// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/control_groups.hpp>

#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

namespace acre {
namespace {

namespace fs = std::filesystem;

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
  return std::ifstream(path) >> number ? number : no_limit;
}

std::uint64_t count_in(const fs::path& path, std::string_view word) {
  std::ifstream file(path);
  std::string name;
  for (std::uint64_t number = 0; file >> name >> number;) {
    if (name == word) return number;
  }
  return 0;
}

void add_groups(std::vector<control_group>& groups, const fs::path& root,
                const group_mount& mount) {
  const std::string own = own_group(root, mount.is_second_version);
  // Its own group may appear as the root in a container.
  std::string below;
  if (mount.group == "/") {
    below = own;
  } else if (own.starts_with(mount.group + "/")) {
    below = own.substr(mount.group.size());
  }
  control_group each{.name = "/",
                     .folder = root / fs::path(mount.point).relative_path(),
                     .is_second_version = mount.is_second_version};
  groups.push_back(each);
  fs::path name = "/";
  for (const fs::path& part : fs::path(below).relative_path()) {
    if (part == "..") break;
    name /= part;
    each.name = name.string();
    each.folder /= part;
    groups.push_back(each);
  }
}

}  // namespace

std::vector<control_group> memory_control_groups(const fs::path& root) {
  std::vector<control_group> groups;
  for (const group_mount& each : group_mounts(root)) add_groups(groups, root, each);
  return groups;
}

std::uint64_t memory_limit_of(const control_group& group) {
  if (!group.is_second_version) return number_in(group.folder / "memory.limit_in_bytes");
  return std::min(number_in(group.folder / "memory.max"), number_in(group.folder / "memory.high"));
}

out_of_memory_counts out_of_memory_counts_of(const control_group& group) {
  if (group.is_second_version) {
    const fs::path events = group.folder / "memory.events";
    return {.reached = count_in(events, "oom"), .killed = count_in(events, "oom_kill")};
  }
  const std::uint64_t killed = count_in(group.folder / "memory.oom_control", "oom_kill");
  return {.reached = killed, .killed = killed};
}

}  // namespace acre
