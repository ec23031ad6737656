#include <acre/sparse/detail/merged_product.hpp>

#include <cmath>
#include <numeric>
#include <utility>

namespace acre::detail {

namespace {

/// A block is merged with those before it where their sum comes nearer to what is wanted.
block_sizes merged_sizes(const block_sizes& sizes, std::span<const std::uint32_t> chosen,
                         std::uint32_t wanted) {
  std::vector<std::uint32_t> merged;
  for (const std::uint32_t block : chosen) {
    const std::uint32_t size = sizes.size_of(block);
    const std::uint32_t last = merged.empty() ? wanted : merged.back();
    const bool comes_nearer =
        last < wanted && (last + size <= wanted || last + size - wanted < wanted - last);
    if (comes_nearer) {
      merged.back() += size;
    } else {
      merged.push_back(size);
    }
  }
  return block_sizes(std::move(merged));
}

}  // namespace

merged_blocks::merged_blocks(const block_sizes& sizes, std::span<const std::uint32_t> chosen,
                             std::uint32_t wanted_size)
    : merged_(merged_sizes(sizes, chosen, wanted_size)) {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  begins_.push_back(0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t size = sizes.size_of(chosen[i]);
    if (offset == merged_.size_of(group)) {
      ++group;
      offset = 0;
      begins_.push_back(i);
    }
    groups_.push_back(group);
    offsets_.push_back(offset);
    sizes_.push_back(size);
    offset += size;
  }
  begins_.resize(merged_.blocks() + 1, chosen.size());
}

product_part whole_part(std::size_t rows, std::size_t columns, std::size_t inner) {
  product_part part{.rows = std::vector<std::uint32_t>(rows),
                    .columns = std::vector<std::uint32_t>(columns),
                    .inner = std::vector<std::uint32_t>(inner)};
  for (auto* const each : {&part.rows, &part.columns, &part.inner}) {
    std::iota(each->begin(), each->end(), 0U);
  }
  return part;
}

product_pattern whole_pattern(std::size_t rows, std::size_t columns) {
  product_pattern all;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) all.columns.push_back(j);
    all.starts.push_back(all.columns.size());
  }
  return all;
}

double time_of_blocks(double products, double rows, double columns, double inner) noexcept {
  constexpr double call = 12;         // nanoseconds around a kernel
  constexpr double operations = 120;  // of a kernel in one, on whole vectors of 8
  return products * (call + 2 * std::ceil(rows / 8) * 8 * columns * inner / operations);
}

double time_merged(double rows, double columns, double inner) noexcept {
  constexpr double operations = 120;
  constexpr double copy = 1;  // of an element
  return 2 * rows * columns * inner / operations +
         copy * (rows * inner + inner * columns + 2 * rows * columns);
}

}  // namespace acre::detail
