// SPDX-License-Identifier: BSD-3-Clause
// Heat equation of bench/peers/heat3d_mpi.c. Prints the slowest rank's milliseconds per step,
// as JSON.
//
//     acre run -n 2 bench-heat3d [N [STEPS]]
#include <acre/acre.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/stencil.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr double coefficient = 0.1;

double first_value(const acre::layout::coordinates<3>& at) {
  return static_cast<double>((at[0] * 7 + at[1] * 5 + at[2] * 3) % 101);
}

template <class F>
double milliseconds_a_step(std::size_t steps, F&& step) {
  acre::barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < steps; ++i) step(i);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
  return acre::world().allreduce(spent.count() / static_cast<double>(steps), acre::op::max);
}

struct heat {
  using field = acre::halo_matrix<double, 3>;
  field fields[2];
  acre::halo<double, 3> halos[2];

  explicit heat(std::size_t n, acre::halo_corners corners)
      : fields{field(acre::world(), {n, n, n}, 1), field(acre::world(), {n, n, n}, 1)},
        halos{acre::halo(fields[0], {.edges = acre::fixed(0.0), .corners = corners}),
              acre::halo(fields[1], {.edges = acre::fixed(0.0), .corners = corners})} {
    fields[0].each_local_block(
        [](const acre::layout::box<3>& where, acre::box_span<double, 3> own) {
          for (std::size_t i = 0; i < where.size(); ++i) {
            auto at = acre::layout::row_major::at<3>(i, where.extents);
            double& element = own[at];
            for (std::size_t d = 0; d < 3; ++d) at[d] += where.first[d];
            element = first_value(at);
          }
        });
  }
  [[nodiscard]] double sum(std::size_t which) const {
    double total = 0;
    fields[which].each_local_block([&](const auto&, acre::box_span<const double, 3> own) {
      own.each_run([&](std::span<const double> run) {
        for (const double each : run) total += each;
      });
    });
    return acre::world().allreduce(total);
  }
};

constexpr auto seven_points = [](auto u) {
  return *u + coefficient * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) +
                             u(0, 0, 1) - 6 * *u);
};

[[gnu::noinline]] void seven_points_by_hand(const double* from, double* __restrict to,
                                            const acre::layout::coordinates<3>& extents,
                                            const acre::layout::coordinates<3>& strides) {
  const auto stride0 = static_cast<std::ptrdiff_t>(strides[0]);
  const auto stride1 = static_cast<std::ptrdiff_t>(strides[1]);
  for (std::size_t i = 0; i < extents[0]; ++i) {
    for (std::size_t j = 0; j < extents[1]; ++j) {
      const double* const u = from + i * strides[0] + j * strides[1];
      double* __restrict next = to + i * strides[0] + j * strides[1];
      for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(extents[2]); ++k) {
        next[k] = u[k] + coefficient * (u[k - stride0] + u[k + stride0] + u[k - stride1] +
                                        u[k + stride1] + u[k - 1] + u[k + 1] - 6 * u[k]);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 128;
  const std::size_t steps = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200;
  heat simple(n, acre::halo_corners::left_out);
  const auto in_turn = [&](std::size_t step) {
    simple.halos[step % 2].update();
    acre::stencil(simple.halos[step % 2], simple.fields[1 - step % 2], seven_points);
  };
  const auto overlapped = [&](std::size_t step) {
    acre::stencil_with_update(simple.halos[step % 2], simple.fields[1 - step % 2], seven_points);
  };
  const auto only_update = [&](std::size_t step) { simple.halos[step % 2].update(); };
  const auto only_stencil = [&](std::size_t step) {
    acre::stencil(simple.halos[step % 2], simple.fields[1 - step % 2], seven_points);
  };
  for (std::size_t i = 0; i < 10; ++i) in_turn(i);
  const double plain = milliseconds_a_step(steps, in_turn);
  const double together = milliseconds_a_step(steps, overlapped);
  const double exchange = milliseconds_a_step(steps, only_update);
  const double loop = milliseconds_a_step(steps, only_stencil);
  const double by_hand = milliseconds_a_step(steps, [&](std::size_t step) {
    const auto& from = simple.halos[step % 2];
    seven_points_by_hand(from.first(), simple.halos[1 - step % 2].first(), from.own().extents,
                         from.strides());
  });
  const double sum = simple.sum(0);
  if (acre::rank() == 0) {
    std::printf(
        "{\"ms\": %.4f, \"overlapped_ms\": %.4f, \"update_ms\": %.4f, \"loop_ms\": %.4f, "
        "\"by_hand_ms\": %.4f, \"sum\": %.9g}\n",
        plain, together, exchange, loop, by_hand, sum);
  }
}
