// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_algebra.hpp>

#include <acre/base/complex_number.hpp>
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/copy_blocks.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace acre {

namespace {

template <class T>
std::span<T> elements_of(const box_span<T, 2>& block) {
  return {block.data(), block.size()};
}

void require_square(const char* call, const block_distribution& lies, const site& where) {
  if (lies.rows() == lies.columns()) return;
  throw error(call, "rows and columns have different block_sizes" + describe_place(where),
              "use the same block_sizes for both: a diagonal requires square diagonal blocks");
}

void require_blocks(const char* call, const block_distribution& a, const block_distribution& b,
                    const site& where) {
  if (a.rows() == b.rows() && a.columns() == b.columns()) return;
  throw error(call, "the matrices have different blocks" + describe_place(where),
              "use the same block_sizes of rows, and of columns, for both");
}

template <class T>
void require_alike(const char* call, const block_matrix<T>& a, const block_matrix<T>& b,
                   const site& where) {
  require_blocks(call, a.distribution(), b.distribution(), where);
  global::check_same_team(call, "the second matrix", b.members(), "the first matrix", a.members(),
                          where);
  if (a.symmetry() != b.symmetry() && b.symmetry() != block_symmetry::none) {
    throw error(call, "the matrices have different symmetries" + describe_place(where),
                "the second matrix must have no symmetry, or that of the first");
  }
}

template <class T>
void require_kept(const char* call, const block_matrix<T>& a, const T& factor, const site& where) {
  if (a.symmetry() != block_symmetry::hermitian || std::imag(factor) == 0) return;
  throw error(call,
              "a factor that is not real breaks the hermitian symmetry" + describe_place(where),
              "construct a matrix without a symmetry, and add() to it");
}
template <class T>
void require_on_diagonal(const char* call, const block_matrix<T>& a, const T& element,
                         const site& where) {
  if (block_matrices::mirrored(element, a.symmetry()) == element ||
      a.symmetry() == block_symmetry::none || element != element) {
    return;
  }
  throw error(
      call,
      "this element on the diagonal violates the symmetry of the matrix" + describe_place(where),
      "diagonal elements must be 0 if the matrix is antisymmetric, and real if it is hermitian");
}

template <class T>
std::vector<T> diagonal_block(const std::vector<T>& diagonal) {
  const std::size_t size = diagonal.size();
  std::vector<T> block(size * size);
  for (std::size_t e = 0; e < size; ++e) block[e * size + e] = diagonal[e];
  return block;
}

template <class T>
double times_of(const block_matrix<T>& a, std::size_t row, std::size_t column) {
  return a.symmetry() != block_symmetry::none && row != column ? 2 : 1;
}

constexpr double number_of(std::uint64_t random) noexcept {
  return static_cast<double>(random >> 11) * 0x1p-52 - 1;
}
template <class T>
T element_of(std::uint64_t block, std::size_t number) {
  if constexpr (base::is_complex<T>) {
    using part = typename T::value_type;
    return {static_cast<part>(number_of(split_mix(block + 2 * number))),
            static_cast<part>(number_of(split_mix(block + 2 * number + 1)))};
  } else {
    return static_cast<T>(number_of(split_mix(block + number)));
  }
}

/// Averages with the mirrored block.
template <class T>
void give_symmetry(std::vector<T>& values, std::size_t size, block_symmetry symmetry) {
  if (symmetry == block_symmetry::none) return;
  for (std::size_t x = 0; x < size; ++x) {
    for (std::size_t y = 0; y <= x; ++y) {
      const T half =
          (values[y * size + x] + block_matrices::mirrored(values[x * size + y], symmetry)) / T{2};
      values[y * size + x] = half;
      values[x * size + y] = block_matrices::mirrored(half, symmetry);
    }
  }
}

}  // namespace

template <class T>
block_matrix<T> copy(const block_matrix<T>& a, const site& where) {
  global::require_same_operands(a.members(), "copy", where, a.store());
  block_matrix<T> made(a.members(), a.distribution(), a.symmetry(), where);
  const block_matrices::block_store& from = a.store();
  global::succeed_together(a.members(), "copy", where, [&] {
    global::segment_block data(from.elements() * sizeof(T));
    std::copy_n(from.data(), data.size(), data.data());
    made.store().become(from.index(), std::move(data), from.elements());
  });
  return made;
}

template <class T>
block_matrix<T> redistribute(const block_matrix<T>& a, const block_distribution& lies,
                             const site& where) {
  global::require_same_operands(a.members(), "redistribute", where, a.store());
  require_blocks("redistribute", a.distribution(), lies, where);
  block_matrix<T> made(a.members(), lies, a.symmetry(), where);
  block_matrices::copy_blocks(a, block_transposition::none, made, where);
  return made;
}

template <class T>
block_matrix<T> transpose(const block_matrix<T>& a, const site& where) {
  return transpose(a, a.distribution().transposed(), where);
}
template <class T>
block_matrix<T> transpose(const block_matrix<T>& a, const block_distribution& lies,
                          const site& where) {
  global::require_same_operands(a.members(), "transpose", where, a.store());
  require_blocks("transpose", a.distribution().transposed(), lies, where);
  block_matrix<T> made(a.members(), lies, block_symmetry::none, where);
  block_matrices::copy_blocks(a, block_transposition::transposed, made, where);
  return made;
}

template <class T>
void scale(std::type_identity_t<T> alpha, block_matrix<T>& a, const site& where) {
  global::require_same_operands(a.members(), "scale", where, a.store());
  require_kept("scale", a, alpha, where);
  a.members().barrier(where);
  a.each_local_block([&](std::size_t, std::size_t, const box_span<T, 2>& block) {
    for (T& each : elements_of(block)) each *= alpha;
  });
  for (block_matrices::block_entry& each : a.store().index()) each.norm *= std::abs(alpha);
  a.members().barrier(where);
}

template <class T>
void add(std::type_identity_t<T> alpha, const block_matrix<T>& a, std::type_identity_t<T> beta,
         block_matrix<T>& b, const site& where) {
  global::require_same_operands(a.members(), "add", where, a.store(), b.store());
  require_alike("add", a, b, where);
  require_kept("add", b, alpha, where);
  require_kept("add", b, beta, where);
  const auto scaling = [&](const T& each) { return alpha * each; };
  const bool doubles = a.symmetry() != block_symmetry::none && b.symmetry() == block_symmetry::none;
  block_matrices::stage_together("add", b, where, [&] {
    std::vector<T> scaled;
    a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
      scaled.resize(block.size());
      std::ranges::transform(elements_of(block), scaled.begin(), scaling);
      b.add_block(row, column, scaled, where);
      if (!doubles || row == column) return;
      block_matrices::mirror(block.data(), block.extent(0), block.extent(1), scaled.data(),
                             a.symmetry());
      std::ranges::transform(scaled, scaled.begin(), scaling);
      b.add_block(column, row, scaled, where);
    });
  });
  if (beta == T{1}) return b.finalise(where);
  const auto share = [&](std::size_t, std::size_t) {
    return beta == T{} ? std::nullopt : std::optional<T>(beta);
  };
  b.finalise(share, where);
}

