#include <acre/view/strided.hpp>

#include <acre/base/error.hpp>

namespace acre::detail {

void throw_no_stride(const site& where) {
  throw error("views::strided", "there is no every 0-th element" + describe_place(where),
              "give the step between elements, at least 1");
}

}  // namespace acre::detail
