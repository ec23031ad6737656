// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of containers as files of records (global/team/record_file.hpp). A record is a piece:
// 256 KiB of packed items, or one larger item. So any number of ranks can share the pieces.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/global/wire/serialization.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <typeinfo>
#include <vector>

namespace acre::container {

struct saved_container {
  std::string container;  ///< "acre::hash_map"
  std::string elements;   ///< types of keys and values
  std::uint64_t items = 0;
  std::uint64_t pieces = 0;
  std::uint64_t index = 0;  ///< offset

  friend auto acre_fields(saved_container& s) {
    return std::tie(s.container, s.elements, s.items, s.pieces, s.index);
  }
};

[[nodiscard]] saved_container description_of(const std::type_info& container,
                                             const std::type_info& first,
                                             const std::type_info& second);

/// This rank's items.
class saved_pieces {
 public:
  template <class... T>
  void add(const T&... values) {
    const std::size_t bytes = serialized_size(values...);
    write_to(global::begin_item(room_for(global::packed_bytes(bytes)), bytes), values...);
    ++items_;
  }

  /// Writes all members' pieces. Collective. Cost: 1 allgather, 4 more of the file, the writes.
  /// @throws acre::error on all members; an old file remains then
  void write(const team& members, saved_container description, const std::string& path,
             const site& where) const;

 private:
  static constexpr std::size_t piece_bytes = std::size_t{256} << 10;

  /// Zeros at the end of the current piece.
  [[nodiscard]] std::span<std::byte> room_for(std::size_t bytes);

  std::vector<std::byte> content_;
  std::vector<std::size_t> ends_;  ///< of the pieces in content_
  std::uint64_t items_ = 0;
};

class saved_file {
 public:
  /// Collective.
  /// @throws acre::error on all members if the file is unreadable, or contains another container
  saved_file(const team& members, const saved_container& expected, const std::string& path,
             const site& where);

  [[nodiscard]] const saved_container& content() const noexcept { return content_; }
  /// @throws acre::error if a piece is damaged
  [[nodiscard]] std::vector<std::vector<std::byte>> read(std::uint64_t first,
                                                         std::uint64_t last) const;
  /// Pieces of this member.
  [[nodiscard]] std::vector<std::vector<std::byte>> read_share() const;

 private:
  global::team_file file_;
  saved_container content_;
};

/// Calls use(reader) for each item.
template <class Use>
void for_each_saved(const std::vector<std::vector<std::byte>>& pieces, Use&& use) {
  for (const std::vector<std::byte>& piece : pieces) {
    global::for_each_item(piece, [&](std::span<const std::byte> item) {
      reader from(item);
      use(from);
      from.expect_end();
    });
  }
}

}  // namespace acre::container
