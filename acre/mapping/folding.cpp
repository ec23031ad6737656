// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/folding.hpp>

#include <algorithm>
#include <numeric>

namespace acre::mapping {
namespace {

class enumeration {
 public:
  enumeration(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to)
      : rows_(from.begin(), from.end()),
        columns_(to.begin(), to.end()),
        factors_(from.size(), std::vector<std::uint32_t>(to.size(), 1)) {}

  std::vector<folding> all() {
    fill(0);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most_found = 4096;
  static constexpr std::size_t most_steps = 200'000;

  void fill(std::size_t at) {
    if (found_.size() == most_found || ++steps_ > most_steps) return;
    const std::size_t i = at / columns_.size();
    const std::size_t j = at % columns_.size();
    if (i == rows_.size()) {
      if (std::ranges::all_of(columns_, [](std::uint32_t left) { return left == 1; })) {
        found_.push_back(factors_);
      }
      return;
    }
    const bool last_of_row = j + 1 == columns_.size();
    const std::uint32_t shared = std::gcd(rows_[i], columns_[j]);
    for (std::uint32_t factor = shared; factor >= 1; --factor) {
      if (shared % factor != 0 || (last_of_row && factor != rows_[i])) continue;
      factors_[i][j] = factor;
      rows_[i] /= factor;
      columns_[j] /= factor;
      fill(at + 1);
      rows_[i] *= factor;
      columns_[j] *= factor;
    }
  }

  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> columns_;
  folding factors_;
  std::vector<folding> found_;
  std::size_t steps_ = 0;
};

/// Digits, lowest first; each runs backwards if the number above it is odd.
void reflected_digits(std::uint32_t value, std::span<const std::uint32_t> radices,
                      std::span<std::uint32_t> digits) {
  for (std::size_t i = 0; i < radices.size(); ++i) {
    const std::uint32_t above = value / radices[i];
    const std::uint32_t digit = value % radices[i];
    digits[i] = above % 2 == 0 ? digit : radices[i] - 1 - digit;
    value = above;
  }
}

std::uint32_t from_reflected_digits(std::span<const std::uint32_t> radices,
                                    std::span<const std::uint32_t> digits) {
  std::uint32_t value = 0;
  for (std::size_t i = radices.size(); i-- > 0;) {
    const std::uint32_t digit = value % 2 == 0 ? digits[i] : radices[i] - 1 - digits[i];
    value = value * radices[i] + digit;
  }
  return value;
}

}  // namespace

std::vector<folding> foldings(std::span<const std::uint32_t> from,
                              std::span<const std::uint32_t> to, std::size_t most) {
  const auto cells = [](std::span<const std::uint32_t> grid) {
    return std::accumulate(grid.begin(), grid.end(), std::uint64_t{1}, std::multiplies<>());
  };
  if (from.empty() || to.empty() || cells(from) != cells(to)) return {};
  std::vector<folding> found = enumeration(from, to).all();
  const auto shared = [](const folding& factors) {
    std::size_t count = 0;
    for (const auto& row : factors) {
      for (const std::uint32_t factor : row) count += factor != 1 ? 1 : 0;
    }
    return count;
  };
  std::ranges::sort(found, [&](const folding& a, const folding& b) {
    return shared(a) != shared(b) ? shared(a) < shared(b) : b < a;
  });
  if (found.size() > most) found.resize(most);
  return found;
}

order folded(const folding& factors) {
  const std::size_t n = factors.size();
  const std::size_t m = factors.front().size();
  folding columns(m, std::vector<std::uint32_t>(n));
  std::uint32_t cells = 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) cells *= columns[j][i] = factors[i][j];
  }
  const auto extent = [](std::span<const std::uint32_t> row) {
    return std::accumulate(row.begin(), row.end(), 1U, std::multiplies<>());
  };
  order first_at(cells);
  folding digits = columns;
  std::vector<std::uint32_t> row(m);
  for (cell_t to = 0; to < cells; ++to) {
    std::uint32_t left = to;
    for (std::size_t j = m; j-- > 0;) {
      const std::uint32_t length = extent(columns[j]);
      reflected_digits(left % length, columns[j], digits[j]);
      left /= length;
    }
    cell_t from = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) row[j] = digits[j][i];
      from = from * extent(factors[i]) + from_reflected_digits(factors[i], row);
    }
    first_at[to] = from;
  }
  return first_at;
}

}  // namespace acre::mapping
