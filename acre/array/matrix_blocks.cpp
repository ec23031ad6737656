// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix_blocks.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <string>

namespace acre::arrays {

void throw_no_block(std::span<const std::size_t> number, std::span<const std::size_t> blocks,
                    const site& where) {
  throw error("block",
              "the matrix has " + layout::extents_text(blocks) +
                  " blocks, but not the requested block " + layout::extents_text(number) +
                  describe_place(where),
              "blocks are numbered from 0: use m.pattern().block_of(coordinates), or iterate over "
              "acre::blocks(m)");
}

}  // namespace acre::arrays
