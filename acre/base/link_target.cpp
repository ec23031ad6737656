#include <acre/base/link_target.hpp>

#include <cerrno>
#include <system_error>

namespace acre::detail {

int follow_links(std::filesystem::path& path) {
  constexpr int most = 40;  // as the system
  std::error_code problem;
  for (int links = 0; std::filesystem::is_symlink(path, problem); ++links) {
    if (links == most) return ELOOP;
    const std::filesystem::path next = std::filesystem::read_symlink(path, problem);
    if (problem) return problem.value();
    path = path.parent_path() / next;  // which may be absolute
  }
  return 0;
}

}  // namespace acre::detail