template <class T>
void filter(block_matrix<T>& a, double threshold, const site& where) {
  global::require_same_operands(a.members(), "filter", where, a.store());
  a.members().barrier(where);
  a.store().leave_out(
      [&](const block_matrices::block_entry& each) { return each.norm < threshold; });
  a.members().barrier(where);
}

template <class T>
std::size_t stored_blocks(const block_matrix<T>& a, const site& where) {
  global::require_same_operands(a.members(), "stored_blocks", where, a.store());
  return a.members().allreduce(a.local_blocks(), op::sum, where);
}

template <class T>
double occupancy(const block_matrix<T>& a, const site& where) {
  double here = 0;
  a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    here += times_of(a, row, column) * static_cast<double>(block.size());
  });
  const double some = a.members().allreduce(here, op::sum, where);
  const double all =
      static_cast<double>(a.rows().elements()) * static_cast<double>(a.columns().elements());
  return all == 0 ? 0 : some / all;
}

template <class T>
T trace(const block_matrix<T>& a, const site& where) {
  global::require_same_operands(a.members(), "trace", where, a.store());
  require_square("trace", a.distribution(), where);
  reproducible_sum<T> here;
  a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    if (row != column) return;
    for (std::size_t i = 0; i < block.extent(0); ++i) here += block(i, i);
  });
  return a.members().allreduce(here, op::sum, where).value();
}

