// SPDX-License-Identifier: BSD-3-Clause
// The whole mesh in one process; messages are delivered in order or shuffled.
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
  /// @param seed  shuffles nodes and messages; empty: in order
  explicit serial_mesh(const problem& given, std::optional<std::uint64_t> seed = {});

  void advance(std::uint32_t steps);
  void regrid();

  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] double time() const {
    return given_.is_gas() ? nodes_.begin()->second.time() : given_.time_step() * steps_;
  }
  [[nodiscard]] totals measure() const;
  [[nodiscard]] const std::map<std::uint64_t, tree_node>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] double cell_updates() const noexcept { return cell_updates_; }
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
