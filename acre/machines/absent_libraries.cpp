// SPDX-License-Identifier: BSD-3-Clause
// The functions of optional libraries in a build without them.
#include <acre/base/error.hpp>
#include <acre/machines/networks/node_tree_hwloc.hpp>
#include <acre/machines/pictures/canvas.hpp>
#include <acre/machines/scotch/scotch.hpp>

#include <span>
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
struct canvas::state {};
canvas::canvas(const std::string& path, double, double) {
  refuse("machines::canvas", path + ": this build of Acre has no cairo", "libcairo2-dev");
}
canvas::~canvas() = default;
// Never called.
void canvas::fill(const box&, const colour&) {}
void canvas::fill(const boxes_by_colour&) {}
void canvas::frame(const box&, const colour&, double) {}
void canvas::frame(std::span<const box>, const colour&, double) {}
void canvas::line(point, point, const colour&, double) {}
void canvas::text(point, const std::string&, const text_style&) {}
double canvas::width_of(const std::string&, const text_style&) { return 0; }
std::string canvas::fitted(const std::string& words, double, const text_style&) { return words; }
void canvas::finish() {}
#endif

}  // namespace acre::machines
