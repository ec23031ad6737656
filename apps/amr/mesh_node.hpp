// SPDX-License-Identifier: BSD-3-Clause
// A mesh node as a mobile object, and its rank's knowledge of other nodes
// (docs/developers/programs.md).
#pragma once

#include <acre/agas/load_meter.hpp>
#include <acre/objects.hpp>

#include <apps/amr/tree_node.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::amr {

class mesh_node {
 public:
  mesh_node() = default;
  explicit mesh_node(tree_node content) : node_(std::move(content)) {}

  void receive(message what);
  void take(message what);
  void begin_regrid();
  void finish_regrid();
  void start(std::uint32_t last_stage);

  [[nodiscard]] tree_node& content() noexcept { return node_; }
  [[nodiscard]] load_meter& cost() noexcept { return cost_; }
  void set_self(const object_id<mesh_node>& self) noexcept { self_ = self; }

  friend auto acre_fields(mesh_node& n) { return std::tie(n.node_, n.self_, n.cost_); }
  friend bool acre_before_move(mesh_node& leaving, rank_t to);
  friend void acre_after_move(mesh_node& arrived);

 private:
  void now_and_then_move();

  tree_node node_;
  object_id<mesh_node> self_;
  load_meter cost_;
  bool is_gone_ = false;
};

struct letter_counts {
  std::uint64_t within = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t looked_up = 0;
  std::uint64_t made = 0;
  std::uint64_t links_left = 0;
};

/// Counts per home rank.
struct asked_of_homes {
  std::vector<std::uint64_t> names;  ///< look-ups; each transfers a reference, later returned
  std::vector<std::uint64_t> letters;
};

class neighbourhood {
 public:
  using id = object_id<mesh_node>;

  /// Resets. @param mesh  a number not used before
  void begin(std::uint64_t mesh, std::optional<std::uint64_t> shake);

  void admit(tree_node content);
  /// Removes the name; the object ends after its last call.
  future<bool> dismiss(std::uint64_t key);
  void end();

  void has_left(const tree_node& content);
  void has_come(std::uint64_t key, const id& node) { residents_[key] = known_[key] = node; }

  void send(letters out, load_meter& writer);
  void count_received() noexcept { ++counts_.received; }
  /// Drops names of removed nodes, since names may be reused. Collective.
  void forget_gone();

  [[nodiscard]] const std::unordered_map<std::uint64_t, id>& residents() const noexcept {
    return residents_;
  }
  [[nodiscard]] std::optional<rank_t> whim();
  [[nodiscard]] const letter_counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const asked_of_homes& asked() const noexcept { return asked_; }

 private:
  [[nodiscard]] std::string name_of(std::uint64_t key) const;
  void take_own();
  void take(letter one);
  void send_away(letter one);
  void look_up(std::uint64_t key);
  void learn(std::uint64_t key, const id& node);

  std::uint64_t mesh_ = 0;
  std::optional<std::mt19937_64> random_;
  std::unordered_map<std::uint64_t, id> residents_;
  std::unordered_map<std::uint64_t, id> known_;
  std::unordered_map<std::uint64_t, std::vector<message>> held_;  ///< until the name is resolved
  std::deque<letter> own_;
  bool is_taking_ = false;
  std::vector<std::uint64_t> gone_;
  letter_counts counts_;
  asked_of_homes asked_;
};

[[nodiscard]] neighbourhood& here();

}  // namespace acre::amr
