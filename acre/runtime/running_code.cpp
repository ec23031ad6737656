// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/running_code.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::runtime {

constinit thread_local running_code code_here;

std::string describe(const served_call& call) {
  const std::string caller = "rank " + std::to_string(call.caller);
  switch (call.how) {
    case served_as::child:
      return "a child that fork() created from " + caller;
    case served_as::program:
      break;
    case served_as::rpc:
      if (!call.must_not_wait) return "an RPC of " + caller;
      break;
    case served_as::object_call:
      if (!call.must_not_wait) return "a function of an object, called by " + caller;
      break;
  }
  return call.must_not_wait ? "the function of hash_map::update or apply" : "the program";
}

void throw_in_child(const char* call) {
  throw error(call, "called in " + describe(code_here.serves) + ", which is not a rank",
              "call Acre in the rank; its child may compute, use files and start programs");
}

void throw_collective_in_call(const char* collective) {
  if (code_here.serves.how == served_as::child) throw_in_child(collective);
  throw error(collective, "a collective call inside " + describe(code_here.serves) + " is refused",
              "let the function set a flag or fulfil a promise, then call the collective from the "
              "program on all ranks of the team");
}

void throw_must_not_wait(const char* call) {
  if (code_here.serves.how == served_as::child) throw_in_child(call);
  throw error(
      call,
      "called inside " + describe(code_here.serves) +
          ", which runs under the lock of its key: code run during a wait may need that lock",
      "let the function change the value and return; call Acre after hash_map::apply() has "
      "returned");
}

}  // namespace acre::runtime
