#include <acre/runtime/handler_table.hpp>

namespace acre::runtime {

constinit std::array<handler_entry, 256> handlers{};

bool set_builtin_handler(handler_id id, builtin_handler handler, message_form least) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.builtin = handler, .least = least};
  return true;
}

bool set_owner_handler(handler_id id, owner_handler handler, message_form least) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.owner = handler, .least = least};
  return true;
}

bool set_answer_handler(handler_id id, owner_handler handler, message_form least) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.owner = handler, .is_answer = true, .least = least};
  return true;
}

}  // namespace acre::runtime
