// SPDX-License-Identifier: BSD-3-Clause
// acre-sign: density matrix of a block-sparse Hamiltonian by matrix products.
#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <apps/program/memory.hpp>
#include <apps/program/multiply_algorithm.hpp>
#include <apps/program/numbers.hpp>
#include <apps/program/product.hpp>
#include <apps/program/program.hpp>
#include <apps/sign/dense_check.hpp>
#include <apps/sign/hamiltonian.hpp>
#include <apps/sign/iteration.hpp>
#include <apps/sign/picture.hpp>
#include <apps/sign/product_rate.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/command_line/files.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace {

using namespace acre::sign;

constexpr const char* smaller = "choose fewer atoms or functions";

struct request {
  std::string atoms = "6,6,6";
  model of;
  settings given;
  std::string how = "sign";
  std::string placement = "mapped";
  bool check = false;
  std::string convergence;
  std::string blocks;
  std::string report;
};

std::optional<std::array<std::uint32_t, 3>> read_atoms(const std::string& text) {
  return acre::program::three_numbers<std::uint32_t>(
      text, [](std::uint32_t each) { return each >= 1 && each <= 1000; });
}

std::string problem_of_atoms(const std::string& text) {
  return read_atoms(text) ? "" : "the value must be three numbers from 1 to 1000: 8,8,4";
}

std::string problem_of_picture(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".png") ? ""
                                                          : "the name must end in .svg or .png";
}

std::string problem_of_options(const request& wanted) {
  const auto atoms = read_atoms(wanted.atoms);
  std::size_t n = wanted.of.functions;
  for (const std::uint32_t each : *atoms) n *= each;
  if (wanted.check && can_compare_with_dense() && n > most_dense_rows) {
    return fmt::format(
        "--check: LAPACK supports at most {} rows, but --atoms {} with "
        "--functions {} has {}",
        most_dense_rows, wanted.atoms, wanted.of.functions, n);
  }
  return acre::command_line::clash_of({{"--convergence", wanted.convergence},
                                       {"--blocks", wanted.blocks},
                                       {"--report", wanted.report}});
}

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--atoms", wanted.atoms, "use this number of atoms in each direction of the lattice")
      .shown_default()
      .type_name("X,Y,Z")
      .check(problem_of_atoms);
  program
      .add("--functions", wanted.of.functions, "use N functions per atom: the size of its blocks")
      .shown_default()
      .within(1U, 256U);
  program
      .add("--decay", wanted.of.decay,
           "set the length over which blocks decay, in lattice constants")
      .shown_default()
      .within(1e-3, 1e3);
  program
      .add("--coupling", wanted.of.coupling,
           "set the coupling of atoms; half the gap is about 1 without it")
      .shown_default()
      .within(0.0, 1e6);
  program.add("--cutoff", wanted.of.cutoff, "omit blocks of the Hamiltonian below this norm")
      .shown_default()
      .within(0.0, 1e6);
  program.add("--seed", wanted.of.seed, "seed the random couplings").shown_default();
  program.add("--filter", wanted.given.filter, "omit blocks and products below this norm")
      .shown_default()
      .within(0.0, 1.0);
  program.add("--mu", wanted.given.mu, "set the chemical potential: states below it are filled")
      .shown_default()
      .within(-1e6, 1e6);
  program.add("--tolerance", wanted.given.tolerance, "stop if |X^2 - 1| / sqrt(n) is below this")
      .shown_default()
      .within(1e-15, 1.0);
  program.add("--steps", wanted.given.most_steps, "run at most N steps")
      .shown_default()
      .within(1U, 10000U);
  program.add("--method", wanted.how, "iterate by this method")
      .shown_default()
      .one_of({"sign", "mcweeny"});
  acre::program::add_algorithm(program, wanted.given.product.algorithm);
  program
      .add("--placement", wanted.placement,
           "place the ranks of the grid on nodes: mapped, or packed in the order of their numbers")
      .shown_default()
      .one_of({"mapped", "packed"});
  program.add("--check", wanted.check, "compare with the eigenvectors of the dense matrix");
  program.add("--convergence", wanted.convergence, "draw the errors to this file (.svg or .png)")
      .type_name("FILE")
      .check(problem_of_picture);
  program
      .add("--blocks", wanted.blocks, "draw the blocks of the density to this file (.svg or .png)")
      .type_name("FILE")
      .check(problem_of_picture);
  program
      .add("--report", wanted.report,
           "write a JSON report of all steps to FILE; - is standard output")
      .type_name("FILE");
  program.refuse([&] { return problem_of_options(wanted); });
  program.footer("Run it with: acre run -n 4 acre-sign");
  return program;
}

nlohmann::json json_of(const step& each) {
  return {{"error", each.error},
          {"occupancy", each.occupancy},
          {"seconds", each.seconds},
          {"flops", each.operations},
          {"bytes_read", each.bytes_read}};
}

void print_step(std::size_t number, const step& each) {
  fmt::print(
      "{:4}  error {:9.2e}  occupancy {:6.2f} %  {:8.3f} s  {:7.2f} GFLOP/s  {:9.3f} MB read\n",
      number, each.error, 100 * each.occupancy, each.seconds,
      static_cast<double>(each.operations) / each.seconds / 1e9,
      static_cast<double>(each.bytes_read) / 1e6);
  std::fflush(stdout);
}

