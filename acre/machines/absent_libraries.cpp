// SPDX-License-Identifier: BSD-3-Clause
// The functions of optional libraries in a build without them.
#include <acre/base/error.hpp>
#include <acre/machines/networks/node_tree_hwloc.hpp>
#include <acre/machines/pictures/heat_map.hpp>
#include <acre/machines/pictures/picture.hpp>
#include <acre/machines/scotch/scotch.hpp>

#include <string>
#include <string_view>

namespace acre::machines {
namespace {

[[noreturn, maybe_unused]] void refuse(std::string_view call, const std::string& problem,
                                       std::string_view package) {
  throw error(call, problem,
              "install it (Debian: " + std::string(package) + ") and build Acre again");
}

}  // namespace

#if !ACRE_HAVE_HWLOC
topology::node_place this_node() {
  refuse("machines::this_node", "this build of Acre has no hwloc", "libhwloc-dev");
}
#endif

#if !ACRE_HAVE_SCOTCH
mapping::placement scotch(const mapping::problem&) {
  refuse("machines::scotch", "this build of Acre has no Scotch", "libscotch-dev");
}
#endif

#if !ACRE_HAVE_CAIRO
void draw(const mapping::problem&, const pictured&, const pictured&, const std::string& path,
          std::span<const std::string>) {
  refuse("machines::draw", path + ": this build of Acre has no cairo", "libcairo2-dev");
}

void draw_heat_map(const mapping::communication&, const std::string& path) {
  refuse("machines::draw_heat_map", path + ": this build of Acre has no cairo", "libcairo2-dev");
}
#endif

}  // namespace acre::machines
