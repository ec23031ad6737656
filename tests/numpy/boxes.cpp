// SPDX-License-Identifier: BSD-3-Clause
// Operations on boxes.
#include "case.hpp"

#include <functional>
#include <map>
#include <numeric>

namespace acre::testing {
namespace {

using integer = std::int64_t;

// Arguments: kind, extents, then those of values.

template <std::size_t N, std::size_t D>
void along(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t to_kind = input.number();
  const auto extents = input.numbers<N>();
  with_matrix<std::int8_t, N>(kind, extents, next_values<std::int8_t>(input), [&](auto& m) {
    append(result, reduce_along<D>(whole(m)));
    with_matrix<int, N - 1>(to_kind, algorithm::without_axis<D>(extents), {1, 2},
                            [&](auto& greatest) {
                              reduce_along<D>(whole(m), whole(greatest), -1000, op::max);
                              append(result, greatest);
                            });
  });
}

template <std::size_t N>
void accumulated(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const auto extents = input.numbers<N>();
  const auto first = input.numbers<N>();
  const auto part = input.numbers<N>();
  with_matrix<integer, N>(kind, extents, next_values<integer>(input), [&](auto& m) {
    const layout::box<N> box{.first = first, .extents = part};
    std::vector<integer> mine(box.size());
    std::iota(mine.begin(), mine.end(), rank());
    accumulate(box_span<integer, N>(mine.data(), part), sub(m, box));
    append(result, m);
  });
}

template <std::size_t N>
void sliced(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const auto extents = input.numbers<N>();
  index_slice slices[N];
  for (index_slice& each : slices) {
    each.first = input.number();
    each.end = input.number();
    each.step = input.number();
  }
  with_matrix<integer, N>(kind, extents, next_values<integer>(input), [&](auto& m) {
    const auto part = slice(m, slices);
    for (const std::size_t extent : part.extents()) result.push_back(static_cast<integer>(extent));
    append(result, part);
    result.push_back(reduce_on_all(part));
    std::vector<integer> local(part.size());
    copy(part, box_span<integer, N>(local.data(), part.extents()));
    for (const integer each : local) result.push_back(each);
    array<integer> flat(world(), part.size());
    transform(part, flat, [](integer x) { return 2 * x; });
    transform(flat, part, std::negate<>());
    append(result, m);
    fill(part, 5);
    append(result, m);
  });
}

/// m + a matrix of one dimension less, and m * a column.
template <std::size_t N>
void broadcasted(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t other_kind = input.number();
  const auto extents = input.numbers<N>();
  with_matrix<integer, N>(kind, extents, next_values<integer>(input), [&](auto& m) {
    with_matrix<integer, N - 1>(other_kind, algorithm::without_axis<0>(extents), {3, 50},
                                [&](auto& row) {
                                  transform(m, broadcast(row, extents), m, std::plus<>());
                                  append(result, m);
                                });
    auto one = extents;
    one[N - 1] = 1;
    with_matrix<integer, N>(0, one, {4, 50}, [&](auto& column) {
      const auto repeated = broadcast(column, extents);
      append(result, repeated);
      transform(m, repeated, m, std::multiplies<>());
      append(result, m);
      result.push_back(reduce_on_all(repeated));
    });
  });
}

/// Sums of 3 x 3 elements, zeros outside.
void halos(test_case& input, output& result) {
  const auto extents = input.numbers<2>();
  const values<integer> value = next_values<integer>(input);
  const auto pattern =
      make_distribution({extents[0], extents[1]}, size(), dist::blocked, dist::none);
  auto m = make_halo_matrix<integer>(world(), pattern, 1);
  auto sums = make_halo_matrix<integer>(world(), pattern, {.before = {0, 0}, .after = {0, 0}});
  generate_with_index(m, value);
  halo h(m, {.edges = fixed(integer{0})});
  barrier();
  h.update();
  stencil(h, sums, [](auto u) {
    integer sum = 0;
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) sum += u(i, j);
    }
    return sum;
  });
  append(result, sums);
}

}  // namespace

bool run_box_case(test_case& input, output& result) {
  static const std::map<std::string, void (*)(test_case&, output&)> operations = {
      {"along20", along<2, 0>},
      {"along21", along<2, 1>},
      {"along30", along<3, 0>},
      {"along31", along<3, 1>},
      {"along32", along<3, 2>},
      {"accumulate2", accumulated<2>},
      {"accumulate3", accumulated<3>},
      {"slice1", sliced<1>},
      {"slice2", sliced<2>},
      {"slice3", sliced<3>},
      {"broadcast2", broadcasted<2>},
      {"broadcast3", broadcasted<3>},
      {"halo", halos},
  };
  const auto found = operations.find(input.operation());
  if (found == operations.end()) return false;
  found->second(input, result);
  return true;
}

}  // namespace acre::testing
