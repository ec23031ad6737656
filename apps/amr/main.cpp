// acre-amr: a blob that the wind carries through an octree mesh, which follows it.
#include <acre/acre.hpp>

#include <apps/amr/picture.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace acre::amr;

struct request {
  unsigned coarsest = 1;
  unsigned finest = 3;
  unsigned steps = 64;
  unsigned owners = 4;
  std::string pictures;
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--coarsest", wanted.coarsest, "level of a leaf").shown_default().within(0U, 8U);
  program.add("--finest", wanted.finest, "level of a leaf").shown_default().within(1U, 10U);
  program.add("--steps", wanted.steps, "in time").shown_default();
  program.add("--owners", wanted.owners, "that the pictures share the mesh among")
      .shown_default()
      .within(1U, 4096U);
  program.add("--pictures", wanted.pictures, "folder for a picture of each mesh");
  program.footer("Run it with: acre run -n 1 acre-amr");
  return program;
}

/// Equal pieces of the Morton curve.
void picture(const serial_mesh& mesh, const request& wanted, unsigned step) {
  std::vector<owned_leaf> leaves;
  for (const auto& [key, each] : mesh.nodes()) {
    if (each.is_leaf()) leaves.push_back({each.where(), 0});
  }
  std::ranges::sort(leaves, {}, [](const owned_leaf& each) { return each.where.curve_begin(); });
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    leaves[i].owner = static_cast<std::uint32_t>(i * wanted.owners / leaves.size());
  }
  draw(leaves, wanted.owners, fmt::format("{}/mesh-{:05}.png", wanted.pictures, step));
}

/// @throws acre::error when mass is lost
void run(const request& wanted) {
  if (acre::rank() != 0) return;
  problem given;
  given.coarsest = std::min(wanted.coarsest, wanted.finest);
  given.finest = wanted.finest;
  serial_mesh mesh(given);
  const double mass = mesh.measure().mass.value();
  double updates = 0;
  std::chrono::duration<double> spent{0};
  for (unsigned step = 0; step < wanted.steps; step += given.regrid_every) {
    const unsigned steps = std::min(given.regrid_every, wanted.steps - step);
    const auto begin = std::chrono::steady_clock::now();
    mesh.advance(steps);
    spent += std::chrono::steady_clock::now() - begin;
    updates += static_cast<double>(mesh.measure().leaves * cells_of_leaf * steps);
    if (!wanted.pictures.empty()) picture(mesh, wanted, step);
  }
  const totals end = mesh.measure();
  const double lost = 1 - end.mass.value() / mass;
  fmt::print(
      "{} steps to {:.3f}: {} leaves, error {:.3e} in the mean and {:.3e} at worst, "
      "{:.1e} of the mass lost, {:.2f} million cells a second\n",
      wanted.steps, mesh.time(), end.leaves, end.error.value(), end.worst, lost,
      updates / spent.count() / 1e6);
  constexpr double rounding = 1e-12;
  if (!(std::abs(lost) <= rounding)) {
    throw acre::error("acre-amr",
                      fmt::format("the result is wrong: {:.3e} of the mass is lost", lost));
  }
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "A blob that the wind carries through an octree mesh, which follows it.", "acre-amr"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(wanted); }, "--finest takes fewer");
}
