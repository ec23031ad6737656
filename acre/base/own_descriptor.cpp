#include <acre/base/own_descriptor.hpp>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

/// Whether a folder without symbolic links in its path holds the descriptors of this process. A
/// thread has a folder of its own: /proc/PID/task/TID/fd.
bool holds_own_descriptors(const fs::path& folder) {
  const std::string& text = folder.native();
  const std::string own = "/proc/" + std::to_string(::getpid());
  return text.starts_with(own + "/") && text.ends_with("/fd");
}

std::optional<int> number_of(std::string_view digits) {
  int number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = problem == std::errc() && end == digits.data() + digits.size();
  return is_number && number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<int> own_descriptor(const std::string& path) {
  constexpr int most_links = 40;  // as the system follows
  fs::path at = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code problem;
    const fs::path folder =
        fs::canonical(at.has_parent_path() ? at.parent_path() : fs::path("."), problem);
    if (problem) return std::nullopt;
    if (holds_own_descriptors(folder)) return number_of(at.filename().native());
    const fs::path target = fs::read_symlink(folder / at.filename(), problem);
    if (problem) return std::nullopt;
    at = folder / target;  // an absolute target replaces the folder
  }
  return std::nullopt;
}

}  // namespace acre
