// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/transpose.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/private_block.hpp>

#include <algorithm>
#include <string>

namespace acre::algorithm {

void require_transposed(const layout::coordinates<2>& in, const layout::coordinates<2>& out,
                        const site& where) {
  if (in[0] == out[1] && in[1] == out[0]) return;
  const auto text = [](const layout::coordinates<2>& extents) {
    return std::to_string(extents[0]) + " x " + std::to_string(extents[1]);
  };
  throw error("transpose",
              "a matrix of " + text(in) + " elements does not fit a result of " + text(out) +
                  describe_place(where),
              "use a result of " + text({in[1], in[0]}) + " elements");
}

void throw_transposed_onto_itself(const site& where) {
  throw error("transpose",
              "the elements to read overlap the elements to write" + describe_place(where),
              "transpose into another matrix, or into a box of this one without overlap");
}

transposed_block::transposed_block(std::size_t bytes, std::size_t alignment)
    : alignment_(std::align_val_t{std::max(alignment, std::size_t{64})}) {
  auto block = runtime::try_private_block(bytes, static_cast<std::size_t>(alignment_));
  memory_ = block != nullptr ? block.release()
                             : static_cast<std::byte*>(::operator new(bytes, alignment_));
}

transposed_block::~transposed_block() {
  if (memory_ == nullptr || runtime::free_private(memory_)) return;
  ::operator delete(memory_, alignment_);
}

}  // namespace acre::algorithm
