// SPDX-License-Identifier: BSD-3-Clause
// acre-amr: advection of a blob, or an ideal gas with gravity, on an adaptive octree mesh.
#include <acre/acre.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/gas.hpp>
#include <apps/amr/picture.hpp>
#include <apps/amr/report.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <apps/genome/progress_bar.hpp>
#include <apps/program/numbers.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/command_line/files.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::amr;

struct request {
  std::string kind = "advection";
  std::string start = "star";
  double gravity = 1;
  double gamma = 0;
  unsigned coarsest = 1;
  unsigned finest = 3;
  unsigned steps = 64;
  std::string centre = "0.5,0.5,0.5";
  std::string wind = "1,0.5,0.25";
  double radius = 0.25;
  std::string mode = "migrate";
  std::string balancer = "curve";
  double tolerance = 0.05;
  std::string load = "measured";
  std::optional<unsigned> shake;
  std::string checkpoint;
  std::optional<unsigned> checkpoint_every;
  std::string restart;
  std::string pictures;
  std::string report;
};

const std::map<std::string, keeping> modes{
    {"static", keeping::stay}, {"recreate", keeping::recreate}, {"migrate", keeping::migrate}};
const std::map<std::string, gas_start> starts{
    {"star", gas_start::star}, {"sod", gas_start::sod}, {"still", gas_start::still}};
const std::map<std::string, any_balancer> balancers{{"greedy", acre::greedy_balancer{}},
                                                    {"curve", acre::curve_balancer{}},
                                                    {"diffusion", acre::diffusion_balancer{}}};

std::optional<point> read_point(const std::string& text) {
  return acre::program::three_numbers<double>(text,
                                              [](double each) { return std::isfinite(each); });
}

std::string problem_of_point(const std::string& text) {
  return read_point(text) ? "" : "the value must be three numbers: 0.3,0.4,0.7";
}

/// Without wind the time step is undefined.
std::string problem_of_wind(const std::string& text) {
  const auto wind = read_point(text);
  return wind && *wind == point{} ? "the wind must not be zero" : problem_of_point(text);
}

std::string missing_of(const request& wanted) {
  const bool has_name = !wanted.checkpoint.empty();
  return wanted.checkpoint_every && !has_name ? "--checkpoint FILE (needed by --checkpoint-every)"
                                              : "";
}

std::string problem_of_physics(const acre::command_line::command& program, const request& wanted) {
  for (const char* option : {"--start", "--gravity", "--gamma"}) {
    if (wanted.kind == "euler" || !wanted.restart.empty() || !program.given(option)) continue;
    return fmt::format("{} needs --physics euler", option);
  }
  if (wanted.gamma != 0 && !(wanted.gamma > 1 && std::isfinite(wanted.gamma))) {
    return fmt::format("--gamma: {} is invalid; write a number above 1, e.g. 1.4", wanted.gamma);
  }
  if (!(wanted.gravity >= 0 && std::isfinite(wanted.gravity))) {
    return fmt::format("--gravity: {} is invalid; write a number of at least 0, e.g. 1",
                       wanted.gravity);
  }
  return "";
}

std::string problem_of_options(const acre::command_line::command& program, const request& wanted) {
  if (!(wanted.radius > 0 && std::isfinite(wanted.radius))) {
    return fmt::format("--radius: {} is invalid; write a number above 0, e.g. 0.25", wanted.radius);
  }
  if (std::string problem = problem_of_physics(program, wanted); !problem.empty()) return problem;
  if (!(wanted.tolerance >= 0 && std::isfinite(wanted.tolerance))) {
    return fmt::format("--tolerance: {} is invalid; write a number of at least 0, e.g. 0.05",
                       wanted.tolerance);
  }
  if (wanted.restart.empty() && program.given("--coarsest") && wanted.coarsest > wanted.finest) {
    return fmt::format("--coarsest {} is finer than --finest {}", wanted.coarsest, wanted.finest);
  }
  if (wanted.mode == "serial") {
    constexpr const char* instead = ": use --mode static on one rank";
    if (!wanted.checkpoint.empty() || !wanted.restart.empty()) {
      return fmt::format("--mode serial does not support checkpoints{}", instead);
    }
    if (!wanted.pictures.empty() || !wanted.report.empty()) {
      return fmt::format("--mode serial supports neither pictures nor a report{}", instead);
    }
  }
  if (!wanted.pictures.empty() && !std::filesystem::is_directory(wanted.pictures)) {
    return fmt::format("--pictures {}: folder not found", wanted.pictures);
  }
  return acre::command_line::clash_of(
      {{"--checkpoint", wanted.checkpoint}, {"--report", wanted.report}},
      {{"--restart", wanted.restart}});
}

