// SPDX-License-Identifier: BSD-3-Clause
// The format of checkpoints: a beginning of 64 bytes; the description of the collections; for each
// collection an index, which holds for each member where its record is; the records, in any order,
// each at a multiple of 8 bytes and padded with zeros. A record has the links of a state (where in
// it there is a name, and of which member), and the state.
//
// Each byte has a checksum, or must be zero: the beginning with the description, and each record
// with its entry of the index. A rank that reads some members can check these on its own.
#pragma once

#include <acre/base/bits.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::agas::checkpoint_format {

/// The checksum of the format, computed in four lanes of words so that no step waits for the one
/// before it. Each step is one to one in the word and in the state: damage within one word is
/// always found.
class checksum {
 public:
  /// Pads with zeros to a multiple of 32 bytes.
  void add(std::span<const std::byte> bytes) noexcept {
    for (; bytes.size() >= sizeof lanes_; bytes = bytes.subspan(sizeof lanes_)) {
      add_line(bytes.data());
    }
    if (bytes.empty()) return;
    std::array<std::byte, sizeof lanes_> last{};
    std::memcpy(last.data(), bytes.data(), bytes.size());
    add_line(last.data());
  }
  template <class T>
  void add_object(const T& object) noexcept {
    add(std::as_bytes(std::span(&object, 1)));
  }
  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) all = mix_bits(all + lane);
    return all;
  }

 private:
  using lanes = std::array<std::uint64_t, 4>;
  void add_line(const std::byte* from) noexcept {
    lanes words;
    std::memcpy(words.data(), from, sizeof words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      lanes_[i] = std::rotl((lanes_[i] ^ words[i]) * golden_gamma, 29);
    }
  }

  lanes lanes_{1, 2, 3, 4};
};

inline constexpr std::array<char, 8> file_magic{'\x89', 'A', 'C', 'R', 'E', 'O', 'B', 'J'};
inline constexpr std::uint32_t file_format = 1;
inline constexpr std::uint32_t our_order = 0x01020304;

struct file_begin {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = 0;
  std::uint32_t format = 0;
  std::uint64_t bytes = 0;        ///< of the file
  std::uint64_t description = 0;  ///< bytes
  std::uint64_t check = 0;        ///< of this with a check of 0, and of the description
  std::array<std::uint64_t, 3> unused{};
};
static_assert(sizeof(file_begin) == 64);

/// Where the record of a member is. A member that was destroyed has offset and bytes of 0.
struct index_entry {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;
};

enum class link_kind : std::uint32_t { id, reference, collection };

struct link {
  std::uint64_t offset = 0;  ///< in the state
  std::uint64_t number = 0;  ///< of the member
  std::uint32_t part = 0;
  link_kind kind = link_kind::id;
};

[[nodiscard]] inline std::uint64_t check_of(file_begin begin,
                                            std::span<const std::byte> description) {
  begin.check = 0;
  checksum sum;
  sum.add_object(begin);
  sum.add(description);
  return sum.sum();
}
[[nodiscard]] inline std::uint64_t check_of(std::size_t part, std::size_t number,
                                            const index_entry& entry,
                                            std::span<const std::byte> content) {
  const std::array<std::uint64_t, 4> who{part, number, entry.offset, entry.bytes};
  checksum sum;
  sum.add_object(who);
  sum.add(content);
  return sum.sum();
}

}  // namespace acre::agas::checkpoint_format
