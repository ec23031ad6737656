// SPDX-License-Identifier: BSD-3-Clause
// acre-amr: advection of a blob, or an ideal gas with gravity, on an adaptive octree mesh.
#include <acre/acre.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/gas.hpp>
#include <apps/amr/picture.hpp>
#include <apps/amr/report.hpp>
#include <apps/amr/request.hpp>
#include <apps/amr/serial_mesh.hpp>
#include <apps/genome/progress_bar.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::amr;

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
