// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/distributed_mesh.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <utility>

namespace acre::amr {
namespace {

using clock = std::chrono::steady_clock;

class timed {
 public:
  explicit timed(double& seconds) : seconds_(seconds) {}
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;
  ~timed() { seconds_ += std::chrono::duration<double>(clock::now() - begin_).count(); }

 private:
  double& seconds_;
  clock::time_point begin_ = clock::now();
};

double thread_seconds() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<object_id<mesh_node>> nodes_here() {
  std::vector<object_id<mesh_node>> found;
  for (const auto& [key, node] : here().residents()) found.push_back(node);
  return found;
}

/// Requires that no call is under way.
void for_each_here(const std::function<void(tree_node&)>& use) {
  for (const auto& node : nodes_here()) use(pinned<mesh_node>(node)->content());
}

template <class Call, class... Arguments>
void call_all(Call call, const Arguments&... arguments) {
  const auto nodes = nodes_here();
  barrier();
  for (const auto& node : nodes) {
    if (const pinned<mesh_node> object(node); object) {
      std::invoke(call, *object, arguments...);
    } else {
      invoke_ff(node, call, arguments...);
    }
  }
  drain();
}

void begin_mesh(const ways& wanted) {
  static std::uint64_t meshes = 0;
  here().begin(++meshes, wanted.shake);
  barrier();
}

/// Equal volumes along the Morton curve.
rank_t first_owner(const location& where) {
  constexpr unsigned half = axes * deepest_level / 2;
  return static_cast<rank_t>(((where.curve_begin() >> half) * size()) >> half);
}

}  // namespace

distributed_mesh::distributed_mesh(const problem& given, ways wanted)
    : given_(given), wanted_(std::move(wanted)) {
  begin_mesh(wanted_);
  for (tree_node& each : first_nodes(given)) {
    if (first_owner(each.where()) == rank()) here().admit(std::move(each));
  }
  drain();
  const auto fill = [] { for_each_here([](tree_node& each) { each.fill(); }); };
  fill();
  // Balancing each level gives children their later home ranks.
  for (std::uint32_t level = given.coarsest; level < given.finest; ++level) {
    change();
    balance();
    fill();
  }
  history_.clear();
  times_ = {};
}

distributed_mesh::distributed_mesh(saved_mesh from, ways wanted)
    : given_(from.given), wanted_(std::move(wanted)), steps_(from.steps) {
  begin_mesh(wanted_);
  from.nodes.for_each_local([](std::size_t, tree_node& each) { here().admit(std::move(each)); });
  drain();
  balance();
  history_.clear();
  times_ = {};
}

distributed_mesh::~distributed_mesh() { here().end(); }

void distributed_mesh::save(const std::string& path) const {
  std::vector<tree_node> mine;
  for_each_here([&](const tree_node& each) { mine.push_back(each); });
  save_mesh(given_, steps_, std::move(mine), path);
}

void distributed_mesh::change() {
  const timed taken(times_.regrid);
  call_all(&mesh_node::begin_regrid);
  call_all(&mesh_node::finish_regrid);
  here().forget_gone();
}

void distributed_mesh::regrid() {
  const double begin = thread_seconds();
  change();
  balance();
  change_seconds_ = thread_seconds() - begin;
}

/// An unmeasured node gets the mean cost over all ranks.
std::vector<double> distributed_mesh::loads(std::span<const object_id<mesh_node>> nodes) const {
  std::vector<double> found;
  if (wanted_.load == load_kind::counted) {
    for (const auto& node : nodes) found.push_back(pinned<mesh_node>(node)->content().cost());
    return found;
  }
  struct sums {
    double seconds = 0;
    double cost = 0;
  } known;
  for (const auto& node : nodes) {
    const pinned<mesh_node> object(node);
    load_meter& meter = object->cost();
    const double a_stage =
        meter.pieces() == 0 ? 0 : meter.seconds() / static_cast<double>(meter.pieces());
    found.push_back(a_stage);
    if (a_stage == 0) continue;
    known.seconds += a_stage;
    known.cost += object->content().cost();
  }
  known = world().allreduce(known, [](const sums& a, const sums& b) {
    return sums{a.seconds + b.seconds, a.cost + b.cost};
  });
  const double of_cost = known.cost > 0 ? known.seconds / known.cost : 1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const pinned<mesh_node> object(nodes[i]);
    if (found[i] == 0) found[i] = of_cost * object->content().cost();
  }
  return found;
}

