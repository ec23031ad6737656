#include <acre/agas/detail/object_type.hpp>

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

namespace acre::detail {
namespace {

constinit object_type* added_types = nullptr;  ///< not yet numbered

struct numbered_types {
  std::mutex lock;
  std::vector<object_type*> all;
};
/// Never destroyed: objects may be made until the process ends.
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
      throw error("agas", "a program has no more than 65,535 types of objects");
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

}  // namespace acre::detail
