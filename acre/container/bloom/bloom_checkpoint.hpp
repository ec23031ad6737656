// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of Bloom filters, restored by teams of equal size: a filter contains no
// items that other owners could take.
//
//     acre::checkpoint(seen, "seen.acre");
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/type_name.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

namespace acre {

namespace container {

inline constexpr std::size_t words_of_saved_item = 4096;

/// The bits of an item depend on all of this.
template <class T, class Hash>
[[nodiscard]] global::saved_container content_of_filter(const bloom_filter<T, Hash>& filter) {
  auto content = global::description_of(typeid(filter), typeid(T), typeid(Hash));
  const bloom_parts& all = filter.guts();
  content.elements += ", " + std::to_string(all.members().size()) + " members, " +
                      std::to_string(all.blocks()) + " blocks of " +
                      std::to_string(filter.block_bits()) + " bits, " +
                      std::to_string(all.shape().draws) + " bits an item";
  return content;
}

}  // namespace container

/// As hash_checkpoint.hpp, without concurrent calls. Cost: B + 6 allgathers, a copy of own bits,
/// the writes.
template <class T, class Hash>
void checkpoint(const bloom_filter<T, Hash>& filter, const std::string& path,
                const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  filter.members().barrier(where);
  global::saved_pieces mine;
  global::run_together(filter.members(), "checkpoint", where, [&] {
    for (std::span<const std::uint64_t> rest = filter.guts().local_part().words(); !rest.empty();) {
      const std::size_t count = std::min(rest.size(), container::words_of_saved_item);
      mine.add(rest.first(count));
      rest = rest.subspan(count);
    }
  });
  mine.write(filter.members(), container::content_of_filter(filter), path, where);
}

/// Replaces all items, without concurrent calls. Cost: B + 5 allgathers, reads of own bits.
/// @throws acre::error on all members, without a change, if the file is unreadable, damaged, of
/// another container, or of a filter of another size, rate, hash or number of members
template <class T, class Hash>
void restore(bloom_filter<T, Hash>& filter, const std::string& path,
             const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  const team& members = filter.members();
  const global::saved_file file(members, container::content_of_filter(filter), path, where);
  const std::span<std::uint64_t> own = filter.guts().local_part().words();
  std::vector<std::uint64_t> words;
  global::run_together(members, "restore", where, [&] {
    const std::uint64_t pieces = file.content().pieces / members.size();
    global::for_each_saved(
        file.read(members.rank() * pieces, (members.rank() + std::uint64_t{1}) * pieces),
        [&](reader& from) {
          const auto some = from.read<std::vector<std::uint64_t>>();
          words.insert(words.end(), some.begin(), some.end());
        });
    if (words.size() != own.size()) {
      throw error("restore", path + " is damaged: it lacks parts of the filter",
                  "restore an older checkpoint");
    }
  });
  std::ranges::copy(words, own.begin());
  members.barrier(where);
}

}  // namespace acre
