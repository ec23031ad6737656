// SPDX-License-Identifier: BSD-3-Clause
// The mesh on many ranks: each node is an object, and what nodes write to each other are calls.
//
// A node has a name of its location. A rank knows the nodes that are on it, and of others those
// that its own have written to since the mesh has changed last; so a name is looked up once. Phases
// are collective: each rank calls its own nodes, and the phase is over when no letter is under way.
// What is computed depends neither on where nodes are nor on when they move.
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

/// What happens to nodes after the mesh has changed.
enum class keeping : std::uint8_t {
  stay,      ///< children are where their parent is
  recreate,  ///< what should be elsewhere ends here, and another object of its state begins there
  migrate    ///< what should be elsewhere moves
};

using any_balancer = std::function<std::vector<rank_t>(std::span<const weighed_object>, rank_t)>;

/// What the balancer takes as a node's load.
enum class load_kind : std::uint8_t {
  measured,  ///< what its stages took since the mesh has changed last
  counted    ///< tree_node::cost()
};

struct ways {
  keeping mode = keeping::migrate;
  load_kind load = load_kind::measured;
  any_balancer how = tolerant_balancer<curve_balancer>{};
  std::optional<std::uint64_t> shake = {};  ///< seed: nodes move now and then, for no reason
};

/// Seconds on the clock.
struct phase_times {
  double steps = 0;
  double regrid = 0;
  double balance = 0;
};

class distributed_mesh {
 public:
  /// The mesh as it fits the blob at time 0. Collective over the job; one mesh at a time.
  distributed_mesh(const problem& given, ways wanted);
  /// As it was when it was written, in whatever mode and on however many ranks that was.
  /// Collective.
  distributed_mesh(saved_mesh from, ways wanted);
  distributed_mesh(const distributed_mesh&) = delete;
  distributed_mesh& operator=(const distributed_mesh&) = delete;
  /// Its nodes end.
  ~distributed_mesh();

  /// Before the first step and then after every so many, the mesh changes. Collective.
  void advance(std::uint32_t steps);
  void regrid();
  /// Writes all that the rest of the run depends on, for load_mesh(). Collective. The file is whole
  /// or it is what it was before. Cost: the memory of this rank's nodes twice more.
  /// @throws acre::error on all ranks when it cannot be written
  void save(const std::string& path) const;

  [[nodiscard]] const problem& given() const noexcept { return given_; }
  /// Since the run began.
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] double time() const noexcept { return given_.time_step() * steps_; }
  /// Of all ranks. Collective.
  [[nodiscard]] totals measure() const;
  /// Of all ranks, on rank 0. Collective.
  [[nodiscard]] std::vector<owned_leaf> leaves() const;
  /// A number that follows from all values of all cells. Collective.
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// Of each change of the mesh, by the loads that the balancer had.
  [[nodiscard]] const std::vector<balance_report>& history() const noexcept { return history_; }
  /// Of all ranks, between changes of the mesh.
  [[nodiscard]] const std::vector<period>& periods() const noexcept { return periods_; }
  /// How often a cell was brought a step further, on all ranks.
  [[nodiscard]] double cell_updates() const noexcept;
  /// This rank's.
  [[nodiscard]] const phase_times& times() const noexcept { return times_; }
  /// This rank's.
  [[nodiscard]] const letter_counts& letters() const noexcept { return here().counts(); }

 private:
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
  double change_seconds_ = 0;  ///< of this rank's thread, in the change before the next period
  phase_times times_;
  std::uint32_t steps_ = 0;
};

}  // namespace acre::amr
