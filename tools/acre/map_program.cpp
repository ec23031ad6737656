#include "map_program.hpp"

#include "complaint.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace acre::tool {

namespace fs = std::filesystem;

int become_map(char** words) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path() / "acre-map";
  ::execv(program.c_str(), words);
  std::fprintf(stderr,
               "acre: map: cannot run \"%s\": %s\n"
               "      it is built and installed with acre where the libraries are that it needs\n",
               program.c_str(), std::strerror(errno));
  return not_found;
}

}  // namespace acre::tool
