#include <acre/array/detail/halo_plan.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {

void check_widths(std::span<const std::size_t> widths, std::span<const std::size_t> room,
                  const site& where) {
  for (std::size_t d = 0; d < widths.size(); ++d) {
    if (widths[d] <= room[d]) continue;
    throw error("halo",
                "a width of " + std::to_string(static_cast<std::ptrdiff_t>(widths[d])) +
                    " in dimension " + std::to_string(d) + ", where the matrix has margins of " +
                    std::to_string(room[d]) + describe_place(where),
                "make the matrix with wider margins: halo_matrix{team, extents, widths}");
  }
}

}  // namespace acre::detail
