// SPDX-License-Identifier: BSD-3-Clause
// R-MAT graphs with an exact number of distinct edges, without loops: the quadrants of the
// adjacency matrix have shares of 0.57, 0.19, 0.19 and 0.05, and so on within each; vertices are
// renumbered.
//
// A block's edges are distributed to its quadrants by binomial numbers of the block's key, so any
// range of edges is generated alone. Edges in excess of a quadrant's places go to the next. Without
// directions the matrix is the part below the diagonal.
//
// Sources: Chakrabarti et al., 2004; Funke et al., 2018 (division by keys).
#pragma once

#include <acre/base/split_mix.hpp>

#include <apps/graph/edge.hpp>
#include <apps/graph/vertex_shuffle.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::graph {

class rmat {
 public:
  /// @throws acre::error if there are fewer pairs than `edges`
  rmat(unsigned scale, std::uint64_t edges, std::uint64_t seed, direction entries);

  [[nodiscard]] std::uint64_t vertices() const noexcept { return std::uint64_t{1} << scale_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  void walk(share wanted, const edge_sink& f) const;

 private:
  enum class shape : unsigned char { below_diagonal, off_diagonal, full };
  struct block {
    shape form;
    unsigned scale;
    std::uint64_t row;
    std::uint64_t column;
    std::uint64_t first;  ///< number of its first edge
    std::uint64_t edges;
    std::uint64_t key;
  };
  struct quadrants {
    std::array<block, 4> blocks;
    std::array<double, 4> shares;
    std::size_t count;
  };

  [[nodiscard]] static std::uint64_t places(shape form, unsigned scale) noexcept;
  [[nodiscard]] static quadrants quadrants_of(const block& whole);
  static void distribute(const block& whole, quadrants& parts);
  void walk(const block& whole, share wanted, const edge_sink& f) const;

  unsigned scale_;
  std::uint64_t edges_;
  std::uint64_t seed_;
  shape form_;
  vertex_shuffle shuffled_;
};

}  // namespace acre::graph
