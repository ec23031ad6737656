// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/memory/global_ptr.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace acre::global {

pointer_text describe_pointer(std::uint64_t bits) noexcept {
  pointer_text text{};
  char* next = text.characters;
  char* const end = next + sizeof(text.characters) - 1;
  const auto write = [&](std::string_view part) { next = std::ranges::copy(part, next).out; };
  if (bits == 0) {
    write("null");
    return text;
  }
  write("rank ");
  next = std::to_chars(next, end, bits >> offset_bits).ptr;
  write(" + 0x");
  std::to_chars(next, end, bits & offset_mask, 16);
  return text;
}

void throw_not_in_segment() {
  throw error("to_global", "the address is not in this rank's segment",
              "only memory from allocate() or a container can be addressed by other ranks");
}

void reject_pointer(std::uint64_t bits, std::size_t bytes, const char* call, const site& where) {
  std::string place = describe_place(where);
  if (place.empty()) place = " (used by a reference: *p, p[i] or a[i])";
  if (runtime::world.size == 0) {
    throw error(call, "Acre is not initialised" + place,
                "create an acre::job first: acre::job job;");
  }
  if (bits == 0) throw error(call, "the global pointer is null" + place);
  const auto target = bits >> offset_bits;
  if (target >= runtime::world.size) {
    throw error(call,
                "the global pointer names rank " + std::to_string(target) + ", but the job has " +
                    std::to_string(runtime::world.size) + " ranks" + place,
                "the pointer was never set, or was overwritten");
  }
  throw error(call,
              "offset " + std::to_string(bits & offset_mask) + " + " + format_size(bytes) +
                  " is beyond the segment of rank " + std::to_string(target) + " (" +
                  format_size(runtime::world.segment_bytes) + ")" + place,
              "the pointer was moved past its allocation, or the count is wrong");
}

}  // namespace acre::global
