#include <acre/global/succeed_together.hpp>

#include <acre/base/error.hpp>
#include <acre/global/reduction.hpp>

#include <string>

namespace acre::detail {

bool has_failed_anywhere(const team& members, bool here, const site& where) {
  return members.allreduce(here, op::logical_or, where);
}

void throw_failed_elsewhere(const char* call, const site& where, const char* what) {
  throw error(call, std::string(what) + " failed on another member" + describe_place(where),
              "that member's exception says why");
}

}  // namespace acre::detail
