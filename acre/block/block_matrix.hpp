// SPDX-License-Identifier: BSD-3-Clause
// Distributed block-sparse matrix with dense, column-major blocks.
//
//     const auto sizes = acre::block_sizes::equal(108, 23);         // 108 blocks of 23
//     acre::block_matrix<double> a(acre::world(), {sizes, sizes, acre::size()});
//     a.put_block(3, 4, values);            // any rank
//     a.finalise();                         // collective
//     a.each_local_block([](auto row, auto column, acre::box_span<double, 2> block) { … });
//
// Each member's blocks, and their sorted index with norms, are in memory that others read. A matrix
// with a symmetry stores the upper triangle only, as each_local_block() and counts show.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_distribution.hpp>
#include <acre/block/block_symmetry.hpp>
#include <acre/block/detail/block_store.hpp>
#include <acre/block/detail/staged_blocks.hpp>
#include <acre/global/team/team.hpp>
#include <acre/view/box_span.hpp>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace acre {

namespace block_matrices {
/// Shown in compile errors.
template <class T>
inline constexpr bool is_float_double_or_their_complex =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;
}  // namespace block_matrices

/// Checks T: constrained functions would have compiler-dependent mangled names.
template <class T>
concept block_element = block_matrices::is_float_double_or_their_complex<T>;

/// Construction, finalise() and destruction are collective; moves are local. Destruction: B.
template <block_element T>
class block_matrix {
 public:
  using value_type = T;

  /// A null matrix, to be assigned.
  block_matrix() noexcept;
  /// Makes an empty matrix. Collective. Cost: B and 2 allgathers.
  /// @throws acre::error on all members when the team does not fit the grid, arguments differ, the
  /// largest block would have 2^32 or more elements, or rows and columns differ with a symmetry
  block_matrix(const team& members, const block_distribution& lies,
               block_symmetry symmetry = block_symmetry::none, const site& where = site::current());

  block_matrix(block_matrix&&) noexcept;
  block_matrix& operator=(block_matrix&&) noexcept;
  ~block_matrix();

  [[nodiscard]] const team& members() const;
  [[nodiscard]] const block_distribution& distribution() const;
  [[nodiscard]] const block_sizes& rows() const { return distribution().rows(); }
  [[nodiscard]] const block_sizes& columns() const { return distribution().columns(); }
  [[nodiscard]] block_symmetry symmetry() const;
  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }

  /// Stages block (row, column), column-major, until finalise(); any member may call. If
  /// several calls stage one block, the last of the highest member replaces the old block. Symmetry
  /// of diagonal blocks is unchecked. Cost: l.
  /// @throws acre::error for a position outside the matrix or wrong size
  void put_block(std::size_t row, std::size_t column, std::span<const T> values,
                 const site& where = site::current());
  /// Stages an addition; finalise() adds by member, then call order.
  void add_block(std::size_t row, std::size_t column, std::span<const T> values,
                 const site& where = site::current());
  /// Applies staged blocks. Collective. Cost: B, 2 allreduces and 1 alltoallv; memory: twice the
  /// blocks sent, those received, and up to thrice the own blocks.
  /// @throws acre::error on all members without memory: the matrix is unchanged, staged blocks lost
  void finalise(const site& where = site::current());
  /// True if this member has staged blocks. Cost: l.
  [[nodiscard]] bool has_staged() const;
  /// Discards the blocks that this member staged. Cost: l.
  void drop_staged();
  /// Removes all blocks, and own staged ones. Collective. Cost: 2 B.
  void clear(const site& where = site::current());

  /// Returns a copy of a block, column-major; no value if absent. Any member, between collective
  /// calls. Cost: on this node l, logarithmic in the owner's blocks; else 3 R: header, whole index,
  /// block. @throws acre::error for a position outside the matrix
  [[nodiscard]] std::optional<std::vector<T>> get_block(std::size_t row, std::size_t column,
                                                        const site& where = site::current()) const;

  /// Calls f(row, column, elements) for local blocks, by rows.
  template <class F>
  void each_local_block(F&& f) {
    for (const block_matrices::block_entry& each : index()) f(each.row, each.column, span_of(each));
  }
  template <class F>
  void each_local_block(F&& f) const {
    for (const block_matrices::block_entry& each : index()) {
      f(each.row, each.column, box_span<const T, 2>(span_of(each)));
    }
  }
  /// Number of blocks stored locally.
  [[nodiscard]] std::size_t local_blocks() const { return index().size(); }
  /// Updates norms after writes through each_local_block(), before others read. Cost: l per
  /// element.
  void note_changes();

  [[nodiscard]] block_matrices::block_store& store();
  [[nodiscard]] const block_matrices::block_store& store() const;
  using share_of_old = std::function<std::optional<T>(std::size_t, std::size_t)>;
  /// finalise() that scales each old block by `counts(row, column)`, or drops it without value;
  /// empty `counts`: keeps all.
  void finalise(const share_of_old& counts, const site& where = site::current());

 private:
  struct state;

  [[nodiscard]] std::span<block_matrices::block_entry> index() const;
  [[nodiscard]] box_span<T, 2> span_of(const block_matrices::block_entry& entry) const;
  void stage(block_matrices::staging how, std::size_t row, std::size_t column,
             std::span<const T> values, const char* call, const site& where);
  [[nodiscard]] state& get() const;

  std::unique_ptr<state> held_;
};

extern template class block_matrix<float>;
extern template class block_matrix<double>;
extern template class block_matrix<std::complex<float>>;
extern template class block_matrix<std::complex<double>>;

}  // namespace acre
