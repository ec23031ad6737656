#include <acre/algorithm/transpose.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {

void require_transposed(const layout::coordinates<2>& in, const layout::coordinates<2>& out,
                        const site& where) {
  if (in[0] == out[1] && in[1] == out[0]) return;
  const auto text = [](const layout::coordinates<2>& extents) {
    return std::to_string(extents[0]) + " x " + std::to_string(extents[1]);
  };
  throw error("transpose",
              "a matrix of " + text(in) + " elements does not fit one of " + text(out) +
                  describe_place(where),
              "make it of " + text({in[1], in[0]}) + " elements");
}

}  // namespace acre::detail
