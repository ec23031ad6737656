#include <acre/view/strided.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {

void throw_no_stride(std::ptrdiff_t step, const site& where) {
  throw error("views::strided",
              (step == 0 ? std::string("there is no every 0-th element")
                         : "a step of " + std::to_string(step) + ", which is negative") +
                  describe_place(where),
              "give the step between elements, at least 1");
}

}  // namespace acre::detail
