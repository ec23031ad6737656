// acre-amr: a blob that the wind carries through an octree mesh, which follows it.
#include <acre/acre.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/picture.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace acre::amr;

struct request {
  unsigned coarsest = 1;
  unsigned finest = 3;
  unsigned steps = 64;
  std::string mode = "migrate";
  std::string balancer = "curve";
  std::optional<unsigned> shake;
  std::string pictures;
};

const std::map<std::string, keeping> modes{
    {"static", keeping::stay}, {"recreate", keeping::recreate}, {"migrate", keeping::migrate}};
const std::map<std::string, any_balancer> balancers{{"greedy", acre::greedy_balancer{}},
                                                    {"curve", acre::curve_balancer{}},
                                                    {"diffusion", acre::diffusion_balancer{}}};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--coarsest", wanted.coarsest, "level of a leaf").shown_default().within(0U, 8U);
  program.add("--finest", wanted.finest, "level of a leaf").shown_default().within(1U, 10U);
  program.add("--steps", wanted.steps, "in time").shown_default();
  program
      .add("--mode", wanted.mode,
           "children stay where their parent is, or when the mesh has changed nodes are made anew "
           "where they should be, or move there; serial: one rank without objects")
      .shown_default()
      .one_of({"static", "recreate", "migrate", "serial"});
  program.add("--balancer", wanted.balancer, "which says where nodes should be")
      .shown_default()
      .one_of({"greedy", "curve", "diffusion"});
  program.add("--shake", wanted.shake, "seed of moves in the middle of steps, for no reason");
  program.add("--pictures", wanted.pictures, "folder for a picture of each mesh, by owners");
  program.footer("Run it with: acre run -n 4 acre-amr");
  return program;
}

problem problem_of(const request& wanted) {
  problem given;
  given.coarsest = std::min(wanted.coarsest, wanted.finest);
  given.finest = wanted.finest;
  return given;
}

void picture(const distributed_mesh& mesh, const request& wanted, unsigned step) {
  const std::vector<owned_leaf> leaves = mesh.leaves();
  if (acre::rank() != 0) return;
  draw(leaves, acre::size(), fmt::format("{}/mesh-{:05}.png", wanted.pictures, step));
}
void picture(const serial_mesh& /*mesh*/, const request& /*wanted*/, unsigned /*step*/) {}

/// Collective over the ranks that the mesh is on.
template <class Mesh>
void advance(Mesh& mesh, const request& wanted, const problem& given) {
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
  if (acre::rank() != 0) return;
  const double lost = 1 - end.mass.value() / mass;
  fmt::print(
      "{} steps to {:.3f}: {} leaves, error {:.3e} in the mean and {:.3e} at worst, "
      "{:.1e} of the mass lost, {:.3f} s, {:.2f} million cells a second\n",
      wanted.steps, mesh.time(), end.leaves, end.error.value(), end.worst, lost, spent.count(),
      updates / spent.count() / 1e6);
  constexpr double rounding = 1e-12;
  if (!(std::abs(lost) <= rounding)) {
    throw acre::error("acre-amr",
                      fmt::format("the result is wrong: {:.3e} of the mass is lost", lost));
  }
}

/// How uneven it became over time, and what was done about it.
void report(const distributed_mesh& mesh) {
  const std::uint64_t letters = acre::world().allreduce(mesh.received());
  const std::uint64_t fingerprint = mesh.fingerprint();
  if (acre::rank() != 0) return;
  std::uint64_t moves = 0;
  double before = 0;
  double after = 0;
  fmt::print("imbalance at each change of the mesh, before and after it was balanced:");
  for (const acre::balance_report& each : mesh.history()) {
    fmt::print(" {:.2f}>{:.2f}", each.before, each.after);
    moves += each.moves;
    before += each.before;
    after += each.after;
  }
  const auto changes = static_cast<double>(std::max<std::size_t>(mesh.history().size(), 1));
  fmt::print("\n{:.2f} in the mean before, {:.2f} after; {} nodes moved, {} letters\n",
             before / changes, after / changes, acre::program::grouped(moves),
             acre::program::grouped(letters));
  fmt::print("seconds in steps {:.3f}, in changes {:.3f}, in balancing {:.3f}; fingerprint {:x}\n",
             mesh.times().steps, mesh.times().regrid, mesh.times().balance, fingerprint);
}

/// @throws acre::error when mass is lost
void run(const request& wanted) {
  const problem given = problem_of(wanted);
  if (wanted.mode == "serial") {
    if (acre::rank() != 0) return;
    serial_mesh mesh(given);
    return advance(mesh, wanted, given);
  }
  distributed_mesh mesh(
      given,
      {.mode = modes.at(wanted.mode), .how = balancers.at(wanted.balancer), .shake = wanted.shake});
  advance(mesh, wanted, given);
  report(mesh);
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "A blob that the wind carries through an octree mesh, which follows it.", "acre-amr"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(wanted); }, "--finest takes fewer");
}
