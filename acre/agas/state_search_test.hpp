// SPDX-License-Identifier: BSD-3-Clause
// Exhaustive search of a model's states. Breadth-first, so counterexamples are shortest. Stores a
// 64-bit hash, parent and outgoing steps per state; a backward pass from end states finds states
// that cannot end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::agas {

struct search_result {
  std::size_t states = 0;
  std::size_t steps = 0;
  bool complete = true;
  std::string wrong;
  std::string trace;
};

/// A searchable model: `state_type`, `step_type`,
///     initial()
///     each_step(state, take)  calls take(step, next)
///     hash(state)
///     wrong(state, step, next) violation (static text) or null
///     is_end(state)
///     text(step, next)
template <class Model>
class state_search {
 public:
  using state_type = typename Model::state_type;
  using step_type = typename Model::step_type;

  explicit state_search(const Model& model) : model_(model) {}

  search_result run(std::size_t limit) {
    visit(model_.initial(), 0);
    for (std::uint32_t from = 0; !waiting_.empty() && result_.wrong.empty(); ++from) {
      const state_type here = waiting_.front();
      waiting_.pop_front();
      expand(here, from);
      if (parents_.size() > limit) {
        result_.complete = false;
        break;
      }
    }
    result_.states = parents_.size();
    result_.steps = steps_.size();
    if (result_.complete && result_.wrong.empty()) find_states_without_end();
    return result_;
  }

 private:
  void expand(const state_type& here, std::uint32_t from) {
    model_.each_step(here, [&](const step_type& step, const state_type& next) {
      if (!result_.wrong.empty()) return;
      if (const char* wrong = model_.wrong(here, step, next)) {
        result_.wrong = wrong;
        result_.trace = trace_to(from) + model_.text(step, next) + "\n";
        return;
      }
      steps_.emplace_back(from, visit(next, from));
    });
  }

  std::uint32_t visit(const state_type& state, std::uint32_t parent) {
    const auto [at, is_new] =
        numbers_.try_emplace(model_.hash(state), static_cast<std::uint32_t>(parents_.size()));
    if (is_new) {
      parents_.push_back(parent);
      ends_.push_back(model_.is_end(state));
      waiting_.push_back(state);
    }
    return at->second;
  }

  void find_states_without_end() {
    std::vector<std::uint32_t> first(parents_.size() + 1, 0);
    for (const auto& step : steps_) ++first[step.second + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> before(steps_.size());
    std::vector<std::uint32_t> place(first.begin(), first.end() - 1);
    for (const auto& step : steps_) before[place[step.second]++] = step.first;

    std::vector<bool> reaches = ends_;
    std::vector<std::uint32_t> to_do;
    for (std::uint32_t i = 0; i < reaches.size(); ++i) {
      if (reaches[i]) to_do.push_back(i);
    }
    while (!to_do.empty()) {
      const std::uint32_t state = to_do.back();
      to_do.pop_back();
      for (std::uint32_t i = first[state]; i < first[state + 1]; ++i) {
        if (reaches[before[i]]) continue;
        reaches[before[i]] = true;
        to_do.push_back(before[i]);
      }
    }
    const auto stuck = std::find(reaches.begin(), reaches.end(), false);
    if (stuck == reaches.end()) return;
    result_.wrong = "the end is unreachable from here";
    result_.trace = trace_to(static_cast<std::uint32_t>(stuck - reaches.begin()));
  }

  std::string trace_to(std::uint32_t state) const {
    std::vector<std::uint32_t> way;
    for (; state != 0; state = parents_[state]) way.push_back(state);
    std::reverse(way.begin(), way.end());
    std::string trace;
    state_type here = model_.initial();
    for (const std::uint32_t number : way) {
      state_type there = here;
      std::string line;
      model_.each_step(here, [&](const step_type& step, const state_type& next) {
        if (!line.empty()) return;
        const auto found = numbers_.find(model_.hash(next));
        if (found == numbers_.end() || found->second != number) return;
        line = model_.text(step, next);
        there = next;
      });
      trace += line + "\n";
      here = there;
    }
    return trace;
  }

  const Model& model_;
  search_result result_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<std::uint32_t> parents_;
  std::vector<bool> ends_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;
  std::deque<state_type> waiting_;
};

}  // namespace acre::agas
