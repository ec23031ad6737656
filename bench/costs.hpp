// SPDX-License-Identifier: BSD-3-Clause
// Rates with costs: remote reads, writes, atomics, messages and their bytes per call, of all ranks.
#pragma once

#include <acre/acre.hpp>

#include <bench/phases.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>

namespace acre::bench {

class costs {
 public:
  /// Collective.
  costs() : barriers_(counts_of([] { seconds_of([] {}); })) {}

  /// Adds a phase's rate, and notes its costs. Collective. @param calls  per rank
  template <class Phase>
  void measure(rates& all, const std::string& name, std::uint64_t calls, Phase&& phase) {
    const std::uint64_t of_all_ranks = calls * size();
    auto spent = counts_of([&] { all.add(name, of_all_ranks, seconds_of(phase)); });
    std::string numbers;
    for (std::size_t i = 0; i < spent.size(); ++i) {
      spent[i] -= barriers_[i];
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "%s%.3f", i == 0 ? "" : ", ",
                    spent[i] / static_cast<double>(of_all_ranks));
      numbers += text.data();
    }
    lines_[name] = numbers;
  }

  /// A JSON field; the last round's costs of each name.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& [name, numbers] : lines_) {
      all += all.empty() ? "" : ", ";
      all += "\"" + name + "\": [" + numbers + "]";
    }
    return ", \"costs\": {" + all + "}";
  }

 private:
  using counts = std::array<double, 5>;  ///< R, W, A, M, bytes

  template <class Phase>
  static counts counts_of(Phase&& phase) {
    barrier();
    const operation_counts before = counters();
    phase();
    const operation_counts spent = counters() - before;
    barrier();
    counts all{static_cast<double>(spent.reads), static_cast<double>(spent.writes),
               static_cast<double>(spent.atomics), static_cast<double>(spent.messages),
               static_cast<double>(spent.read_bytes + spent.write_bytes + spent.message_bytes)};
    world().allreduce(std::span<double>(all), op::sum);
    return all;
  }

  counts barriers_;
  std::map<std::string, std::string> lines_;
};

}  // namespace acre::bench
