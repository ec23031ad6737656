// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/detail/array_memory.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/memory.hpp>

#include <string>

namespace acre::arrays {

void throw_out_of_range(const char* name, const char* call, std::size_t index, std::size_t size,
                        const site& where) {
  const bool negative = static_cast<std::ptrdiff_t>(index) < 0;
  throw error(std::string(name) + "::" + call,
              "index " + std::to_string(index) + " is out of range (size " + std::to_string(size) +
                  ")" + describe_place(where),
              negative ? "the index is less than 0" : "indices must be from 0 to size() - 1");
}

brought_blocks gather_blocks(const team& members, const void* mine, std::size_t count,
                             std::size_t each, const std::type_info& type, std::uint64_t pattern,
                             const char* call, const site& where) {
  struct offer {
    std::uint64_t offset;
    std::uint64_t count;
    std::uint64_t digest;
  };
  const global::common_call same = global::common_call(call, where)
                                       .with_type("elements of", type)
                                       .with_identity("the extents or the pattern", pattern);
  const auto* const first = static_cast<const std::byte*>(mine);
  const bool is_there =
      count != 0 && runtime::in_segment(first) && runtime::in_segment(first + (count * each - 1));
  const auto offers = members.allgather(
      offer{is_there ? runtime::segment_offset(first) : 0, count, same.digest()}, where);
  brought_blocks all;
  for (const offer& brought : offers) {
    if (brought.digest != offers[0].digest) global::throw_calls_differ(members, same);
    if (brought.count != 0 && brought.offset == 0) {
      const auto member = static_cast<rank_t>(all.counts.size());
      throw error(call,
                  "the memory of member " + std::to_string(member) + " (rank " +
                      std::to_string(members.world_rank(member)) + ") is outside of its segment" +
                      describe_place(where),
                  "adopt memory of acre::allocate<T>(n).local(), or of a symmetric_array");
    }
    all.offsets.push_back(brought.offset);
    all.counts.push_back(brought.count);
  }
  return all;
}

void check_counts(std::span<const std::size_t> brought, std::span<const std::size_t> wanted,
                  const char* call, const site& where) {
  for (std::size_t member = 0; member < wanted.size(); ++member) {
    if (brought[member] == wanted[member]) continue;
    throw error(call,
                "member " + std::to_string(member) + " passes " + std::to_string(brought[member]) +
                    " elements, but its pattern requires " + std::to_string(wanted[member]) +
                    describe_place(where),
                "an array has equal blocks; for other block sizes use matrix<T, 1, …>::adopt with "
                "a pattern of dist::at");
  }
}

}  // namespace acre::arrays
