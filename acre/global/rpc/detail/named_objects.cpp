// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/rpc/detail/named_objects.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/global/team/detail/call_rounds.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::global {

namespace {

class early_call : public runtime::deferred_task {
 public:
  explicit early_call(const arrived_call& call)
      : payload_(call.payload.size()), invoker_(call.invoker), caller_(call.caller) {
    if (!call.payload.empty()) {
      std::memcpy(payload_.data(), call.payload.data(), call.payload.size());
    }
    run = [](runtime::deferred_task& task) {
      const std::unique_ptr<early_call> self(static_cast<early_call*>(&task));
      reader arguments(self->payload_.span());
      const runtime::serving now({.caller = self->caller_.caller, .how = runtime::served_as::rpc});
      const runtime::within_rpc here(self->caller_.caller, self->caller_.promise,
                                     self->caller_.finisher);
      self->invoker_(arguments, self->caller_);
    };
  }

  [[nodiscard]] const rpc_return_address& caller() const noexcept { return caller_; }

 private:
  call_under_way counted_;
  owned_bytes payload_;
  rpc_invoker* invoker_;
  rpc_return_address caller_;
};
using early_calls = std::vector<std::unique_ptr<early_call>>;

struct hash_of_name {
  std::size_t operator()(const object_name& name) const noexcept {
    return mix_bits(name.team ^ name.number << 40);
  }
};

struct known_object {
  const std::type_info* type = nullptr;
  std::weak_ptr<named_object> object;
  early_calls waiting;
};

struct name_table {
  std::mutex lock;
  bool job_goes_on = false;
  std::unordered_map<object_name, known_object, hash_of_name> objects;
  std::unordered_map<std::uint64_t, std::uint64_t> made;
  std::uint64_t waiting = 0;

  void let_run(early_calls calls) noexcept {
    waiting -= calls.size();
    for (auto& each : calls) runtime::defer(*each.release());
  }
};

/// Never destroyed: dist_objects may be static.
name_table& names() {
  static auto& made = *new name_table;
  return made;
}

std::string describe(const object_name& name) {
  const std::string number = std::to_string(name.number);
  return name.team == world_number ? "object " + number + " of the world"
                                   : "object " + number + " of its team";
}

[[noreturn]] void throw_gone(const object_name& name) {
  throw error("dist_object", "this rank has destroyed its " + describe(name),
              "keep distributed objects until all calls have completed: call drain() before their "
              "end, or wait for all calls and then call barrier()");
}

[[noreturn]] void throw_never_made(const object_name& name, const std::string& waiting = {}) {
  throw error("dist_object", "this rank ends its job without " + describe(name) + waiting,
              "create distributed objects on all members of a team, and call drain() or barrier() "
              "before the end of the job");
}

std::string describe(const early_calls& waiting) {
  constexpr std::size_t most_named = 8;
  std::map<rank_t, std::size_t> by_caller;
  for (const auto& each : waiting) ++by_caller[each->caller().caller];
  std::string text = ", for which " + std::to_string(waiting.size()) + " calls wait:";
  std::size_t named = 0;
  for (const auto& [caller, calls] : by_caller) {
    if (named == most_named) return text + " …";
    text += (named++ == 0 ? " " : ", ") + std::to_string(calls) + " from rank " +
            std::to_string(caller);
  }
  return text;
}

void fail_all(const early_calls& waiting, const std::exception_ptr& failure) {
  bool is_heard_here = false;
  for (const auto& each : waiting) {
    if (each->caller().is_awaited()) {
      send_rpc_failure(each->caller(), failure);
    } else if (!std::exchange(is_heard_here, true)) {
      runtime::keep_lost_failure(failure);
    }
  }
}

[[noreturn]] void throw_other_type(const object_name& name) {
  throw error("dist_object", describe(name) + " is of another type on this rank",
              "create distributed objects in the same order on all members of a team");
}

named_object_ref look_up(name_table& all, const object_name& name, const std::type_info& type) {
  if (!all.job_goes_on) throw_never_made(name);
  const auto known = all.objects.find(name);
  if (known == all.objects.end()) {
    const auto made = all.made.find(name.team);
    if (made != all.made.end() && name.number < made->second) throw_gone(name);
    return nullptr;
  }
  if (known->second.type != nullptr && *known->second.type != type) throw_other_type(name);
  return known->second.object.lock();
}

}  // namespace

next_object_name::next_object_name(const team& members, const std::type_info& type) {
  runtime::require_no_served_call("dist_object");
  const std::uint64_t id = id_of(members);
  name_table& all = names();
  const std::lock_guard hold(all.lock);
  name_ = {.team = id, .number = all.made[id]};
  all.objects[name_].type = &type;
  ++all.made[id];
}

next_object_name::~next_object_name() {
  if (published_) return;
  name_table& all = names();
  const std::lock_guard hold(all.lock);
  if (auto failed = all.objects.extract(name_)) all.let_run(std::move(failed.mapped().waiting));
}

void next_object_name::publish(const named_object_ref& made) noexcept {
  published_ = true;
  name_table& all = names();
  const std::lock_guard hold(all.lock);
  const auto here = all.objects.find(name_);
  if (here == all.objects.end()) return;
  here->second.object = made;
  all.let_run(std::exchange(here->second.waiting, {}));
}

void retire_object(const named_object& object) noexcept {
  name_table& all = names();
  const std::lock_guard hold(all.lock);
  const auto here = all.objects.find(object.name());
  if (here != all.objects.end() && here->second.object.lock().get() == &object) {
    all.objects.erase(here);
  }
}

void require_object_at(rank_t target, const named_object& object) {
  if (object.members().contains(target)) return;
  throw error("rpc",
              "rank " + std::to_string(target) + " is not in the team of the distributed object",
              "pass the target as a team member: rpc(team, member, f, object, …)");
}

bool find_objects(std::span<const object_name> wanted, std::span<const std::type_info* const> types,
                  std::span<named_object_ref> found, const arrived_call& call) {
  name_table& all = names();
  const std::lock_guard hold(all.lock);
  for (std::size_t each = 0; each < wanted.size(); ++each) {
    found[each] = look_up(all, wanted[each], *types[each]);
    if (found[each] == nullptr) {
      all.objects[wanted[each]].waiting.push_back(std::make_unique<early_call>(call));
      ++all.waiting;
      return false;
    }
  }
  return true;
}

namespace {

std::uint64_t calls_for_missing_objects() noexcept {
  const std::lock_guard hold(names().lock);
  return names().waiting;
}

void start_names() noexcept {
  const std::lock_guard hold(names().lock);
  names().job_goes_on = true;
}

void end_names() noexcept {
  name_table& all = names();
  std::unordered_map<object_name, known_object, hash_of_name> left;
  {
    const std::lock_guard hold(all.lock);
    all.job_goes_on = false;
    left.swap(all.objects);
    all.made.clear();
    all.waiting = 0;
  }
  for (const auto& [name, known] : left) {
    if (known.waiting.empty()) continue;
    try {
      throw_never_made(name, describe(known.waiting));
    } catch (...) {
      fail_all(known.waiting, std::current_exception());
    }
  }
}

[[maybe_unused]] const bool names_registered = register_kept_calls(
    {.start = start_names, .fail = end_names, .count = calls_for_missing_objects});

}  // namespace

}  // namespace acre::global