template <class T>
T dot(const block_matrix<T>& a, const block_matrix<T>& b, const site& where) {
  require_alike("dot", a, b, where);
  if (!(a.distribution() == b.distribution()) || a.symmetry() != b.symmetry()) {
    throw error("dot",
                "the matrices have different distributions or symmetries" + describe_place(where),
                "redistribute() one of them");
  }
  reproducible_sum<T> here;
  const auto of_b = b.store().index();
  const T* const data = reinterpret_cast<const T*>(b.store().data());
  std::size_t next = 0;
  a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    while (next < of_b.size() && std::pair<std::size_t, std::size_t>(
                                     of_b[next].row, of_b[next].column) < std::pair(row, column)) {
      ++next;
    }
    if (next == of_b.size() || of_b[next].row != row || of_b[next].column != column) return;
    T sum{};
    for (std::size_t e = 0; e < block.size(); ++e) {
      sum += block.data()[e] * data[of_b[next].offset + e];
    }
    if (times_of(a, row, column) == 1) {
      here += sum;
    } else {
      here += sum + (a.symmetry() == block_symmetry::hermitian ? base::conjugate(sum) : sum);
    }
  });
  return a.members().allreduce(here, op::sum, where).value();
}

template <class T>
double frobenius_norm(const block_matrix<T>& a, const site& where) {
  const auto sum_over = [&](double unit) {
    reproducible_sum<double> here;
    for (const block_matrices::block_entry& each : a.store().index()) {
      here += times_of(a, each.row, each.column) * block_matrices::square_of(each.norm / unit);
    }
    return a.members().allreduce(here, op::sum, where).value();
  };
  const double sum = sum_over(1);
  if (block_matrices::is_true_sum(sum)) return std::sqrt(sum);
  double largest = 0;
  for (const block_matrices::block_entry& each : a.store().index()) {
    largest = std::max(largest, each.norm);
  }
  largest = a.members().allreduce(largest, op::max, where);
  return largest == 0 || std::isinf(largest) ? largest : largest * std::sqrt(sum_over(largest));
}

template <class T>
double largest_row_sum(const block_matrix<T>& a, const site& where) {
  std::vector<double> sums(a.rows().elements());
  const bool has_other_half = a.symmetry() != block_symmetry::none;
  a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    const std::size_t first_row = a.rows().begin_of(row);
    const std::size_t first_column = a.columns().begin_of(column);
    for (std::size_t j = 0; j < block.extent(1); ++j) {
      for (std::size_t i = 0; i < block.extent(0); ++i) {
        const double size = std::abs(block(i, j));
        sums[first_row + i] += size;
        if (has_other_half && row != column) sums[first_column + j] += size;
      }
    }
  });
  a.members().allreduce(std::span<double>(sums), op::sum, where);
  return sums.empty() ? 0 : std::ranges::max(sums);
}

template <class T>
void add_on_diagonal(block_matrix<T>& a, std::type_identity_t<T> alpha, const site& where) {
  require_square("add_on_diagonal", a.distribution(), where);
  require_on_diagonal("add_on_diagonal", a, alpha, where);
  block_matrices::put_together("add_on_diagonal", a, where, [&] {
    for (std::size_t i = 0; i < a.rows().blocks(); ++i) {
      if (a.distribution().owner(i, i) != a.members().rank()) continue;
      a.add_block(i, i, diagonal_block(std::vector<T>(a.rows().size_of(i), alpha)), where);
    }
  });
}

template <class T>
std::vector<T> diagonal(const block_matrix<T>& a, const site& where) {
  require_square("diagonal", a.distribution(), where);
  std::vector<T> values(a.rows().elements());
  a.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    if (row != column) return;
    for (std::size_t i = 0; i < block.extent(0); ++i) {
      values[a.rows().begin_of(row) + i] = block(i, i);
    }
  });
  a.members().allreduce(std::span<T>(values), op::sum, where);
  return values;
}

