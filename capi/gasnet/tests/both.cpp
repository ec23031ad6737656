// SPDX-License-Identifier: BSD-3-Clause
// GASNet and Acre in one program that ends by a return from main: containers and active messages.
#include "../../check_on.h"
#include <acre/acre.hpp>

#include <gasnet.h>
#include <string>

namespace {

#define CHECK(condition) CHECK_ON(gasnet_mynode(), condition)

constexpr int count = 100;
int requests = 0;
int replies = 0;

constexpr gasnet_handler_t request_number = 201;
constexpr gasnet_handler_t reply_number = 202;

void handle_request(gasnet_token_t token, gasnet_handlerarg_t value) {
  ++requests;
  CHECK(gasnet_AMReplyShort1(token, reply_number, value) == GASNET_OK);
}

void handle_reply(gasnet_token_t, gasnet_handlerarg_t) { ++replies; }

void use_both() {
  const auto nodes = static_cast<int>(gasnet_nodes());
  const auto node = static_cast<int>(gasnet_mynode());
  CHECK(node == static_cast<int>(acre::rank()) && nodes == static_cast<int>(acre::size()));

  acre::hash_map<int, std::string> names(acre::world(), 4ULL * count * acre::size());
  acre::circular_queue<int> numbers(acre::world(), acre::hosted_by{0}, 10000);
  const auto next = static_cast<gasnet_node_t>((node + 1) % nodes);
  for (int i = 0; i < count; ++i) {
    names.insert(nodes * i + node, std::to_string(i));
    CHECK(gasnet_AMRequestShort1(next, request_number, i) == GASNET_OK);
    numbers.push(i);
  }
  GASNET_BLOCKUNTIL(requests == count && replies == count);
  acre::barrier();
  for (int i = 0; i < count; ++i)
    CHECK(names.find(nodes * i + static_cast<int>(next)) == std::to_string(i));
  if (node == 0) {
    long sum = 0;
    while (const auto value = numbers.pop()) sum += *value;
    CHECK(sum == long{nodes} * count * (count - 1) / 2);
  }
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  CHECK(gasnet_init(&argc, &argv) == GASNET_OK);
  gasnet_handlerentry_t handlers[] = {
      {request_number, reinterpret_cast<void (*)()>(handle_request)},
      {reply_number, reinterpret_cast<void (*)()>(handle_reply)}};
  CHECK(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0) == GASNET_OK);
  use_both();
  return 0;
}
