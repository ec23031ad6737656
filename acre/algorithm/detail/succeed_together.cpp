#include <acre/algorithm/detail/succeed_together.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {

void throw_failed_elsewhere(const char* call, const site& where) {
  throw error(call, "it failed on another member" + describe_place(where),
              "that member's exception says why");
}

}  // namespace acre::detail
