// One rank sends an RPC that sends another, and so on for ever, while all wait for all RPCs.
//
//     calls-endless drain|end
#include <acre/global/drain.hpp>
#include <acre/global/rpc.hpp>
#include <acre/runtime/job.hpp>

#include <string_view>

namespace {

void again() { acre::rpc_ff(acre::rank(), again); }

}  // namespace

int main(int, char** argv) {
  const acre::job job;
  if (acre::rank() == 1) again();
  if (std::string_view(argv[1]) == "drain") acre::drain();
  return 0;
}
