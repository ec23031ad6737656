#include <acre/base/error.hpp>
#include <acre/sparse/block_algebra.hpp>
#include <acre/sparse/block_multiply.hpp>
#include <acre/sparse/detail/one_sided_product.hpp>

#include <optional>
#include <string>
#include <utility>

namespace acre {

namespace {

using detail::layer_cell;

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
    throw error("multiply",
                one + " do not fit " + other + ": " + how + describe_place(where),
                "both are cut into the same blocks");
  };
  refuse("the columns of the first factor", a_columns, "the rows of the second", b_rows);
  refuse("the rows of the product", c_rows, "those of the first factor", a_rows);
  refuse("the columns of the product", c_columns, "those of the second factor", b_columns);
}

template <class T>
void require_team(const block_matrix<T>& c, const block_matrix<T>& other, const site& where) {
  if (c.members() == other.members()) return;
  throw error("multiply", "a factor is of another team than the product" + describe_place(where),
              "make all matrices with one team, or redistribute() them");
}

/// A factor as it is multiplied: itself, or a copy of it with all its blocks, turned as it is meant.
template <class T>
class prepared_factor {
 public:
  prepared_factor(const block_factor<T>& factor, const block_distribution& lies,
                  const site& where) {
    const block_matrix<T>& matrix = factor.matrix();
    if (factor.how() == block_transposition::none && matrix.symmetry() == block_symmetry::none) {
      matrix_ = &matrix;
      return;
    }
    copy_.emplace(matrix.members(), lies, block_symmetry::none, where);
    detail::copy_blocks(matrix, factor.how(), *copy_, where);
    matrix_ = &*copy_;
  }
  prepared_factor(const prepared_factor&) = delete;

  [[nodiscard]] const block_matrix<T>& operator*() const noexcept { return *matrix_; }

 private:
  std::optional<block_matrix<T>> copy_;
  const block_matrix<T>* matrix_ = nullptr;
};

}  // namespace

template <block_element T>
multiply_report multiply(std::type_identity_t<T> alpha,
                         const std::type_identity_t<block_factor<T>>& a,
                         const std::type_identity_t<block_factor<T>>& b,
                         std::type_identity_t<T> beta, block_matrix<T>& c,
                         const multiply_options& options, const site& where) {
  require_team(c, a.matrix(), where);
  require_team(c, b.matrix(), where);
  require_product(a.rows(), a.columns(), b.rows(), b.columns(), c.rows(), c.columns(), where);

  // Copies lie so that each member has the rows and columns of its own blocks near.
  const block_distribution& lies = c.distribution();
  const auto inner = [&](rank_t parts) { return block_owners::in_turn(a.columns().blocks(), parts); };
  const prepared_factor<T> left(
      a, {a.rows(), a.columns(), lies.grid(), lies.row_owners(), inner(lies.grid().columns)}, where);
  const prepared_factor<T> right(
      b, {b.rows(), b.columns(), lies.grid(), inner(lies.grid().rows), lies.column_owners()}, where);

  multiply_report report;
  report.algorithm = multiply_algorithm::one_sided;
  const layer_cell cell = detail::cell_of(lies.grid(), options.layers == 0 ? 1 : options.layers);
  report.layers = cell.layers();
  c.members().barrier(where);
  detail::one_sided_product<T>({alpha, *left, *right, beta, options, where}, c, cell, report);
  c.members().barrier(where);
  return report;
}

template multiply_report multiply<float>(float, const block_factor<float>&,
                                         const block_factor<float>&, float, block_matrix<float>&,
                                         const multiply_options&, const site&);
template multiply_report multiply<double>(double, const block_factor<double>&,
                                          const block_factor<double>&, double,
                                          block_matrix<double>&, const multiply_options&,
                                          const site&);
template multiply_report multiply<std::complex<float>>(
    std::complex<float>, const block_factor<std::complex<float>>&,
    const block_factor<std::complex<float>>&, std::complex<float>,
    block_matrix<std::complex<float>>&, const multiply_options&, const site&);
template multiply_report multiply<std::complex<double>>(
    std::complex<double>, const block_factor<std::complex<double>>&,
    const block_factor<std::complex<double>>&, std::complex<double>,
    block_matrix<std::complex<double>>&, const multiply_options&, const site&);

}  // namespace acre
