// What never ends while all wait for all RPCs: one that sends another, and so on for ever; or calls
// for a distributed object that their target does not make; or a call whose future is never ready.
//
//     calls-endless drain|end|object-drain|object-end|future-drain
#include <acre/global/dist_object.hpp>
#include <acre/global/drain.hpp>
#include <acre/global/rpc.hpp>
#include <acre/runtime/job.hpp>

#include <optional>
#include <string_view>

namespace {

void again() { acre::rpc_ff(acre::rank(), again); }

/// All ranks but rank 1 make an object, and call rank 1 for it.
std::optional<acre::dist_object<int>> call_for_object() {
  std::optional<acre::dist_object<int>> object;
  if (acre::rank() != 1) {
    object.emplace(acre::world(), 0);
    for (acre::rank_t i = 0; i <= acre::rank(); ++i) {
      acre::rpc_ff(1, [](acre::dist_object<int>& mine) { ++*mine; }, *object);
    }
    acre::rpc(1, [] {}).get();  // they are there
  }
  acre::barrier();
  return object;
}

}  // namespace

int main(int, char** argv) {
  const acre::job job;
  const std::string_view place(argv[1]);
  std::optional<acre::dist_object<int>> object;
  if (place.starts_with("object")) {
    object = call_for_object();
  } else if (place.starts_with("future")) {
    static acre::promise<> never;
    if (acre::rank() == 0) acre::rpc_ff(1, [] { return never.get_future(); });
  } else if (acre::rank() == 1) {
    again();
  }
  if (place.ends_with("drain")) acre::drain();
  return 0;
}
