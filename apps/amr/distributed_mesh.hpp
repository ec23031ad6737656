// SPDX-License-Identifier: BSD-3-Clause
// The mesh on many ranks (docs/developers/programs.md). Phases are collective. Results are bitwise
// independent of placement and moves.
#pragma once

#include <acre/agas/balance.hpp>

#include <apps/amr/mesh_node.hpp>
#include <apps/amr/picture.hpp>
#include <apps/amr/saved_mesh.hpp>
#include <apps/amr/tree_node.hpp>
#include <apps/amr/work_history.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace acre::amr {

enum class keeping : std::uint8_t { stay, recreate, migrate };

using any_balancer = std::function<std::vector<rank_t>(std::span<const weighed_object>, rank_t)>;

enum class load_kind : std::uint8_t { measured, counted };

struct ways {
  keeping mode = keeping::migrate;
  load_kind load = load_kind::measured;
  any_balancer how = tolerant_balancer<curve_balancer>{};
  std::optional<std::uint64_t> shake = {};  ///< seed of random moves, for tests
};

struct phase_times {
  double steps = 0;
  double regrid = 0;
  double balance = 0;
};

class distributed_mesh {
 public:
  /// Creates the mesh adapted to the initial blob.
  distributed_mesh(const problem& given, ways wanted);
  /// Restores a saved mesh, in any mode, on any number of ranks.
  distributed_mesh(saved_mesh from, ways wanted);
  distributed_mesh(const distributed_mesh&) = delete;
  distributed_mesh& operator=(const distributed_mesh&) = delete;
  ~distributed_mesh();

  /// Takes steps; regrids before each `regrid_every`-th step.
  void advance(std::uint32_t steps);
  void regrid();
  /// Writes a checkpoint for load_mesh(). Cost: twice the memory of local nodes.
  /// @throws acre::error on all ranks if it cannot be written
  void save(const std::string& path) const;

  [[nodiscard]] const problem& given() const noexcept { return given_; }
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] totals measure() const;
  /// All leaves, on rank 0.
  [[nodiscard]] std::vector<owned_leaf> leaves() const;
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] const std::vector<balance_report>& history() const noexcept { return history_; }
  [[nodiscard]] const std::vector<period>& periods() const noexcept { return periods_; }
  [[nodiscard]] double cell_updates() const noexcept;
  [[nodiscard]] const phase_times& times() const noexcept { return times_; }
  [[nodiscard]] const letter_counts& letters() const noexcept { return here().counts(); }

 private:
  /// Time of advection; nodes of a gas store theirs.
  [[nodiscard]] double time() const noexcept { return given_.time_step() * steps_; }
  void change();
  void take_steps(std::uint32_t end);
  [[nodiscard]] std::vector<double> loads(std::span<const object_id<mesh_node>> nodes) const;
  void balance();
  void recreate(std::span<const weighed_object> mine, const balance_decision& decided);
  void require_all_at(std::uint32_t stage) const;

  problem given_;
  ways wanted_;
  std::vector<balance_report> history_;
  std::vector<period> periods_;
  double change_seconds_ = 0;
  phase_times times_;
  std::uint32_t steps_ = 0;
};

}  // namespace acre::amr
