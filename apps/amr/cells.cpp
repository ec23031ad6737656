// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/cells.hpp>

namespace acre::amr {
namespace {

constexpr std::size_t half = cells_along / 2;

using cell = std::array<std::size_t, axes>;

std::size_t element(const cell& at) noexcept {
  return at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2];
}

double slope(std::span<const double> cells, const cell& at, unsigned axis) noexcept {
  cell inside = at;
  inside[axis] = std::clamp<std::size_t>(at[axis], 1, cells_along - 2);
  const std::size_t middle = element(inside);
  const std::size_t stride = strides[axis];
  return limited(cells[middle] - cells[middle - stride], cells[middle + stride] - cells[middle]);
}

struct sloped {
  double middle;
  std::array<double, axes> slopes;

  sloped(std::span<const double> cells, const cell& at) noexcept
      : middle(cells[element(at)]),
        slopes{slope(cells, at, 0), slope(cells, at, 1), slope(cells, at, 2)} {}

  [[nodiscard]] double part(const cell& high) const noexcept {
    double moved = 0;
    for (unsigned axis = 0; axis < axes; ++axis) {
      moved += high[axis] != 0 ? slopes[axis] : -slopes[axis];
    }
    return middle + 0.25 * moved;
  }
};

double mean(std::span<const double> cells, std::size_t first) noexcept {
  double sum = 0;
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t z = 0; z < 2; ++z) {
        sum += cells[first + x * strides[0] + y * strides[1] + z * strides[2]];
      }
    }
  }
  return sum / 8;
}

}  // namespace

values border(std::span<const double> cells, face f) {
  values layers;
  layers.reserve(ghosts_of_face);
  for (std::size_t depth = 0; depth < ghost_layers; ++depth) {
    for (std::size_t i = 0; i < cells_along; ++i) {
      for (std::size_t j = 0; j < cells_along; ++j) {
        layers.push_back(cells[cell_behind(f, depth, i, j)]);
      }
    }
  }
  return layers;
}

values restricted_border(std::span<const double> cells, face f) {
  values layers;
  layers.reserve(ghost_layers * half * half);
  for (std::size_t depth = 0; depth < ghost_layers; ++depth) {
    // At a high face, the deeper of the two layers.
    const std::size_t lowest = is_high(f) ? 2 * depth + 1 : 2 * depth;
    for (std::size_t i = 0; i < half; ++i) {
      for (std::size_t j = 0; j < half; ++j) {
        layers.push_back(mean(cells, cell_behind(f, lowest, 2 * i, 2 * j)));
      }
    }
  }
  return layers;
}

values prolonged_border(std::span<const double> cells, face f, unsigned part) {
  const auto [first, second] = axes_along(f);
  values found(ghosts_of_face);
  for (std::size_t i = 0; i < half; ++i) {
    for (std::size_t j = 0; j < half; ++j) {
      cell at{};
      at[axis_of(f)] = is_high(f) ? cells_along - 1 : 0;
      at[first] = (part / 2) * half + i;
      at[second] = (part % 2) * half + j;
      const sloped whole(cells, at);
      for (unsigned each = 0; each < children_of_node; ++each) {
        const cell high{each & 1U, (each >> 1U) & 1U, each >> 2U};
        const std::size_t layer = touches(each, f) ? 0 : 1;
        const std::size_t row = layer * cells_along + 2 * i + high[first];
        found[row * cells_along + 2 * j + high[second]] = whole.part(high);
      }
    }
  }
  return found;
}

values restricted(const plane& whole) {
  values means;
  means.reserve(half * half);
  for (std::size_t i = 0; i < half; ++i) {
    for (std::size_t j = 0; j < half; ++j) {
      const double* const at = &whole[2 * i * cells_along + 2 * j];
      means.push_back((at[0] + at[1] + at[cells_along] + at[cells_along + 1]) / 4);
    }
  }
  return means;
}

values restricted(std::span<const double> cells) {
  values means;
  means.reserve(half * half * half);
  for (std::size_t x = 0; x < half; ++x) {
    for (std::size_t y = 0; y < half; ++y) {
      for (std::size_t z = 0; z < half; ++z) {
        means.push_back(mean(cells, element({2 * x, 2 * y, 2 * z})));
      }
    }
  }
  return means;
}

values prolonged(std::span<const double> cells, unsigned child) {
  values found(cells_of_leaf);
  const auto from = [&](unsigned axis) { return lies_high(child, axis) ? half : 0; };
  for (std::size_t x = 0; x < half; ++x) {
    for (std::size_t y = 0; y < half; ++y) {
      for (std::size_t z = 0; z < half; ++z) {
        const sloped whole(cells, {from(0) + x, from(1) + y, from(2) + z});
        for (unsigned each = 0; each < children_of_node; ++each) {
          const cell high{each & 1U, (each >> 1U) & 1U, each >> 2U};
          found[element({2 * x + high[0], 2 * y + high[1], 2 * z + high[2]})] = whole.part(high);
        }
      }
    }
  }
  return found;
}

void insert_part(std::span<const double> quarter, unsigned part, std::span<double> whole) {
  const std::size_t corner = (part / 2) * half * cells_along + (part % 2) * half;
  for (std::size_t row = 0; row < quarter.size() / half; ++row) {
    const std::size_t to = (row / half) * cells_of_plane + corner + (row % half) * cells_along;
    std::ranges::copy(quarter.subspan(row * half, half), whole.begin() + static_cast<long>(to));
  }
}

void insert_child(std::span<const double> eighth, unsigned child, std::span<double> cells) {
  const auto from = [&](unsigned axis) { return lies_high(child, axis) ? half : 0; };
  for (std::size_t row = 0; row < half * half; ++row) {
    const std::size_t to = element({from(0) + row / half, from(1) + row % half, from(2)});
    std::ranges::copy(eighth.subspan(row * half, half), cells.begin() + static_cast<long>(to));
  }
}

double largest_jump(std::span<const double> cells) {
  double largest = 0;
  for (const face f : {face::x_low, face::y_low, face::z_low}) {
    for (std::size_t depth = 0; depth + 1 < cells_along; ++depth) {
      for (std::size_t i = 0; i < cells_along; ++i) {
        for (std::size_t j = 0; j < cells_along; ++j) {
          const double jump =
              cells[cell_behind(f, depth + 1, i, j)] - cells[cell_behind(f, depth, i, j)];
          largest = std::max(largest, std::abs(jump));
        }
      }
    }
  }
  return largest;
}

}  // namespace acre::amr
