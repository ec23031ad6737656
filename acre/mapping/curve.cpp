// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/curve.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

namespace acre::mapping {
namespace {

using extents_view = std::span<const std::uint32_t>;
using coordinates = std::vector<std::uint32_t>;

cell_t count_cells(extents_view extents) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  std::uint64_t cells = 1;
  for (const std::uint32_t each : extents) {
    if (each == 0) throw error("mapping::order", "a grid has a dimension of extent 0");
    cells *= each;
    if (cells > most) throw error("mapping::order", "a grid has more than 2^31 cells");
  }
  return static_cast<cell_t>(cells);
}

void place_of(cell_t cell, extents_view extents, std::span<std::uint32_t> place) {
  for (std::size_t d = extents.size(); d-- > 0;) {
    place[d] = cell % extents[d];
    cell /= extents[d];
  }
}

cell_t cell_at(extents_view place, extents_view extents) {
  cell_t cell = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) cell = cell * extents[d] + place[d];
  return cell;
}

/// Undoes the rotations from coarse to fine, then the Gray code (Skilling, section 2). Overwrites
/// `x`.
std::uint64_t hilbert_position(std::span<std::uint32_t> x, unsigned bits) {
  const std::size_t n = x.size();
  for (std::uint32_t q = std::uint32_t{1} << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t lower = q - 1;
    for (std::uint32_t& each : x) {
      if ((each & q) != 0) {
        x[0] ^= lower;
      } else {
        const std::uint32_t swapped = (x[0] ^ each) & lower;
        x[0] ^= swapped;
        each ^= swapped;
      }
    }
  }
  for (std::size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];
  std::uint32_t turned = 0;
  for (std::uint32_t q = std::uint32_t{1} << (bits - 1); q > 1; q >>= 1) {
    if ((x[n - 1] & q) != 0) turned ^= q - 1;
  }
  std::uint64_t position = 0;
  for (unsigned bit = bits; bit-- > 0;) {
    for (const std::uint32_t each : x) position = position << 1 | (((each ^ turned) >> bit) & 1);
  }
  return position;
}

/// Decodes the interleaved bits of `x` as a reflected Gray code.
std::uint64_t gray_position(std::span<std::uint32_t> x, unsigned bits) {
  std::uint64_t position = 0;
  for (unsigned bit = bits; bit-- > 0;) {
    for (const std::uint32_t each : x) position = position << 1 | ((each >> bit) & 1);
  }
  for (unsigned shift = 1; shift < 64; shift *= 2) position ^= position >> shift;
  return position;
}

order along_curve(const char* curve, extents_view extents,
                  std::uint64_t (*position_of)(std::span<std::uint32_t> place, unsigned bits)) {
  order cells = rows(extents);
  const std::uint32_t longest = extents.empty() ? 1 : std::ranges::max(extents);
  const auto bits = static_cast<unsigned>(std::bit_width(longest - 1));
  if (bits == 0) return cells;
  if (bits * extents.size() > 63) {
    throw error("mapping::order",
                std::string("a ") + curve + " through " + std::to_string(extents.size()) +
                    " dimensions of " + std::to_string(longest) + " cells is too long",
                "remove its shortest dimensions");
  }
  std::vector<std::uint64_t> position(cells.size());
  coordinates place(extents.size());
  for (const cell_t cell : cells) {
    place_of(cell, extents, place);
    position[cell] = position_of(place, bits);
  }
  std::ranges::sort(cells, {}, [&](cell_t cell) { return position[cell]; });
  return cells;
}

}  // namespace

order rows(extents_view extents) {
  order cells(count_cells(extents));
  std::iota(cells.begin(), cells.end(), cell_t{0});
  return cells;
}

order snake(extents_view extents) {
  order cells(count_cells(extents));
  coordinates place(extents.size());
  for (cell_t i = 0; i < cells.size(); ++i) {
    place_of(i, extents, place);
    // A dimension runs backwards if `before`, the row number in the dimensions above it, is odd.
    cell_t before = 0;
    cell_t cell = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const std::uint32_t turned = before % 2 == 0 ? place[d] : extents[d] - 1 - place[d];
      cell = cell * extents[d] + turned;
      before = before * extents[d] + place[d];
    }
    cells[i] = cell;
  }
  return cells;
}

order hilbert(extents_view extents) {
  return along_curve("Hilbert curve", extents, hilbert_position);
}

order gray_code(extents_view extents) {
  return along_curve("curve of Gray codes", extents, gray_position);
}

std::vector<std::uint32_t> block_counts(extents_view extents, extents_view block) {
  if (block.size() != extents.size()) {
    throw error("mapping::blocks", "the numbers of dimensions of a block and its grid differ");
  }
  coordinates counts(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (block[d] == 0) throw error("mapping::blocks", "a block has a dimension of extent 0");
    counts[d] = divide_up(extents[d], block[d]);
  }
  return counts;
}

order blocks(extents_view extents, extents_view block, std::span<const cell_t> among,
             const order_function& inside) {
  const std::size_t n = extents.size();
  const coordinates counts = block_counts(extents, block);
  order cells;
  cells.reserve(count_cells(extents));
  coordinates first(n);
  coordinates shape(n);
  coordinates place(n);
  coordinates last_shape;
  order in_block;
  for (const cell_t each : among) {
    place_of(each, counts, first);
    for (std::size_t d = 0; d < n; ++d) {
      first[d] *= block[d];
      shape[d] = std::min(block[d], extents[d] - first[d]);
    }
    if (shape != last_shape) in_block = inside(shape);
    last_shape = shape;
    for (const cell_t cell : in_block) {
      place_of(cell, shape, place);
      for (std::size_t d = 0; d < n; ++d) place[d] += first[d];
      cells.push_back(cell_at(place, extents));
    }
  }
  return cells;
}

std::vector<std::uint32_t> turned(extents_view extents, extents_view which) {
  coordinates result;
  for (const std::uint32_t each : which) result.push_back(extents[each]);
  return result;
}

order along_axes(order cells, extents_view extents, extents_view which) {
  const coordinates from = turned(extents, which);
  coordinates place(extents.size());
  coordinates straight(extents.size());
  for (cell_t& cell : cells) {
    place_of(cell, from, place);
    for (std::size_t i = 0; i < which.size(); ++i) straight[which[i]] = place[i];
    cell = cell_at(straight, extents);
  }
  return cells;
}

void for_each_turn(std::size_t axes,
                   const std::function<void(std::span<const std::uint32_t> which)>& visit) {
  constexpr std::size_t most = 4;
  std::vector<std::uint32_t> which(axes);
  std::iota(which.begin(), which.end(), 0U);
  do visit(which);
  while (axes <= most && std::ranges::next_permutation(which).found);
}

}  // namespace acre::mapping