void check(const request& wanted) {
  for (const std::string& path : {wanted.convergence, wanted.blocks, wanted.report}) {
    if (!path.empty()) acre::program::require_report("acre-sign", path);
  }
  // Hamiltonian and X; without a filter also X^2 and the next X.
  const double copies = wanted.given.filter > 0 ? 2 : 4;
  acre::program::require_memory("acre-sign", copies * wanted.of.least_bytes(), smaller);
}

/// Number of ranks with another number in the grid.
std::size_t moved_ranks(const acre::team& grid) {
  std::size_t moved = 0;
  for (acre::rank_t i = 0; i < grid.size(); ++i) moved += grid.world_rank(i) != i ? 1 : 0;
  return moved;
}

nlohmann::json report_of(const outcome& found, const acre::block_matrix<double>& h,
                         const request& wanted) {
  const auto expected = electrons_below(wanted.given.mu, h, wanted.of);
  nlohmann::json said{{"ranks", acre::size()},
                      {"n", h.rows().elements()},
                      {"blocks", h.rows().blocks()},
                      {"filter", wanted.given.filter},
                      {"steps", nlohmann::json::array()},
                      {"converged", found.has_converged},
                      {"error", found.steps.back().error},
                      {"electrons", acre::trace(found.density)},
                      {"expected", nullptr},
                      {"idempotency", idempotency_error(found.density)},
                      {"energy", acre::dot(found.density, h)},
                      {"occupancy", acre::occupancy(found.density)}};
  if (expected) said["expected"] = *expected;
  std::uint64_t operations = 0;
  std::uint64_t bytes_read = 0;
  double seconds = 0;
  for (const step& each : found.steps) {
    said["steps"].push_back(json_of(each));
    operations += each.operations;
    bytes_read += each.bytes_read;
    seconds += each.seconds;
  }
  said["seconds"] = seconds;
  said["bytes_read"] = bytes_read;
  said["grid"] = {h.distribution().grid().rows, h.distribution().grid().columns};
  said["moved"] = moved_ranks(h.members());
  const double rate = static_cast<double>(operations) / seconds / 1e9;
  said["gflops"] = rate;
  said["efficiency"] = rate / dense_product_rate();
  return said;
}

nlohmann::json dense_report(const outcome& found, const acre::block_matrix<double>& h,
                            const request& wanted) {
  const auto dense = compare_with_dense(h, found.density, wanted.given.mu);
  if (dense) {
    return {{"difference", dense->difference},
            {"occupied", dense->occupied},
            {"gap", dense->above - dense->below},
            {"energy", dense->energy}};
  }
  if (acre::rank() == 0) {
    std::fputs("acre-sign: --check is ignored: this program was built without a BLAS\n", stderr);
  }
  return nullptr;
}

void write_files(const outcome& found, const request& wanted, const nlohmann::json& said) {
  std::string problems;
  const auto attempt = [&](const std::string& path, const std::function<void()>& write) {
    if (path.empty()) return;
    try {
      write();
    } catch (const acre::error& failure) {
      problems += (problems.empty() ? "" : "; ") + failure.problem();
    }
  };
  if (acre::rank() == 0) {
    attempt(wanted.report,
            [&] { acre::program::write_report("acre-sign", wanted.report, said.dump(2) + '\n'); });
    attempt(wanted.convergence, [&] { draw_convergence(found.steps, wanted.convergence); });
  }
  attempt(wanted.blocks, [&] { draw_blocks(found.density, wanted.blocks); });
  if (!problems.empty()) throw acre::error("acre-sign", problems);
}

void require_convergence(const outcome& found, const settings& given) {
  if (found.has_converged) return;
  const char* const other_filter = given.filter > 0 ? ", or a smaller --filter" : "";
  throw acre::error(
      "acre-sign",
      fmt::format("the iteration has not converged in {} steps: its error is {:.1e}",
                  found.steps.size(), found.steps.back().error),
      fmt::format(
          "if the error still falls, allow more --steps; if not, a state may be at the chemical "
          "potential: choose another --mu{}",
          other_filter));
}

void run(request wanted) {
  wanted.of.atoms = read_atoms(wanted.atoms).value();
  wanted.given.how = wanted.how == "sign" ? method::sign : method::mcweeny;
  check(wanted);
  acre::program::share_cores();
  const bool speaks = acre::rank() == 0;
  // Products exchange blocks with neighbours in the grid.
  const acre::team grid = wanted.placement == "mapped" ? acre::team::cartesian<2>() : acre::world();
  const auto h = hamiltonian(grid, wanted.of);
  const std::size_t n = h.rows().elements();
  const double of_h = acre::occupancy(h);
  if (speaks) {
    fmt::print("{} x {} elements in blocks of {}, {:.2f} % of them stored, on {} ranks\n", n, n,
               wanted.of.functions, 100 * of_h, acre::size());
  }
  std::size_t number = 0;
  const outcome found = density_of(h, wanted.given, [&](const step& each) {
    if (speaks) print_step(++number, each);
  });
  nlohmann::json said = report_of(found, h, wanted);
  if (wanted.check && found.has_converged) said["dense"] = dense_report(found, h, wanted);
  if (speaks) {
    nlohmann::json line = said;
    line["steps"] = found.steps.size();
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }
  write_files(found, wanted, said);
  acre::barrier();
  require_convergence(found, wanted.given);
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Computes the density matrix of a block-sparse Hamiltonian by the sign iteration.",
      "acre-sign"};
  return acre::program::run(define(program, wanted), argc, argv, [&] { run(wanted); }, smaller);
}
