// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/undisturbed_sends.hpp>

#include <acre/runtime/engine.hpp>

namespace acre::runtime {

void run_some_of_queue() {
  if (the_engine != nullptr) the_engine->run_some_of_queue();
}

}  // namespace acre::runtime
