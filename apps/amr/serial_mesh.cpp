// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/serial_mesh.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace acre::amr {

serial_mesh::serial_mesh(const problem& given, std::optional<std::uint64_t> seed) : given_(given) {
  if (seed) random_.emplace(*seed);
  for (tree_node& each : first_nodes(given)) nodes_.emplace(each.where().key(), std::move(each));
  const auto fill = [this] {
    for (auto& [key, each] : nodes_) each.fill();
  };
  fill();
  for (std::uint32_t level = given.coarsest; level < given.finest; ++level) {
    regrid();
    fill();
  }
}

std::vector<std::uint64_t> serial_mesh::order() {
  std::vector<std::uint64_t> keys;
  keys.reserve(nodes_.size());
  for (const auto& [key, each] : nodes_) keys.push_back(key);
  if (random_) std::ranges::shuffle(keys, *random_);
  return keys;
}

void serial_mesh::send(letters out) { std::ranges::move(out, std::back_inserter(under_way_)); }

void serial_mesh::deliver_all() {
  while (!under_way_.empty()) {
    letters round = std::exchange(under_way_, {});
    std::vector<std::size_t> turns(round.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    if (random_) {
      std::ranges::shuffle(turns, *random_);
      const std::size_t late = (*random_)() % round.size();
      for (std::size_t i = turns.size() - late; i < turns.size(); ++i) {
        under_way_.push_back(std::move(round[turns[i]]));
      }
      turns.resize(turns.size() - late);
    }
    for (const std::size_t turn : turns) {
      letter& each = round[turn];
      send(nodes_.at(each.to.key()).take(std::move(each.content)));
    }
    delivered_ += turns.size();
  }
}

/// Delivers messages now and then, so that some reach nodes before their own call.
void serial_mesh::deliver_now_and_then() {
  if (random_ && (*random_)() % 8 == 0) deliver_all();
}

void serial_mesh::regrid() {
  for (const std::uint64_t key : order()) {
    send(nodes_.at(key).begin_regrid());
    deliver_now_and_then();
  }
  deliver_all();
  for (const std::uint64_t key : order()) {
    tree_node::change found = nodes_.at(key).finish_regrid();
    send(std::move(found.out));
    for (tree_node& child : found.children) {
      nodes_.emplace(child.where().key(), std::move(child));
    }
    if (found.is_gone) nodes_.erase(key);
    deliver_now_and_then();
  }
  deliver_all();
}

void serial_mesh::advance(std::uint32_t steps) {
  const std::uint32_t end = steps_ + steps;
  while (steps_ < end) {
    if (steps_ % given_.regrid_every == 0) regrid();
    const std::uint32_t next = (steps_ / given_.regrid_every + 1) * given_.regrid_every;
    const std::uint32_t taken = std::min(end, next) - steps_;
    steps_ += taken;
    for (const auto& [key, each] : nodes_) {
      if (each.is_leaf()) cell_updates_ += static_cast<double>(cells_of_leaf * taken);
    }
    for (const std::uint64_t key : order()) {
      send(nodes_.at(key).start(steps_ * stages_of_step));
      deliver_now_and_then();
    }
    deliver_all();
    require_all_at(steps_ * stages_of_step);
  }
}

void serial_mesh::require_all_at(std::uint32_t stage) const {
  for (const auto& [key, each] : nodes_) {
    if (each.stage() == stage) continue;
    throw error("amr::serial_mesh", "the node " + std::to_string(key) + " waits in stage " +
                                        std::to_string(each.stage()) + " of " +
                                        std::to_string(stage));
  }
}

totals serial_mesh::measure() const {
  totals all;
  for (const auto& [key, each] : nodes_) all += each.measure(time());
  return all;
}

}  // namespace acre::amr