void distributed_mesh::balance() {
  const timed taken(times_.balance);
  const auto nodes = nodes_here();
  const std::vector<double> load = loads(nodes);
  std::vector<object_load<mesh_node>> mine;
  std::vector<weighed_object> weighed;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const pinned<mesh_node> object(nodes[i]);
    object->cost().restart();
    const std::uint64_t place = object->content().where().curve_begin();
    mine.push_back({nodes[i], load[i], place});
    weighed.push_back({load[i], place, rank()});
  }
  switch (wanted_.mode) {
    case keeping::stay:
      history_.push_back(decide_balance(weighed, no_balancer{}).report);
      break;
    case keeping::recreate: {
      const balance_decision decided = decide_balance(weighed, wanted_.how);
      recreate(weighed, decided);
      history_.push_back(decided.report);
      break;
    }
    case keeping::migrate:
      history_.push_back(acre::balance(mine, wanted_.how));
      break;
  }
}

void distributed_mesh::recreate(std::span<const weighed_object> mine,
                                const balance_decision& decided) {
  const auto nodes = nodes_here();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const rank_t to = decided.targets[i];
    if (to == rank()) continue;
    tree_node content = pinned<mesh_node>(nodes[i])->content();
    static_cast<void>(
        here().dismiss(content.where().key()).then([to, content = std::move(content)](bool) {
          rpc_ff(to, [](tree_node begun) { here().admit(std::move(begun)); }, content);
        }));
  }
  drain();
  here().forget_gone();
}

void distributed_mesh::advance(std::uint32_t steps) {
  const std::uint32_t end = steps_ + steps;
  while (steps_ < end) {
    if (steps_ % given_.regrid_every == 0) regrid();
    const std::uint32_t next = (steps_ / given_.regrid_every + 1) * given_.regrid_every;
    take_steps(std::min(end, next));
  }
}

void distributed_mesh::take_steps(std::uint32_t end) {
  rank_work mine{.change = std::exchange(change_seconds_, 0)};
  const std::uint32_t steps = end - std::exchange(steps_, end);
  const double begin = thread_seconds();
  {
    const timed taken(times_.steps);
    call_all(&mesh_node::start, steps_ * stages_of_step);
  }
  mine.busy = thread_seconds() - begin;
  require_all_at(steps_ * stages_of_step);
  const double stages = steps * stages_of_step;
  for (const auto& node : nodes_here()) {
    const pinned<mesh_node> object(node);
    const load_meter& meter = object->cost();
    if (meter.pieces() == 0) continue;
    const double part = stages / static_cast<double>(meter.pieces());
    mine.leaves += 1;
    mine.counted += object->content().cost() * stages;
    mine.measured += meter.seconds() * part;
    mine.traffic += static_cast<double>(meter.traffic()) * part;
  }
  periods_.push_back({steps, world().allgather(mine)});
}

double distributed_mesh::cell_updates() const noexcept {
  double sum = 0;
  for (const period& each : periods_) {
    for (const rank_work& of_rank : each.ranks) {
      sum += of_rank.leaves * static_cast<double>(cells_of_leaf * each.steps);
    }
  }
  return sum;
}

/// A lost message would leave a node waiting.
void distributed_mesh::require_all_at(std::uint32_t stage) const {
  for_each_here([&](const tree_node& each) {
    if (each.stage() == stage) return;
    throw error("amr::distributed_mesh", "the node " + std::to_string(each.where().key()) +
                                             " waits in stage " + std::to_string(each.stage()) +
                                             " of " + std::to_string(stage));
  });
}

totals distributed_mesh::measure() const {
  totals mine;
  for_each_here([&](const tree_node& each) { mine += each.measure(time()); });
  return world().allreduce(mine, [](totals a, const totals& b) { return a += b; });
}

std::vector<owned_leaf> distributed_mesh::leaves() const {
  std::vector<location> mine;
  for_each_here([&](const tree_node& each) {
    if (each.is_leaf()) mine.push_back(each.where());
  });
  const auto of_all = world().gatherv(std::span<const location>(mine), 0);
  std::vector<owned_leaf> found;
  for (rank_t owner = 0; owner < of_all.size(); ++owner) {
    for (const location& each : of_all[owner]) found.push_back({each, owner});
  }
  return found;
}

std::uint64_t distributed_mesh::fingerprint() const {
  std::uint64_t sum = 0;
  for_each_here([&](const tree_node& each) {
    std::uint64_t of_node = each.where().key();
    for (const double cell : each.cells()) {
      of_node = mix_bits(of_node ^ std::bit_cast<std::uint64_t>(cell));
    }
    sum += mix_bits(of_node);
  });
  return world().allreduce(sum);
}

}  // namespace acre::amr
