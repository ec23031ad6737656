// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_multiply.hpp>

#include <acre/base/error.hpp>
#include <acre/block/detail/cannon_product.hpp>
#include <acre/block/detail/copy_blocks.hpp>
#include <acre/block/detail/one_sided_product.hpp>
#include <acre/block/detail/product_choice.hpp>
#include <acre/block/detail/product_result.hpp>
#include <acre/block/detail/sliced_product.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace acre {

namespace {

void require_product(const block_sizes& a_rows, const block_sizes& a_columns,
                     const block_sizes& b_rows, const block_sizes& b_columns,
                     const block_sizes& c_rows, const block_sizes& c_columns, const site& where) {
  const auto refuse = [&](const std::string& one, const block_sizes& of_one,
                          const std::string& other, const block_sizes& of_other) {
    if (of_one == of_other) return;
    std::string how = std::to_string(of_one.elements()) + " in " + std::to_string(of_one.blocks()) +
                      " blocks, and " + std::to_string(of_other.elements()) + " in " +
                      std::to_string(of_other.blocks());
    if (of_one.blocks() == of_other.blocks()) {
      std::size_t i = 0;
      while (of_one.size_of(i) == of_other.size_of(i)) ++i;
      how = "block " + std::to_string(i) + " has " + std::to_string(of_one.size_of(i)) + " and " +
            std::to_string(of_other.size_of(i));
    }
    throw error("multiply", one + " do not fit " + other + ": " + how + describe_place(where),
                "use the same block_sizes for both");
  };
  refuse("the columns of the first factor", a_columns, "the rows of the second", b_rows);
  refuse("the rows of the product", c_rows, "the rows of the first factor", a_rows);
  refuse("the columns of the product", c_columns, "the columns of the second factor", b_columns);
}

void require_threads(const multiply_options& options, const site& where) {
  constexpr unsigned most = 1024;
  if (options.threads <= most) return;
  throw error(
      "multiply",
      std::to_string(options.threads) + " threads per rank are too many" + describe_place(where),
      "use at most " + std::to_string(most) + "; check for a negative number");
}

template <class T>
void require_team(const block_matrix<T>& c, const block_matrix<T>& other, const site& where) {
  global::check_same_team("multiply", "a factor", other.members(), "the product", c.members(),
                          where, "construct all matrices with one team, or redistribute() them");
}

/// The factor; a full copy if transposed, symmetric or to be distributed otherwise.
template <class T>
class prepared_factor {
 public:
  prepared_factor(const block_factor<T>& factor, const block_distribution& lies, bool must_lie_so,
                  const site& where) {
    const block_matrix<T>& matrix = factor.matrix();
    const bool is_plain =
        factor.how() == block_transposition::none && matrix.symmetry() == block_symmetry::none;
    if (is_plain && (!must_lie_so || matrix.distribution() == lies)) {
      matrix_ = &matrix;
      return;
    }
    copy_.emplace(matrix.members(), lies, block_symmetry::none, where);
    block_matrices::copy_blocks(matrix, factor.how(), *copy_, where);
    matrix_ = &*copy_;
  }
  prepared_factor(const prepared_factor&) = delete;

  [[nodiscard]] const block_matrix<T>& operator*() const noexcept { return *matrix_; }

 private:
  std::optional<block_matrix<T>> copy_;
  const block_matrix<T>* matrix_ = nullptr;
};

/// Inner blocks of transposed factors are distributed by block_owners::in_turn().
template <class T>
block_distribution left_as_meant(const block_factor<T>& a, const block_distribution& c) {
  if (a.how() == block_transposition::none) return a.matrix().distribution();
  return {a.rows(), a.columns(), c.grid(), c.row_owners(),
          block_owners::in_turn(a.columns(), c.grid().columns)};
}
template <class T>
block_distribution right_as_meant(const block_factor<T>& b, const block_distribution& c) {
  if (b.how() == block_transposition::none) return b.matrix().distribution();
  return {b.rows(), b.columns(), c.grid(), block_owners::in_turn(b.rows(), c.grid().rows),
          c.column_owners()};
}

}  // namespace

template <class T>
multiply_report multiply(std::type_identity_t<T> alpha,
                         const std::type_identity_t<block_factor<T>>& a,
                         const std::type_identity_t<block_factor<T>>& b,
                         std::type_identity_t<T> beta, block_matrix<T>& c,
                         const multiply_options& options, const site& where) {
  global::require_same_operands(c.members(), "multiply", where, c.store(), a.matrix().store(),
                                b.matrix().store());
  require_team(c, a.matrix(), where);
  require_team(c, b.matrix(), where);
  require_product(a.rows(), a.columns(), b.rows(), b.columns(), c.rows(), c.columns(), where);
  global::succeed_together(
      c.members(), "multiply", where,
      [&] {
        require_threads(options, where);
        block_matrices::require_none_waits("multiply", c, where);
      },
      "the product's matrix");
  if (alpha == T{}) {
    block_matrices::scale_result<T>({alpha, a.matrix(), b.matrix(), beta, options, where}, c);
    c.members().barrier(where);
    return {};
  }

  const block_distribution& lies = c.distribution();
  const bool has_shifts = options.algorithm == multiply_algorithm::cannon;
  block_distribution of_left = left_as_meant(a, lies);
  block_distribution of_right = right_as_meant(b, lies);
  if (has_shifts) {
    block_matrices::cannon_distributions fitting =
        block_matrices::for_cannon(of_left, of_right, lies);
    of_left = std::move(fitting.left);
    of_right = std::move(fitting.right);
  }
  const prepared_factor<T> left(a, of_left, has_shifts, where);
  const prepared_factor<T> right(b, of_right, has_shifts, where);
  const block_matrices::product_call<T> call{alpha, *left, *right, beta, options, where};

  const block_matrices::product_choice chosen = block_matrices::choose(call, c);
  multiply_report report{.algorithm = chosen.algorithm};
  if (chosen.algorithm == multiply_algorithm::cannon) {
    block_matrices::cannon_product(call, c, report);
  } else if (chosen.algorithm == multiply_algorithm::slicing) {
    block_matrices::sliced_product(call, c, chosen.indices, report);
  } else {
    report.layers = chosen.cell.layers();
    block_matrices::one_sided_product(call, c, chosen.cell, chosen.indices, report);
  }
  c.members().barrier(where);
  return report;
}

#define ACRE_INSTANTIATE(T)                                                                  \
  template multiply_report multiply<T>(T, const block_factor<T>&, const block_factor<T>&, T, \
                                       block_matrix<T>&, const multiply_options&, const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre
