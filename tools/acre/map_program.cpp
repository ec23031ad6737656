// SPDX-License-Identifier: BSD-3-Clause
#include "map_program.hpp"

#include "complaint.hpp"
#include "own_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace acre::tool {

int become_map(char** words) {
  const std::filesystem::path program = own_folder() / "acre-map";
  ::execv(program.c_str(), words);
  std::fprintf(stderr,
               "acre: map: cannot run \"%s\": %s\n"
               "      install its libraries, then build and install acre again\n",
               program.c_str(), std::strerror(errno));
  return not_found;
}

}  // namespace acre::tool
