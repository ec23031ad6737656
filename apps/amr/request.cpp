// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/request.hpp>

#include <acre/base/error.hpp>

#include <apps/program/numbers.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/command_line/files.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace acre::amr {
namespace {

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
  if (wanted.kind == "advection" && read_point(wanted.wind) == point{}) {
    return "--wind: the wind of advection must not be zero, or its time step is undefined";
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

void define_mesh(acre::command_line::command& program, request& wanted) {
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
      .check(problem_of_point);
  program.add("--radius", wanted.radius, "set the radius of the blob").shown_default();
}

}  // namespace

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  define_physics(program, wanted);
  define_mesh(program, wanted);
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

ways ways_of(const request& wanted) {
  return {
      .mode = modes.at(wanted.mode),
      .load = wanted.load == "counted" ? load_kind::counted : load_kind::measured,
      .how = acre::tolerant_balancer<any_balancer>{balancers.at(wanted.balancer), wanted.tolerance},
      .shake = wanted.shake};
}

}  // namespace acre::amr
