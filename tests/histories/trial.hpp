// SPDX-License-Identifier: BSD-3-Clause
// One round of a randomised test.
#pragma once

#include "linearizability.hpp"
#include "models.hpp"
#include <acre/acre.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace histories {

/// Equal seed on all ranks.
class trial {
 public:
  /// @param length  factor for the numbers of steps
  explicit trial(std::uint64_t seed, std::uint64_t length = 1)
      : seed_(seed),
        length_(length),
        common_(seed),
        own_(acre::mix_bits(seed + acre::rank() + 1)),
        records_(acre::rank()) {}

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Random number, equal on all ranks.
  [[nodiscard]] std::uint64_t together(std::uint64_t below) { return common_() % below; }
  [[nodiscard]] std::uint64_t alone(std::uint64_t below) { return own_() % below; }
  [[nodiscard]] recorder& records() noexcept { return records_; }

  void dawdle() {
    const std::uint64_t chance = alone(64);
    if (chance < 4) ::sched_yield();
    if (chance == 4) ::usleep(static_cast<useconds_t>(alone(100)));
    if (chance == 5) acre::progress();
  }

  /// Per rank; fewer on several nodes.
  [[nodiscard]] int operations(int in_a_node) const {
    return acre::runtime::node_count() == 1 ? in_a_node : in_a_node / 3;
  }

  /// Per rank, for trials without a search.
  [[nodiscard]] std::uint64_t steps(int in_a_node) const {
    return length_ * static_cast<std::uint64_t>(operations(in_a_node));
  }

  /// Collective.
  template <class Judge>
  [[nodiscard]] bool accepts(Judge&& judge) {
    std::vector<event> all;
    for (const auto& each : acre::world().gather(records_.events(), 0)) {
      all.insert(all.end(), each.begin(), each.end());
    }
    return acre::world().broadcast(acre::rank() != 0 || judge(all), 0);
  }

  /// Collective.
  template <model Model>
  [[nodiscard]] bool explains(const typename Model::state& initial = {}) {
    return accepts([&](const std::vector<event>& all) {
      const auto wrong = find_unexplained<Model>(all, initial);
      if (!wrong) return true;
      for (const event& each : *wrong) std::fprintf(stderr, "  %s\n", to_string(each).c_str());
      return false;
    });
  }
  void count(std::uint64_t more) noexcept { counted_ += more; }
  [[nodiscard]] std::uint64_t recorded() const noexcept {
    return records_.events().size() + counted_;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t length_;
  std::mt19937_64 common_;
  std::mt19937_64 own_;
  recorder records_;
  std::uint64_t counted_ = 0;
};

/// `run` returns, on all ranks, whether the round succeeded.
struct subject {
  const char* name;
  bool (*run)(trial&);
};
[[nodiscard]] std::vector<subject> map_subjects();
[[nodiscard]] std::vector<subject> multimap_subjects();
[[nodiscard]] std::vector<subject> ordered_subjects();
[[nodiscard]] std::vector<subject> array_subjects();
[[nodiscard]] std::vector<subject> queue_subjects();
[[nodiscard]] std::vector<subject> deque_subjects();
[[nodiscard]] std::vector<subject> bag_subjects();
[[nodiscard]] std::vector<subject> filter_subjects();
[[nodiscard]] std::vector<subject> set_subjects();
[[nodiscard]] std::vector<subject> distributor_subjects();
[[nodiscard]] std::vector<subject> moving_object_subjects();
[[nodiscard]] std::vector<subject> reference_subjects();
[[nodiscard]] std::vector<subject> collection_subjects();

}  // namespace histories
