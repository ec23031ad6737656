// SPDX-License-Identifier: BSD-3-Clause
// acre-prk: Parallel Research Kernels on all ranks.
#include <apps/prk/kernels.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::prk;
using acre::command_line::command;

template <class Request>
struct kernel {
  Request wanted{};
  command& words;

  kernel(command& program, const char* name, const char* about)
      : words(program.add_command(name, about)) {}
  template <class Value>
  void number(const char* name, Value& value, const char* help, std::uint64_t least,
              std::uint64_t most) {
    auto option = words.add(name, value, help);
    option.within(static_cast<Value>(least), static_cast<Value>(most));
    if (value == 0) {
      option.required();
    } else {
      option.shown_default();
    }
  }
  void iterations() {
    number("iterations", wanted.iterations, "run N iterations, after one warm-up", 1, 1U << 30);
  }
};

constexpr std::uint64_t most = std::uint64_t{1} << 20;

}  // namespace

int main(int argc, char** argv) {
  command program{"Runs the Parallel Research Kernels.", "acre-prk"};
  program.require_command();
  program.footer("Run it with: acre run -n 4 acre-prk stencil 10 1000");

  kernel<stencil_request> of_stencil(program, "stencil", "apply a star stencil to a square");
  of_stencil.iterations();
  of_stencil.number("order", of_stencil.wanted.order, "set the order of the square", 3, most);
  of_stencil.number("radius", of_stencil.wanted.radius, "set the radius of the star", 1, 4);

  kernel<transpose_request> of_transpose(program, "transpose",
                                         "add a transposed matrix to another");
  of_transpose.iterations();
  of_transpose.number("order", of_transpose.wanted.order, "set the order of the matrix", 1, most);

  kernel<nstream_request> of_nstream(program, "nstream",
                                     "add a vector and a multiple of another to a third");
  of_nstream.iterations();
  of_nstream.number("length", of_nstream.wanted.length, "set the length of each of three vectors",
                    1, std::uint64_t{1} << 40);

  kernel<dgemm_request> of_dgemm(program, "dgemm", "multiply two matrices");
  of_dgemm.iterations();
  of_dgemm.number("order", of_dgemm.wanted.order, "set the order of the matrices", 1, most);

  kernel<sync_p2p_request> of_sync(program, "sync_p2p", "run a wave front through a grid");
  of_sync.iterations();
  of_sync.number("columns", of_sync.wanted.columns, "set the number of columns", 2,
                 std::uint64_t{1} << 32);
  of_sync.number("lines", of_sync.wanted.lines, "set the number of lines", 2,
                 std::uint64_t{1} << 32);

  kernel<random_request> of_random(program, "random", "update random words of a table");
  of_random.number("ratio", of_random.wanted.ratio,
                   "make this number of updates per word, a power of two", 1, 1U << 20);
  of_random.number("log2-size", of_random.wanted.log2_size, "use a table of 2^N words", 1, 40);

  kernel<sparse_request> of_sparse(program, "sparse", "multiply a sparse matrix with a vector");
  of_sparse.iterations();
  of_sparse.number("log2-size", of_sparse.wanted.log2_size, "use a grid with sides of 2^N", 1, 15);
  of_sparse.number("radius", of_sparse.wanted.radius, "set the radius of the star", 1, 64);

  of_stencil.words.refuse([&, &wanted = of_stencil.wanted] {
    const bool fits = 2 * wanted.radius < wanted.order;
    return fits ? ""
                : fmt::format("a star of radius {} does not fit in a square of order {}",
                              wanted.radius, wanted.order);
  });
  of_random.words.refuse([&, &wanted = of_random.wanted] {
    return std::has_single_bit(wanted.ratio)
               ? ""
               : fmt::format("ratio {} is not a power of two", wanted.ratio);
  });
  of_sparse.words.refuse([&, &wanted = of_sparse.wanted] {
    const std::uint64_t side = std::uint64_t{1} << wanted.log2_size;
    const bool fits = 2 * wanted.radius < side;
    return fits ? ""
                : fmt::format("a star of radius {} does not fit in a grid of {} x {}",
                              wanted.radius, side, side);
  });

  const auto work = [&] {
    if (of_stencil.words.given()) stencil(of_stencil.wanted);
    if (of_transpose.words.given()) transpose(of_transpose.wanted);
    if (of_nstream.words.given()) nstream(of_nstream.wanted);
    if (of_dgemm.words.given()) dgemm(of_dgemm.wanted);
    if (of_sync.words.given()) sync_p2p(of_sync.wanted);
    if (of_random.words.given()) random(of_random.wanted);
    if (of_sparse.words.given()) sparse(of_sparse.wanted);
  };
  return acre::program::run(program, argc, argv, work, "choose smaller numbers");
}