void define_physics(acre::command_line::command& program, request& wanted) {
  program
      .add("--physics", wanted.kind,
           "advection: a wind carries a blob; euler: an ideal gas with gravity")
      .shown_default()
      .one_of({"advection", "euler"});
  program
      .add("--start", wanted.start,
           "start euler with a star that moves with the wind, Sod's shock tube along x, or a still "
           "gas, uniform in the wind")
      .shown_default()
      .one_of({"star", "sod", "still"});
  program.add("--gravity", wanted.gravity, "set the star's gravitational constant").shown_default();
  program.add("--gamma", wanted.gamma, "set the gas's ratio of specific heats; 0: 5/3, of sod 1.4")
      .shown_default();
}

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  define_physics(program, wanted);
  program.add("--coarsest", wanted.coarsest, "set the coarsest level of a leaf")
      .shown_default()
      .within(0U, 8U);
  program.add("--finest", wanted.finest, "set the finest level of a leaf")
      .shown_default()
      .within(1U, 10U);
  program.add("--steps", wanted.steps, "run this number of time steps, counted from the first run")
      .shown_default();
  program.add("--centre", wanted.centre, "set the initial centre of the blob in the unit cube")
      .shown_default()
      .type_name("X,Y,Z")
      .check(problem_of_point);
  program.add("--wind", wanted.wind, "set the velocity of the wind")
      .shown_default()
      .type_name("X,Y,Z")
      .check(problem_of_wind);
  program.add("--radius", wanted.radius, "set the radius of the blob").shown_default();
  program
      .add("--mode", wanted.mode,
           "static: children stay on their parent's rank; recreate: after a change of the mesh, "
           "nodes "
           "are created again on their new ranks; migrate: nodes move there; serial: use one rank "
           "without objects")
      .shown_default()
      .one_of({"static", "recreate", "migrate", "serial"});
  program.add("--balancer", wanted.balancer, "distribute the nodes by this balancer")
      .shown_default()
      .one_of({"greedy", "curve", "diffusion"});
  program.add("--tolerance", wanted.tolerance, "accept this excess of a rank over the mean load")
      .shown_default();
  program
      .add("--load", wanted.load,
           "balance the measured time of the stages of a node, or the work counted from the mesh")
      .shown_default()
      .one_of({"measured", "counted"});
  program.add("--shake", wanted.shake,
              "move random nodes during steps, with this seed (for tests)");
  program.add("--checkpoint", wanted.checkpoint, "write a checkpoint to FILE at the end")
      .type_name("FILE")
      .check(acre::command_line::problem_of_shared_output);
  program
      .add("--checkpoint-every", wanted.checkpoint_every,
           "also write the checkpoint after every N steps")
      .within(1U, std::numeric_limits<unsigned>::max());
  program
      .add("--restart", wanted.restart,
           "continue from a checkpoint and its problem, on any number of ranks and in any mode")
      .type_name("FILE")
      .check(acre::command_line::problem_of_shared_input);
  program.require([&] { return missing_of(wanted); });
  program
      .add("--pictures", wanted.pictures,
           "write a picture of each mesh, coloured by owners, to FOLDER")
      .type_name("FOLDER");
  program
      .add("--report", wanted.report,
           "write a JSON report of the ranks' work to FILE; - is standard output")
      .type_name("FILE");
  program.refuse([&] { return problem_of_options(program, wanted); });
  program.footer("Run it with: acre run -n 4 acre-amr");
  return program;
}

problem problem_of(const request& wanted) {
  problem given;
  given.coarsest = std::min(wanted.coarsest, wanted.finest);
  given.finest = wanted.finest;
  given.centre = read_point(wanted.centre).value();
  given.velocity = read_point(wanted.wind).value();
  given.radius = wanted.radius;
  if (wanted.kind == "euler") {
    given.kind = physics::euler;
    given.start = starts.at(wanted.start);
    given.gravity = given.start == gas_start::star ? wanted.gravity : 0;
    if (given.start == gas_start::sod) given.gamma = 1.4;
    if (wanted.gamma != 0) given.gamma = wanted.gamma;
  }
  return given;
}

void require_same_problem(const acre::command_line::command& program, const request& wanted,
                          const saved_mesh& from) {
  const problem asked = problem_of(wanted);
  const auto require = [&](const char* option, bool is_same, const std::string& in_file) {
    if (is_same || !program.given(option)) return;
    throw acre::error("acre-amr", fmt::format("{} contradicts {}, which has {}; omit the option",
                                              option, wanted.restart, in_file));
  };
  const auto text = [](const point& at) { return fmt::format("{}", fmt::join(at, ",")); };
  const problem& known = from.given;
  require("--finest", asked.finest == known.finest, fmt::to_string(known.finest));
  require("--coarsest", std::min(wanted.coarsest, known.finest) == known.coarsest,
          fmt::to_string(known.coarsest));
  require("--centre", asked.centre == known.centre, text(known.centre));
  require("--wind", asked.velocity == known.velocity, text(known.velocity));
  require("--radius", asked.radius == known.radius, fmt::to_string(known.radius));
  require("--physics", asked.kind == known.kind, known.is_gas() ? "euler" : "advection");
  require("--start", asked.start == known.start, "another");
  require("--gravity", asked.gravity == known.gravity, fmt::to_string(known.gravity));
  require("--gamma", asked.gamma == known.gamma, fmt::to_string(known.gamma));
  if (wanted.steps < from.steps) {
    throw acre::error(
        "acre-amr",
        fmt::format(
            "{} was written after {} steps, but --steps is {}; increase it, as it includes them",
            wanted.restart, from.steps, wanted.steps));
  }
}

