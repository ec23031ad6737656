#include <acre/runtime/served_call.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::runtime {

constinit thread_local served_call call_served;

namespace {

std::string describe_served() {
  if (call_served.holds_container_lock) {
    return "inside the function of hash_map::update or apply";
  }
  const char* const what = call_served.how == served_as::object_call
                               ? "a function of an object, called by"
                               : "an RPC of";
  return std::string("inside ") + what + " rank " + std::to_string(call_served.asker);
}

}  // namespace

void throw_collective_in_call(const char* collective) {
  throw error(collective, "a collective call " + describe_served() + " is refused",
              "all ranks of the team call it in their own program: let the function set a flag or "
              "fulfil a promise, and call the collective after that");
}

void throw_call_under_lock(const char* call) {
  throw error(call,
              std::string("called ") + describe_served() +
                  ", which runs under the lock of its key: what runs meanwhile may need that lock",
              "let the function change the value and return; call Acre after hash_map::apply() has "
              "returned");
}

}  // namespace acre::runtime
