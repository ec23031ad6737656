// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/create_copy.hpp>

#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/objects.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::agas {
namespace {

/// Aligned, as a reader needs.
class state_words final : public state_room {
 public:
  [[nodiscard]] std::span<std::byte> make(std::size_t bytes) override {
    words_.resize((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    return std::as_writable_bytes(std::span(words_)).first(bytes);
  }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const noexcept { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

reference make_from(std::uint16_t type_number, std::span<const std::uint64_t> state) {
  object_type* const type = type_of_number(type_number);
  if (type == nullptr) {
    throw error("create_copy", "the object's type is unknown in this rank's binary",
                "run the same binary on all ranks");
  }
  reader from(std::as_bytes(state));
  object_owner made(type->load(from));
  made->type = type;
  return reference(first_reference(settle(std::move(made), true)));
}

}  // namespace

future<reference> copy_this_object(rank_t to) {
  const gid name = current_object("create_copy");
  hosted_object* object = nullptr;
  {
    const held_lock hold(space().lock);
    object = space().find(name);
  }
  if (!object->type->is_movable()) {
    throw error("create_copy", describe_object(name) + ", cannot be copied: it cannot be sent",
                "define acre_fields, or acre_save and acre_load, for its class "
                "(serialization.hpp)");
  }
  if (to >= size()) {
    throw error("create_copy", describe_object(name) + ", cannot be copied to rank " +
                                   std::to_string(to) + " in a job of " + std::to_string(size()) +
                                   " ranks");
  }
  state_words state;
  credit_trail shared;
  try {
    object->type->save(*object, state);
  } catch (...) {
    shared.undo();
    throw;
  }
  return rpc(to, make_from, name.type(), state.words());
}

}  // namespace acre::agas
