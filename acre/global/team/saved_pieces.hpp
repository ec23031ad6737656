// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of containers. A record is a piece: 256 KiB of packed items, or one larger item.
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

namespace acre::global {

struct saved_container {
  std::string container;
  std::string elements;
  std::uint64_t items = 0;
  std::uint64_t pieces = 0;
  std::uint64_t index = 0;

  friend auto acre_fields(saved_container& s) {
    return std::tie(s.container, s.elements, s.items, s.pieces, s.index);
  }
};

[[nodiscard]] saved_container description_of(const std::type_info& container,
                                             const std::type_info& first,
                                             const std::type_info& second);
template <class C>
[[nodiscard]] saved_container description_of_values() {
  return description_of(typeid(C), typeid(typename C::value_type), typeid(void));
}

class saved_pieces {
 public:
  template <class... T>
  void add(const T&... values) {
    const std::size_t bytes = serialized_size(values...);
    write_to(begin_item(room_for(packed_bytes(bytes)), bytes), values...);
    ++items_;
  }

  /// Collective. Cost: 5 allgathers, the writes.
  /// @throws acre::error on all members; an old file remains
  void write(const team& members, saved_container description, const std::string& path,
             const site& where) const;

 private:
  static constexpr std::size_t piece_bytes = std::size_t{256} << 10;

  /// Zeros at the end of a piece.
  [[nodiscard]] std::span<std::byte> room_for(std::size_t bytes);

  std::vector<std::byte> content_;
  std::vector<std::size_t> ends_;
  std::uint64_t items_ = 0;
};

class saved_file {
 public:
  /// Collective.
  /// @throws acre::error on all members if unreadable, or of another container
  saved_file(const team& members, const saved_container& expected, const std::string& path,
             const site& where);

  [[nodiscard]] const saved_container& content() const noexcept { return content_; }
  /// @throws acre::error if a piece is damaged
  [[nodiscard]] std::vector<std::vector<std::byte>> read(std::uint64_t first,
                                                         std::uint64_t last) const;
  [[nodiscard]] std::vector<std::vector<std::byte>> read_share() const;

 private:
  team_file file_;
  saved_container content_;
};

template <class Use>
void for_each_saved(const std::vector<std::vector<std::byte>>& pieces, Use&& use) {
  for (const std::vector<std::byte>& piece : pieces) {
    for_each_item(piece, [&](std::span<const std::byte> item) {
      reader from(item);
      use(from);
      from.expect_end();
    });
  }
}

}  // namespace acre::global
