// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/object_type.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

namespace acre::agas {
namespace {

constinit object_type* added_types = nullptr;

constinit std::atomic<base_of_type*> added_bases = nullptr;

template <class Use>
bool any_base(const object_type& type, Use&& use) {
  for (const base_of_type* each = added_bases.load(std::memory_order_acquire); each != nullptr;
       each = each->next) {
    if (each->derived == &type && use(*each)) return true;
  }
  return false;
}

struct numbered_types {
  std::mutex lock;
  std::vector<object_type*> all;
};
/// Never destroyed: objects may be made until exit.
numbered_types& numbered() {
  static auto& made = *new numbered_types;
  return made;
}

void number_all(std::vector<object_type*>& all) {
  std::vector<object_type*> more;
  for (object_type* each = added_types; each != nullptr; each = each->next) more.push_back(each);
  added_types = nullptr;
  std::ranges::sort(more, [](const object_type* a, const object_type* b) {
    return std::strcmp(a->identity->name(), b->identity->name()) < 0;
  });
  for (object_type* each : more) {
    if (all.size() == std::numeric_limits<std::uint16_t>::max()) {
      throw error("agas", "a program may have at most 65,535 object types");
    }
    count(agas_counted::type_bind);
    all.push_back(each);
    each->number.store(static_cast<std::uint16_t>(all.size()), std::memory_order_relaxed);
  }
}

}  // namespace

void add_object_type(object_type& added) noexcept {
  added.next = added_types;
  added_types = &added;
}

void add_base_of_type(base_of_type& added) noexcept {
  added.next = added_bases.load(std::memory_order_relaxed);
  added_bases.store(&added, std::memory_order_release);
}

bool is_base_of(const object_type& base, const object_type& type) noexcept {
  return &type == &base ||
         any_base(type, [&](const base_of_type& each) { return is_base_of(base, *each.base); });
}

void* upcast(void* value, const object_type& type, const object_type& base) noexcept {
  if (&type == &base) return value;
  void* found = nullptr;
  any_base(type, [&](const base_of_type& each) {
    found = upcast(each.upcast(value), *each.base, base);
    return found != nullptr;
  });
  return found;
}

std::uint16_t number_types_until(object_type& wanted) {
  numbered_types& types = numbered();
  const std::lock_guard hold(types.lock);
  if (wanted.number.load(std::memory_order_relaxed) == 0) number_all(types.all);
  return wanted.number.load(std::memory_order_relaxed);
}

object_type* type_of_number(std::uint16_t number) {
  const agas_timer timed(agas_counted::type_resolve, agas_timed::type_resolve);
  numbered_types& types = numbered();
  const std::lock_guard hold(types.lock);
  if (number > types.all.size()) number_all(types.all);
  return number == 0 || number > types.all.size() ? nullptr : types.all[number - 1U];
}

std::string name_of(const object_type& type) {
  const agas_timer timed(agas_counted::type_name, agas_timed::type_name);
  return base::readable_name(*type.identity);
}

}  // namespace acre::agas
