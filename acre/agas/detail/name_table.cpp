// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/name_table.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>

#include <map>
#include <mutex>

namespace acre::agas {
namespace {

/// Promises are fulfilled without the lock, as that may run user code.
struct name_table {
  std::mutex lock;
  std::map<std::string, reference, std::less<>> bound;
  std::map<std::string, std::vector<promise<reference>>, std::less<>> awaited;
  /// Promises of ended jobs. They stay, because destroying a promise would send a failure.
  std::vector<std::vector<promise<reference>>> never_registered;
};

/// Never destroyed: a process may exit without ending its job.
name_table& names() {
  static auto& made = *new name_table;
  return made;
}

}  // namespace

void bind_name(const std::string& name, const reference& to) {
  std::vector<promise<reference>> waiting;
  {
    const agas_timer timed(agas_counted::symbol_bind, agas_timed::symbol_bind);
    const std::lock_guard hold(names().lock);
    const auto [at, is_new] = names().bound.try_emplace(name, to);
    if (!is_new) {
      throw error("register_name",
                  "\"" + name + "\" is already bound to " + describe_object(at->second.name()) +
                      " (" + describe_whereabouts(at->second.name()) + ")",
                  "call unregister_name() first");
    }
    if (const auto wait = names().awaited.find(name); wait != names().awaited.end()) {
      waiting = std::move(wait->second);
      names().awaited.erase(wait);
    }
  }
  for (promise<reference>& each : waiting) each.set_value(to);
}

reference find_name(const std::string& name) {
  const agas_timer timed(agas_counted::symbol_resolve, agas_timed::symbol_resolve);
  const std::lock_guard hold(names().lock);
  const auto at = names().bound.find(name);
  if (at != names().bound.end()) return at->second;
  throw error("resolve", "no object has the name \"" + name + "\"",
              "call resolve_when_registered() to wait for its registration");
}

future<reference> find_name_or_wait::operator()(const std::string& name) const {
  const agas_timer timed(agas_counted::symbol_event, agas_timed::symbol_event);
  promise<reference> promised;
  auto coming = promised.get_future();
  const std::lock_guard hold(names().lock);
  const auto at = names().bound.find(name);
  if (at == names().bound.end()) {
    names().awaited[name].push_back(std::move(promised));
  } else {
    promised.set_value(at->second);
  }
  return coming;
}

bool unbind_name(const std::string& name) {
  const agas_timer timed(agas_counted::symbol_unbind, agas_timed::symbol_unbind);
  reference last;  // released without the lock
  const std::lock_guard hold(names().lock);
  const auto at = names().bound.find(name);
  if (at == names().bound.end()) return false;
  last = std::move(at->second);
  names().bound.erase(at);
  return true;
}

std::vector<std::string> bound_names_with(const std::string& prefix) {
  const agas_timer timed(agas_counted::symbol_iterate, agas_timed::symbol_iterate);
  const std::lock_guard hold(names().lock);
  std::vector<std::string> found;
  for (auto at = names().bound.lower_bound(prefix);
       at != names().bound.end() && at->first.starts_with(prefix); ++at) {
    found.push_back(at->first);
  }
  return found;
}

void forget_names() noexcept {
  names().bound.clear();
  for (auto& [name, waiting] : names().awaited) {
    names().never_registered.push_back(std::move(waiting));
  }
  names().awaited.clear();
}

void add_bound_names(const std::unordered_set<gid>& objects,
                     std::vector<std::pair<std::string, gid>>& lines) {
  const std::lock_guard hold(names().lock);
  for (const auto& [name, to] : names().bound) {
    if (objects.contains(to.name())) lines.emplace_back(name, to.name());
  }
}

}  // namespace acre::agas
