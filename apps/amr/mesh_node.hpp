// SPDX-License-Identifier: BSD-3-Clause
// A node of the mesh as an object that moves, and what its rank knows of other nodes.
//
// What nodes of one rank write to each other is no call: it lies in a queue until the function that
// has written it returns, and is taken from there as it lies. What is for another rank's is a call.
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

  void receive(message what);  ///< as a call
  void take(message what);
  void begin_regrid();
  void finish_regrid();
  void start(std::uint32_t last_stage);

  [[nodiscard]] tree_node& content() noexcept { return node_; }
  /// Of the stages since the mesh has changed last.
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

/// What a rank has written and read, since the mesh began.
struct letter_counts {
  std::uint64_t within = 0;      ///< between its own nodes
  std::uint64_t sent = 0;        ///< to other ranks' nodes
  std::uint64_t received = 0;    ///< from other ranks, or by a detour
  std::uint64_t looked_up = 0;   ///< names of nodes
  std::uint64_t made = 0;        ///< objects, here
  std::uint64_t links_left = 0;  ///< to other ranks' nodes, of nodes that have left
};

/// What a rank has asked of each home: its name was looked up, and nothing else was known of where
/// a node is.
struct asked_of_homes {
  std::vector<std::uint64_t> names;    ///< each brought a reference, which was given back
  std::vector<std::uint64_t> letters;  ///< that were written meanwhile
};

/// This rank's part of the mesh.
class neighbourhood {
 public:
  using id = object_id<mesh_node>;

  /// Forgets what was. @param mesh  a number that no mesh before had
  void begin(std::uint64_t mesh, std::optional<std::uint64_t> shake);

  /// Makes an object of a node, here, and names it.
  void admit(tree_node content);
  /// Takes the name away, and the object ends when nobody calls it any more.
  future<bool> dismiss(std::uint64_t key);
  void end();

  void has_left(const tree_node& content);
  void has_come(std::uint64_t key, const id& node) { residents_[key] = known_[key] = node; }

  /// @param writer  whose traffic it is
  void send(letters out, load_meter& writer);
  /// A call has come.
  void count_received() noexcept { ++counts_.received; }
  /// The names of nodes that have gone, since this was called last, may mean others now.
  /// Collective.
  void forget_gone();

  /// By location::key: what is here.
  [[nodiscard]] const std::unordered_map<std::uint64_t, id>& residents() const noexcept {
    return residents_;
  }
  /// Whether a node should move now, for a test, and whither.
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
  std::unordered_map<std::uint64_t, std::vector<message>> held_;  ///< until a name is looked up
  std::deque<letter> own_;  ///< from nodes of this rank to others of it
  bool is_taking_ = false;
  std::vector<std::uint64_t> gone_;
  letter_counts counts_;
  asked_of_homes asked_;
};

/// There is one, as there is one mesh at a time: objects that arrive must find it.
[[nodiscard]] neighbourhood& here();

}  // namespace acre::amr
