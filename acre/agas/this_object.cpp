// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/this_object.hpp>

#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/objects.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstdint>

namespace acre::agas {
namespace {

/// Null if the call has ended.
gid object_of(std::uint64_t call) noexcept {
  const held_lock hold(space().lock);
  for (const running_call* each = space().running; each != nullptr; each = each->next) {
    if (each->tag.call == call) return each->object;
  }
  return {};
}

}  // namespace

gid current_object(const char* call) {
  const std::uint64_t number = runtime::current_call().call;
  const bool serves_object =
      runtime::code_here.serves.how == runtime::served_as::object_call && number != 0;
  const gid name = serves_object ? object_of(number) : gid();
  if (!name) {
    throw error(call,
                serves_object ? "the call of the object has ended"
                              : "this thread runs no function of an object",
                "call it in a function that invoke() or invoke_ff() runs; a coroutine or a "
                "continuation belongs to the call only if the function returns its future");
  }
  return name;
}

gid name_of_this_object(const char* call, object_type& wanted) {
  const gid name = current_object(call);
  require_type(name, wanted);
  return name;
}

reference refer_to_this_object(object_type& wanted) {
  const gid name = name_of_this_object("this_ref", wanted);
  if (!name.is_counted()) {
    throw error("this_ref",
                describe_object(name) + ", is not counted: it was created by create_id()",
                "use this_id(), or create the object with create() or create_here()");
  }
  if (held_credit* const held = copy_held_reference(name)) return reference(held);
  reference own = request_reference(name).get();
  if (!own) {
    throw error("this_ref",
                describe_object(name) + ", is about to end: its last reference has been dropped",
                "call the object by a reference, or keep one elsewhere until the call has ended");
  }
  return own;
}

}  // namespace acre::agas
