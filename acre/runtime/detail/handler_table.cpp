// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/handler_table.hpp>

#include <cstdio>
#include <cstdlib>

namespace acre::runtime {

constinit std::array<handler_entry, 256> handlers{};

namespace {

bool enter(handler_id id, const handler_entry& entry) noexcept {
  handler_entry& place = handlers[static_cast<std::size_t>(id)];
  constexpr std::size_t first_of_programs = 64;
  const bool is_taken = place.builtin != nullptr || place.owner != nullptr;
  if (is_taken && static_cast<std::size_t>(id) < first_of_programs) {
    std::fprintf(stderr, "acre: two handlers have the number %u (runtime/active_message.hpp)\n",
                 static_cast<unsigned>(id));
    std::abort();
  }
  place = entry;
  return true;
}

}  // namespace

bool set_builtin_handler(handler_id id, builtin_handler handler, message_form form) noexcept {
  return enter(id, {.builtin = handler, .form = form});
}

bool set_owner_handler(handler_id id, owner_handler handler, message_form form) noexcept {
  return enter(id, {.owner = handler, .form = form});
}

bool set_answer_handler(handler_id id, owner_handler handler, message_form form) noexcept {
  return enter(id, {.owner = handler, .is_answer = true, .form = form});
}

}  // namespace acre::runtime
