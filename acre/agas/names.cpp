#include <acre/agas/names.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/agas/detail/object_census.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/require_job.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace acre {
namespace {

using detail::agas_counted;
using detail::agas_timed;
using detail::agas_timer;
using detail::describe_object;
using detail::describe_whereabouts;
using detail::reference;

/// The names that lie here. Promises are fulfilled without the lock: that may run user code.
struct name_table {
  std::mutex lock;
  std::map<std::string, reference, std::less<>> bound;
  std::map<std::string, std::vector<promise<reference>>, std::less<>> awaited;
  /// Of jobs that have ended: a promise that is destroyed sends a failure, which nobody awaits.
  std::vector<std::vector<promise<reference>>> never_registered;
};

/// Never destroyed: a process may exit without ending its job.
name_table& names() {
  static auto& made = *new name_table;
  return made;
}

void bind(const std::string& name, const reference& to) {
  std::vector<promise<reference>> waiting;
  {
    const agas_timer timed(agas_counted::symbol_bind, agas_timed::symbol_bind);
    const std::lock_guard hold(names().lock);
    const auto [at, is_new] = names().bound.try_emplace(name, to);
    if (!is_new) {
      throw error("register_name",
                  "\"" + name + "\" is bound already, to " + describe_object(at->second.name()) +
                      " (" + describe_whereabouts(at->second.name()) + ")",
                  "take it away first, with unregister_name()");
    }
    if (const auto wait = names().awaited.find(name); wait != names().awaited.end()) {
      waiting = std::move(wait->second);
      names().awaited.erase(wait);
    }
  }
  for (promise<reference>& each : waiting) each.set_value(to);
}

reference find(const std::string& name) {
  const agas_timer timed(agas_counted::symbol_resolve, agas_timed::symbol_resolve);
  const std::lock_guard hold(names().lock);
  const auto at = names().bound.find(name);
  if (at != names().bound.end()) return at->second;
  throw error("resolve", "no object has the name \"" + name + "\"",
              "resolve_when_registered() waits until one has");
}

/// drain() does not wait for it: the name may be registered after that, or never.
struct find_or_wait {
  future<reference> operator()(const std::string& name) const {
    const agas_timer timed(agas_counted::symbol_event, agas_timed::symbol_event);
    promise<reference> promised;
    auto coming = promised.get_future();
    const std::lock_guard hold(names().lock);
    const auto at = names().bound.find(name);
    if (at == names().bound.end()) {
      names().awaited[name].push_back(std::move(promised));
    } else {
      promised.set_value(at->second);  // nobody waits for it yet
    }
    return coming;
  }
};

bool take_away(const std::string& name) {
  const agas_timer timed(agas_counted::symbol_unbind, agas_timed::symbol_unbind);
  reference last;  // let go without the lock
  const std::lock_guard hold(names().lock);
  const auto at = names().bound.find(name);
  if (at == names().bound.end()) return false;
  last = std::move(at->second);
  names().bound.erase(at);
  return true;
}

std::vector<std::string> all_with(const std::string& prefix) {
  const agas_timer timed(agas_counted::symbol_iterate, agas_timed::symbol_iterate);
  const std::lock_guard hold(names().lock);
  std::vector<std::string> found;
  for (auto at = names().bound.lower_bound(prefix);
       at != names().bound.end() && at->first.starts_with(prefix); ++at) {
    found.push_back(at->first);
  }
  return found;
}

/// FNV-1a, whose last bits are spread then.
std::uint64_t hash_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char each : name) {
    hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  }
  return mix_bits(hash);
}

}  // namespace

namespace detail {

template <>
inline constexpr bool may_never_end<find_or_wait> = true;

namespace {

void require_text(const char* call, std::string_view name) {
  if (!name.empty()) return;
  throw error(call, "the name of an object is empty", "give it a name of one character at least");
}

}  // namespace

future<void> register_reference(std::string_view name, const reference& to) {
  require_text("register_name", name);
  if (!to)
    throw error("register_name",
                "there is no object to give the name \"" + std::string(name) + "\" to");
  runtime::require_job("register_name");
  return rpc(rank_of_name(name), bind, std::string(name), to);
}

future<reference> resolve_reference(std::string_view name) {
  require_text("resolve", name);
  runtime::require_job("resolve");
  return rpc(rank_of_name(name), find, std::string(name));
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

future<reference> await_reference(std::string_view name) {
  require_text("resolve_when_registered", name);
  runtime::require_job("resolve_when_registered");
  return rpc(rank_of_name(name), find_or_wait{}, std::string(name));
}

}  // namespace detail

future<bool> unregister_name(std::string_view name) {
  runtime::require_job("unregister_name");
  return rpc(rank_of_name(name), take_away, std::string(name));
}

std::vector<std::string> names_with_prefix(std::string_view prefix) {
  std::vector<future<std::vector<std::string>>> asked;
  asked.reserve(size());
  for (rank_t r = 0; r < size(); ++r) asked.push_back(rpc(r, all_with, std::string(prefix)));
  std::vector<std::string> all;
  for (auto& each : asked) std::ranges::move(each.get(), std::back_inserter(all));
  std::ranges::sort(all);
  return all;
}

rank_t rank_of_name(std::string_view name) noexcept {
  return static_cast<rank_t>(detail::scale(hash_of(name), size()).whole);
}

}  // namespace acre
