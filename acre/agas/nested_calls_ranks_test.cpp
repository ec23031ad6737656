// SPDX-License-Identifier: BSD-3-Clause
// Calls that run while another call of the same object is being sent.
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <tuple>
#include <vector>

namespace {

struct sink {
  int calls = 0;
  void take(const std::vector<char>& text) { calls += text.empty() ? 0 : 1; }
  int touch() { return ++calls; }
  friend auto acre_fields(sink& s) { return std::tie(s.calls); }
};

acre::object_id<sink> called;

/// A send without buffer space runs requests; one waits for a call ordered after the one being
/// sent.
TEST(NestedCalls, MayWaitForAnObjectThatIsBeingCalled) {
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  called = acre::create_id<sink>(next).get();
  acre::barrier();
  const std::vector<char> text(8'000, 'x');
  constexpr int calls = 4'000;
  for (int i = 0; i < calls; ++i) {
    if (i % 8 == 0) {
      acre::rpc_ff(
          next,
          [](const std::vector<char>&) { EXPECT_GT(acre::invoke(called, &sink::touch).get(), 0); },
          text);
    }
    acre::invoke_ff(called, &sink::take, text);
  }
  acre::drain();
  EXPECT_EQ(acre::invoke(called, &sink::calls).get(), calls + calls / 8);
  acre::barrier();
  acre::destroy(called).get();
}

}  // namespace