template <class T>
void set_diagonal(block_matrix<T>& a, std::span<const std::type_identity_t<T>> values,
                  const site& where) {
  require_square("set_diagonal", a.distribution(), where);
  if (values.size() != a.rows().elements()) {
    throw error("set_diagonal",
                std::to_string(values.size()) + " values are given for a diagonal of " +
                    std::to_string(a.rows().elements()) + describe_place(where),
                "pass one value per row");
  }
  for (const T& each : values) require_on_diagonal("set_diagonal", a, each, where);
  a.finalise(where);
  std::vector<bool> is_there(a.rows().blocks());
  a.each_local_block([&](std::size_t row, std::size_t column, const box_span<T, 2>& block) {
    if (row != column) return;
    is_there[row] = true;
    for (std::size_t e = 0; e < block.extent(0); ++e) {
      block(e, e) = values[a.rows().begin_of(row) + e];
    }
  });
  a.note_changes();
  block_matrices::put_together("set_diagonal", a, where, [&] {
    for (std::size_t i = 0; i < a.rows().blocks(); ++i) {
      if (is_there[i] || a.distribution().owner(i, i) != a.members().rank()) continue;
      const auto mine = values.subspan(a.rows().begin_of(i), a.rows().size_of(i));
      if (std::ranges::all_of(mine, [](const T& each) { return each == T{}; })) continue;
      a.put_block(i, i, diagonal_block<T>({mine.begin(), mine.end()}), where);
    }
  });
}

template <class T>
void fill_at_random(block_matrix<T>& a, double occupancy, std::uint64_t seed, const site& where) {
  a.clear(where);
  block_matrices::put_together("fill_at_random", a, where, [&] {
    std::vector<T> values;
    block_matrices::each_own_place(a, [&](std::uint32_t i, std::uint32_t j) {
      const std::uint64_t block = split_mix(split_mix(seed) + (std::uint64_t{i} << 32) + j);
      if (static_cast<double>(block >> 11) * 0x1p-53 >= occupancy) return;
      values.resize(std::size_t{a.rows().size_of(i)} * a.columns().size_of(j));
      for (std::size_t e = 0; e < values.size(); ++e) values[e] = element_of<T>(block, e);
      if (i == j) give_symmetry(values, a.rows().size_of(i), a.symmetry());
      a.put_block(i, j, values, where);
    });
  });
}

#define ACRE_INSTANTIATE(T)                                                                      \
  template block_matrix<T> copy(const block_matrix<T>&, const site&);                            \
  template block_matrix<T> redistribute(const block_matrix<T>&, const block_distribution&,       \
                                        const site&);                                            \
  template block_matrix<T> transpose(const block_matrix<T>&, const site&);                       \
  template block_matrix<T> transpose(const block_matrix<T>&, const block_distribution&,          \
                                     const site&);                                               \
  template void scale<T>(std::type_identity_t<T>, block_matrix<T>&, const site&);                \
  template void add<T>(std::type_identity_t<T>, const block_matrix<T>&, std::type_identity_t<T>, \
                       block_matrix<T>&, const site&);                                           \
  template void filter(block_matrix<T>&, double, const site&);                                   \
  template std::size_t stored_blocks(const block_matrix<T>&, const site&);                       \
  template double occupancy(const block_matrix<T>&, const site&);                                \
  template T trace(const block_matrix<T>&, const site&);                                         \
  template T dot(const block_matrix<T>&, const block_matrix<T>&, const site&);                   \
  template double frobenius_norm(const block_matrix<T>&, const site&);                           \
  template double largest_row_sum(const block_matrix<T>&, const site&);                          \
  template void add_on_diagonal<T>(block_matrix<T>&, std::type_identity_t<T>, const site&);      \
  template std::vector<T> diagonal(const block_matrix<T>&, const site&);                         \
  template void set_diagonal<T>(block_matrix<T>&, std::span<const std::type_identity_t<T>>,      \
                                const site&);                                                    \
  template void fill_at_random(block_matrix<T>&, double, std::uint64_t, const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre
