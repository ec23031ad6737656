// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bloom/detail/bloom_shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

namespace acre::container {
namespace {

/// Distribution of the number of set bits.
class occupancy {
 public:
  occupancy(unsigned bits, unsigned draws, unsigned reserved)
      : bits_(bits),
        share_(1.0 / bits),
        chances_(bits + 1, 0),
        all_set_(bits + 1),
        least_(reserved),
        most_(reserved) {
    chances_[reserved] = 1;
    for (unsigned set = 0; set <= bits; ++set) all_set_[set] = std::pow(set * share_, draws);
  }

  void draw() {
    most_ = std::min(most_ + 1, chances_.size() - 1);
    double* chance = chances_.data() + most_;
    const double* const last = chances_.data() + least_;
    for (auto set = static_cast<double>(most_); chance != last; --chance, --set) {
      *chance = (*chance * set + chance[-1] * (bits_ - set + 1)) * share_;
    }
    chances_[least_] *= static_cast<double>(least_) * share_;
    while (least_ < most_ && chances_[least_] < negligible) chances_[least_++] = 0;
    while (least_ < most_ && chances_[most_] < negligible) chances_[most_--] = 0;
  }

  /// Probability that all draws hit set bits.
  [[nodiscard]] double rate() const {
    const double* const chances = chances_.data();
    return std::inner_product(chances + least_, chances + most_ + 1, all_set_.data() + least_, 0.0);
  }

 private:
  static constexpr double negligible = 1e-25;

  double bits_;
  double share_;  ///< exact, as `bits` is a power of two
  std::vector<double> chances_;
  std::vector<double> all_set_;
  std::size_t least_;
  std::size_t most_;
};

constexpr double nearly_one = 0.9995;

/// Largest mean number of items per block that keeps the rate.
double most_items(const std::vector<double>& block_rates, double rate) {
  double fitting = 0;
  double excessive = 1;
  while (bloom_rate(block_rates, excessive) <= rate) excessive *= 2;
  for (int step = 0; step < 50; ++step) {
    const double middle = (fitting + excessive) / 2;
    (bloom_rate(block_rates, middle) <= rate ? fitting : excessive) = middle;
  }
  return fitting;
}

bloom_shape with_draws(unsigned words, unsigned draws, double rate) {
  const unsigned bits = 64 * words;
  const double items = most_items(bloom_block_rates(bits, draws, words == 1 ? 0 : 1), rate);
  return {.words = words,
          .draws = draws,
          .item_bits = items > 0 ? bits / items : std::numeric_limits<double>::max()};
}

/// Finds the draws with least memory, which is unimodal; starts nearby, as each step takes a
/// millisecond.
bloom_shape best_of_width(unsigned words, double rate) {
  const double ideal = -std::log2(rate);
  const double near = std::min(ideal, 4 + 0.6 * ideal);
  bloom_shape best = with_draws(words, std::max(1U, static_cast<unsigned>(near)), rate);
  bool fewer_are_better = false;
  while (best.draws > 1) {
    const bloom_shape fewer = with_draws(words, best.draws - 1, rate);
    if (fewer.item_bits > best.item_bits) break;
    best = fewer;
    fewer_are_better = true;
  }
  while (!fewer_are_better && best.draws < most_bloom_draws) {
    const bloom_shape more = with_draws(words, best.draws + 1, rate);
    if (more.item_bits >= best.item_bits) break;
    best = more;
  }
  return best;
}

}  // namespace

std::vector<double> bloom_block_rates(unsigned bits, unsigned draws, unsigned reserved) {
  occupancy block(bits, draws, reserved);
  std::vector<double> rates{block.rate()};
  while (rates.back() < nearly_one) {
    for (unsigned each = 0; each < draws; ++each) block.draw();
    rates.push_back(block.rate());
  }
  return rates;
}

double bloom_rate(const std::vector<double>& block_rates, double items) {
  if (items <= 0) return block_rates[0];
  const double reach = 10 * std::sqrt(items) + 30;
  const auto begin = static_cast<std::size_t>(std::max(0.0, items - reach));
  const std::size_t end = std::min(block_rates.size(), static_cast<std::size_t>(items + reach));
  if (begin >= end) return 1;
  const auto first = static_cast<double>(begin);
  double chance = std::exp(first * std::log(items) - items - std::lgamma(first + 1));
  double sum = 0;
  double seen = 0;
  for (std::size_t j = begin; j < end; ++j) {
    sum += chance * block_rates[j];
    seen += chance;
    chance *= items / static_cast<double>(j + 1);
  }
  return end == block_rates.size() ? sum + std::max(0.0, 1 - seen) : sum;
}

namespace {

bloom_shape find_bloom_shape(double rate) {
  constexpr double worth_it = 1.25;
  const double aim = 0.95 * rate;
  const bloom_shape line = best_of_width(8, aim);
  for (const unsigned words : {1U, 2U, 4U}) {
    const bloom_shape narrow = best_of_width(words, aim);
    if (narrow.item_bits <= worth_it * line.item_bits) return narrow;
  }
  return line;
}

}  // namespace

bloom_shape choose_bloom_shape(double rate) {
  constexpr std::size_t most_kept = 16;
  thread_local std::map<double, bloom_shape> found;
  if (const auto known = found.find(rate); known != found.end()) return known->second;
  if (found.size() == most_kept) found.clear();
  return found[rate] = find_bloom_shape(rate);
}

}  // namespace acre::container