void picture(const distributed_mesh& mesh, const request& wanted, unsigned step) {
  const std::vector<owned_leaf> leaves = mesh.leaves();
  if (acre::rank() != 0) return;
  draw(leaves, acre::size(), fmt::format("{}/mesh-{:05}.png", wanted.pictures, step));
}
void picture(const serial_mesh&, const request&, unsigned /*step*/) {}

void checkpoint(const distributed_mesh& mesh, const request& wanted) {
  const bool is_turn = wanted.checkpoint_every && mesh.steps() % *wanted.checkpoint_every == 0;
  if (is_turn || mesh.steps() == wanted.steps) mesh.save(wanted.checkpoint);
}
void checkpoint(const serial_mesh&, const request&) {}

unsigned next_stop(unsigned step, const request& wanted, const problem& given) {
  const auto after = [&](unsigned each) { return (step / each + 1) * each; };
  const unsigned stop = std::min(wanted.steps, after(given.regrid_every));
  return wanted.checkpoint_every ? std::min(stop, after(*wanted.checkpoint_every)) : stop;
}

double lost_of(const char* what, const exact_sum& before, const exact_sum& after) {
  constexpr double rounding = 1e-12;
  const double lost = 1 - after.value() / before.value();
  if (std::abs(lost) <= rounding) return lost;
  throw acre::error("acre-amr",
                    fmt::format("the result is wrong: {:.3e} of the {} is lost", lost, what));
}

/// Error and losses. Gravity changes the energy.
std::string judged(const totals& begun, const totals& end, const problem& given) {
  std::string text;
  if (!given.is_gas() || has_exact_density(given)) {
    text =
        fmt::format("error {:.3e} in the mean and {:.3e} at worst, ", end.error.value(), end.worst);
  }
  text += fmt::format("{:.1e} of the mass lost, ", lost_of("mass", begun.mass, end.mass));
  if (given.is_gas() && given.gravity == 0) {
    text += fmt::format("{:.1e} of the energy lost, ", lost_of("energy", begun.energy, end.energy));
  }
  return text;
}

template <class Mesh>
double advance(Mesh& mesh, const request& wanted, const problem& given) {
  const totals begun = mesh.measure();
  std::chrono::duration<double> spent{0};
  acre::genome::progress_bar bar(acre::rank() == 0 ? wanted.steps : 0, "steps");
  for (unsigned step = mesh.steps(), next = step; step < wanted.steps; step = next) {
    next = next_stop(step, wanted, given);
    const auto begin = std::chrono::steady_clock::now();
    mesh.advance(next - step);
    spent += std::chrono::steady_clock::now() - begin;
    const bool is_new = step % given.regrid_every == 0;
    if (is_new && !wanted.pictures.empty()) picture(mesh, wanted, step);
    if (!wanted.checkpoint.empty()) checkpoint(mesh, wanted);
    if (acre::rank() == 0) bar.update(next);
  }
  bar.finish();
  const totals end = mesh.measure();
  if (acre::rank() != 0) return spent.count();
  fmt::print("{} steps to {:.3f}: {} leaves, {}{:.3f} s, {:.2f} million cells a second\n",
             wanted.steps, end.time, end.leaves, judged(begun, end, given), spent.count(),
             spent.count() > 0 ? mesh.cell_updates() / spent.count() / 1e6 : 0);
  return spent.count();
}

ways ways_of(const request& wanted) {
  return {
      .mode = modes.at(wanted.mode),
      .load = wanted.load == "counted" ? load_kind::counted : load_kind::measured,
      .how = acre::tolerant_balancer<any_balancer>{balancers.at(wanted.balancer), wanted.tolerance},
      .shake = wanted.shake};
}

void run_on_all(distributed_mesh&& mesh, const request& wanted) {
  const double seconds = advance(mesh, wanted, mesh.given());
  report(mesh, seconds, wanted.report);
}

void run(const acre::command_line::command& program, const request& wanted) {
  if (!wanted.report.empty()) acre::program::require_report("acre-amr", wanted.report);
  if (!wanted.restart.empty()) {
    saved_mesh from = load_mesh(wanted.restart);
    require_same_problem(program, wanted, from);
    run_on_all(distributed_mesh(std::move(from), ways_of(wanted)), wanted);
  } else if (wanted.mode != "serial") {
    run_on_all(distributed_mesh(problem_of(wanted), ways_of(wanted)), wanted);
  } else if (acre::rank() == 0) {
    const problem given = problem_of(wanted);
    serial_mesh mesh(given);
    static_cast<void>(advance(mesh, wanted, given));
  }
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Simulates a blob that a wind carries, or a gas with gravity, on an adaptive octree mesh.",
      "acre-amr"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(program, wanted); },
      "choose a smaller --finest");
}
