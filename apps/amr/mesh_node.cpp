// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/mesh_node.hpp>

namespace acre::amr {
namespace {

class flag_up {
 public:
  explicit flag_up(bool& flag) noexcept : flag_(flag) { flag_ = true; }
  flag_up(const flag_up&) = delete;
  flag_up& operator=(const flag_up&) = delete;
  ~flag_up() { flag_ = false; }

 private:
  bool& flag_;
};

}  // namespace

neighbourhood& here() {
  static neighbourhood only;
  return only;
}

void mesh_node::receive(message what) {
  here().count_received();
  take(std::move(what));
}

void mesh_node::take(message what) {
  load_meter::piece timed(cost_);
  const std::uint32_t before = node_.stage();
  letters out = node_.take(std::move(what));
  timed.stop(node_.stage() - before);
  here().send(std::move(out), cost_);
  now_and_then_move();
}

void mesh_node::begin_regrid() { here().send(node_.begin_regrid(), cost_); }

void mesh_node::start(std::uint32_t last_stage) {
  here().send(node_.start(last_stage), cost_);
  now_and_then_move();
}

void mesh_node::finish_regrid() {
  tree_node::change found = node_.finish_regrid();
  here().send(std::move(found.out), cost_);
  for (tree_node& child : found.children) here().admit(std::move(child));
  is_gone_ = found.is_gone;
  if (is_gone_) static_cast<void>(here().dismiss(node_.where().key()));
}

void mesh_node::now_and_then_move() {
  if (const auto to = here().whim()) static_cast<void>(migrate(self_, *to));
}

bool acre_before_move(mesh_node& leaving, rank_t /*to*/) {
  if (leaving.is_gone_) return false;
  here().has_left(leaving.node_);
  return true;
}
void acre_after_move(mesh_node& arrived) {
  here().has_come(arrived.node_.where().key(), arrived.self_);
}

void neighbourhood::begin(std::uint64_t mesh, std::optional<std::uint64_t> shake) {
  *this = {};
  mesh_ = mesh;
  asked_.names.resize(size());
  asked_.letters.resize(size());
  if (shake) random_.emplace(*shake + rank());
}

std::string neighbourhood::name_of(std::uint64_t key) const {
  return "/amr/" + std::to_string(mesh_) + "/" + std::to_string(key);
}

void neighbourhood::admit(tree_node content) {
  const std::uint64_t key = content.where().key();
  const auto made = create_here<mesh_node>(std::move(content));
  ++counts_.made;
  pinned<mesh_node>(made.id())->set_self(made.id());
  has_come(key, made.id());
  static_cast<void>(register_name(name_of(key), made));
}

future<bool> neighbourhood::dismiss(std::uint64_t key) {
  residents_.erase(key);
  gone_.push_back(key);
  return unregister_name(name_of(key));
}

void neighbourhood::has_left(const tree_node& content) {
  residents_.erase(content.where().key());
  for (const location& each : content.partners()) {
    if (!residents_.contains(each.key())) ++counts_.links_left;
  }
}

void neighbourhood::end() {
  while (!residents_.empty()) static_cast<void>(dismiss(residents_.begin()->first));
}

void neighbourhood::forget_gone() {
  for (const auto& of_rank : world().allgatherv(std::span<const std::uint64_t>(gone_))) {
    for (const std::uint64_t key : of_rank) {
      if (!residents_.contains(key)) known_.erase(key);
    }
  }
  gone_.clear();
}

void neighbourhood::send(letters out, load_meter& writer) {
  letters away;
  std::vector<id> known;
  for (letter& each : out) {
    if (residents_.contains(each.to.key())) {
      own_.push_back(std::move(each));
      continue;
    }
    writer.add_traffic(bytes_of(each.content));
    if (const auto at = known_.find(each.to.key()); at != known_.end()) known.push_back(at->second);
    away.push_back(std::move(each));
  }
  // The cells' data has evicted these names from the CPU cache.
  prefetch<mesh_node>(known);
  for (letter& each : away) send_away(std::move(each));
  if (!is_taking_) take_own();
}

/// A node handles no message while it sends; resulting messages are queued.
void neighbourhood::take_own() {
  const flag_up taking(is_taking_);
  while (!own_.empty()) {
    letter next = std::move(own_.front());
    own_.pop_front();
    take(std::move(next));
  }
}

void neighbourhood::take(letter one) {
  const auto at = residents_.find(one.to.key());
  if (at != residents_.end()) {
    if (const pinned<mesh_node> node(at->second); node) {
      ++counts_.within;
      return node->take(std::move(one.content));
    }
  }
  send_away(std::move(one));
}

void neighbourhood::send_away(letter one) {
  const std::uint64_t key = one.to.key();
  if (const auto at = known_.find(key); at != known_.end()) {
    ++counts_.sent;
    return invoke_ff(at->second, &mesh_node::receive, one.content);
  }
  std::vector<message>& held = held_[key];
  held.push_back(std::move(one.content));
  if (held.size() == 1) look_up(key);
}

void neighbourhood::look_up(std::uint64_t key) {
  ++counts_.looked_up;
  static_cast<void>(
      resolve<mesh_node>(name_of(key)).then([this, key](const object_ref<mesh_node>& found) {
        learn(key, found.id());
      }));
}

void neighbourhood::learn(std::uint64_t key, const id& node) {
  known_[key] = node;
  const auto held = held_.extract(key);
  ++asked_.names[node.name().home()];
  asked_.letters[node.name().home()] += held.mapped().size();
  counts_.sent += held.mapped().size();
  for (const message& each : held.mapped()) {
    invoke_ff(node, &mesh_node::receive, each);
  }
}

std::optional<rank_t> neighbourhood::whim() {
  if (!random_ || (*random_)() % 16 != 0) return {};
  return static_cast<rank_t>((*random_)() % size());
}

}  // namespace acre::amr
