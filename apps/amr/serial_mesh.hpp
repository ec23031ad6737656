// SPDX-License-Identifier: BSD-3-Clause
// The whole mesh in one process: a table of nodes, and letters in a heap, from which they are taken
// in the order in which they came or in any other.
#pragma once

#include <apps/amr/tree_node.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace acre::amr {

class serial_mesh {
 public:
  /// The mesh as it fits the blob at time 0.
  /// @param seed  of the order in which nodes act and letters are taken; none: as they come
  explicit serial_mesh(const problem& given, std::optional<std::uint64_t> seed = {});

  /// Before the first step and then after every so many, the mesh changes.
  void advance(std::uint32_t steps);
  void regrid();

  /// Since the run began.
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] double time() const noexcept { return given_.time_step() * steps_; }
  [[nodiscard]] totals measure() const;
  /// By location::key.
  [[nodiscard]] const std::map<std::uint64_t, tree_node>& nodes() const noexcept { return nodes_; }
  /// How often a cell was brought a step further.
  [[nodiscard]] double cell_updates() const noexcept { return cell_updates_; }
  /// How many letters there were.
  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  [[nodiscard]] std::vector<std::uint64_t> order();
  void send(letters out);
  void deliver_all();
  void deliver_now_and_then();
  void require_all_at(std::uint32_t stage) const;

  problem given_;
  std::map<std::uint64_t, tree_node> nodes_;
  std::optional<std::mt19937_64> random_;
  letters under_way_;
  std::uint64_t delivered_ = 0;
  double cell_updates_ = 0;
  std::uint32_t steps_ = 0;
};

}  // namespace acre::amr
