// SPDX-License-Identifier: BSD-3-Clause
// A matrix of dense blocks, most of which may be absent, spread over the ranks of a team.
//
//     const auto sizes = acre::block_sizes::equal(108, 23);         // 108 blocks of 23
//     acre::block_matrix<double> a(acre::world(), {sizes, sizes, acre::size()});
//     a.put_block(3, 4, values);            // by any rank: 23 x 23 values, by columns
//     a.finalise();                         // all ranks: each owner has its blocks
//     a.each_local_block([](auto row, auto column, acre::box_span<double, 2> block) { … });
//     acre::multiply(1.0, a, b, 0.0, c);    // block_multiply.hpp
//
// Rows and columns are cut into blocks of any sizes (block_sizes.hpp), and dealt to a grid of
// members (block_distribution.hpp). A block is there as a whole, by columns, or not at all. Each
// member holds an index of its blocks by rows, with their norms, in memory that others read
// one-sided.
//
// Matrices that equal their transposed, or its negative, store the blocks of the upper triangle;
// all calls show both halves, but for each_local_block(), which shows what is stored.
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
/// Compilers print this name.
template <class T>
inline constexpr bool is_float_double_or_their_complex =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;
}  // namespace block_matrices

/// What blocks are made of. Functions of matrices are templates of any T, and block_matrix<T> in
/// their types refuses others: a constraint would be part of their names in a library, for some
/// compilers and not for those that link with it.
template <class T>
concept block_element = block_matrices::is_float_double_or_their_complex<T>;

/// Moves: local. Made, finalised and destroyed by all members together; B each.
template <block_element T>
class block_matrix {
 public:
  using value_type = T;

  /// No matrix: good for being assigned to.
  block_matrix() noexcept;
  /// No blocks yet. Collective. Cost: 2 B and 1 allgather.
  /// @throws acre::error on all members when the team has not as many members as the grid, they say
  ///         different things, a block has 2^32 elements, or a matrix with a symmetry has other
  ///         columns than rows
  block_matrix(const team& members, const block_distribution& lies,
               block_symmetry symmetry = block_symmetry::none, const site& where = site::current());

  block_matrix(block_matrix&&) noexcept;
  block_matrix& operator=(block_matrix&&) noexcept;
  ~block_matrix();

  // --- what it is ---------------------------------------------------------------------

  [[nodiscard]] const team& members() const;
  [[nodiscard]] const block_distribution& distribution() const;
  [[nodiscard]] const block_sizes& rows() const { return distribution().rows(); }
  [[nodiscard]] const block_sizes& columns() const { return distribution().columns(); }
  [[nodiscard]] block_symmetry symmetry() const;
  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }

  // --- building -----------------------------------------------------------------------

  /// Block (row, column), by columns, takes the place of what is there, once finalise() is called;
  /// of several calls, the last of the highest member's. Any member; the values are kept here until
  /// then, and nothing that reads or changes the matrix knows of them. A block on the diagonal of a
  /// matrix with a symmetry has that symmetry itself: nobody looks. l.
  /// @throws acre::error when there is no such block, or it has another number of elements
  void put_block(std::size_t row, std::size_t column, std::span<const T> values,
                 const site& where = site::current());
  /// The same, added to what is there: by member, of each in the order of its calls.
  void add_block(std::size_t row, std::size_t column, std::span<const T> values,
                 const site& where = site::current());
  /// Gives all blocks to their owners. Collective. Cost: B, 2 allreduces and 1 alltoallv; memory at
  /// each member twice what it gives, what it is given, and its blocks twice.
  /// @throws acre::error on all members when one has no room for its blocks: they are as they were,
  /// and what has been put and added is lost
  void finalise(const site& where = site::current());
  /// Whether blocks of this member wait for finalise(). l.
  [[nodiscard]] bool has_staged() const;
  /// They wait no more, and come to nothing. l.
  void drop_staged();
  /// No blocks any more. Collective. Cost: B
  void clear(const site& where = site::current());

  // --- reading ------------------------------------------------------------------------

  /// A block, by columns; nothing when it is absent. Any member, between collectives. Cost: l where
  /// it is on this node, logarithmic in its owner's blocks; else 3 R: for a heading, for the whole
  /// index of its owner, and for the block.
  /// @throws acre::error when there is no such row or column of blocks
  [[nodiscard]] std::optional<std::vector<T>> get_block(std::size_t row, std::size_t column,
                                                        const site& where = site::current()) const;

  /// f(row, column, elements) of each block that is stored here, by rows.
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
  /// How many blocks are stored here.
  [[nodiscard]] std::size_t local_blocks() const { return index().size(); }
  /// Whoever has written to elements by each_local_block() says so before others read the matrix,
  /// as norms of blocks are kept. l for each element.
  void note_changes();

  // --- for algorithms -----------------------------------------------------------------

  /// The blocks of this member, and where all others' are.
  [[nodiscard]] block_matrices::block_store& store();
  [[nodiscard]] const block_matrices::block_store& store() const;
  /// By which factor a block that is there counts, by its row and column; nothing: it is dropped.
  using share_of_old = std::function<std::optional<T>(std::size_t, std::size_t)>;
  /// finalise(), where what is there counts so before others are put and added; as it is where the
  /// function is empty.
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
