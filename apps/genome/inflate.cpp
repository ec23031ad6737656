// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/inflate.hpp>

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace acre::genome {

struct inflater::state {
  enum class part { between_members, header, body, end };

  state(compressed_source source, std::size_t block_size)
      : fetch(std::move(source)), block(block_size) {}

  compressed_source fetch;
  std::vector<char> block;
  std::uint64_t fetched = 0;
  std::uint64_t produced = 0;
  part where = part::between_members;
  std::uint64_t members = 0;
  std::string head;
  std::uint64_t member_text = 0;
  isal_gzip_header header{};
  inflate_state isal{};
  std::optional<damaged_gzip> damage;  // reported after the text before it

  bool refill();
  void next_member();
  void read_header();
  void read_body(std::span<char> into, std::size_t& done);
  [[nodiscard]] bool is_block() const;
  [[nodiscard]] damaged_gzip cut_off() const;
  [[nodiscard]] damaged_gzip broken(int isal_result) const;
  [[nodiscard]] std::string place() const;
};

constexpr std::size_t block_head = 14;

bool inflater::state::is_block() const {
  constexpr unsigned has_extra = 4;
  return head.size() == block_head && (static_cast<unsigned>(head[3]) & has_extra) != 0 &&
         head.ends_with("BC");
}

bool inflater::state::refill() {
  if (isal.avail_in > 0) return true;
  const auto got = fetch(block);
  fetched += got;
  isal.next_in = reinterpret_cast<std::uint8_t*>(block.data());
  isal.avail_in = static_cast<std::uint32_t>(got);
  return got > 0;
}

/// Next member, end, or zero padding (ignored).
void inflater::state::next_member() {
  if (!refill()) {
    if (members == 0) throw cut_off();
    where = part::end;
    return;
  }
  if (members > 0 && *isal.next_in == 0) {
    ++isal.next_in;
    --isal.avail_in;
    return;
  }
  if (members > 0 && *isal.next_in != 0x1f) {
    throw damaged_gzip("the data after the gzip stream is not gzip" + place(),
                       "remove the appended data, or compress it as well");
  }
  const auto* next_in = isal.next_in;
  const auto avail_in = isal.avail_in;
  isal_inflate_init(&isal);
  isal_gzip_header_init(&header);
  isal.next_in = const_cast<std::uint8_t*>(next_in);
  isal.avail_in = avail_in;
  // A separate header call, as isal_inflate forgets its flags at a block border.
  isal.crc_flag = ISAL_GZIP_NO_HDR_VER;
  head.clear();
  member_text = 0;
  where = part::header;
}

void inflater::state::read_header() {
  if (!refill()) throw cut_off();
  const auto* const begin = reinterpret_cast<const char*>(isal.next_in);
  const auto bytes = std::min<std::size_t>(isal.avail_in, block_head - head.size());
  head.append(begin, bytes);
  const int result = isal_read_gzip_header(&isal, &header);
  if (result == ISAL_END_INPUT) return;
  if (result != ISAL_DECOMP_OK) throw broken(result);
  where = part::body;
}

void inflater::state::read_body(std::span<char> into, std::size_t& done) {
  // libisal may hold text without further input.
  const bool more = refill();
  const auto room = static_cast<std::uint32_t>(
      std::min<std::size_t>(into.size() - done, std::numeric_limits<std::uint32_t>::max()));
  isal.next_out = reinterpret_cast<std::uint8_t*>(into.data() + done);
  isal.avail_out = room;
  const int result = isal_inflate(&isal);
  const auto got = room - isal.avail_out;
  done += got;
  produced += got;
  member_text += got;
  if (result != ISAL_DECOMP_OK) throw broken(result);
  if (isal.block_state == ISAL_BLOCK_FINISH) {
    ++members;
    where = part::between_members;
  } else if (!more && got == 0) {
    throw cut_off();
  }
}

std::string inflater::state::place() const {
  return " (at compressed byte " + std::to_string(fetched - isal.avail_in) + ", after " +
         std::to_string(produced) + " bytes of text)";
}

damaged_gzip inflater::state::cut_off() const {
  return {"the gzip stream is truncated" + place(),
          "copy or download the file again; gzip -t tests a file"};
}

damaged_gzip inflater::state::broken(int isal_result) const {
  std::string what = "the compressed data is corrupt";
  if (isal_result == ISAL_INCORRECT_CHECKSUM) {
    what = "the checksum of the text differs from the one that gzip stored";
  } else if (isal_result == ISAL_INVALID_WRAPPER) {
    what = "the gzip header is missing";
  } else if (isal_result == ISAL_UNSUPPORTED_METHOD) {
    what = "the compression method is not deflate";
  }
  return {what + place(), "copy or download the file again; gzip -t tests a file"};
}

inflater::inflater(compressed_source source, std::size_t block_size)
    : state_(std::make_unique<state>(std::move(source), block_size)) {}
inflater::inflater(inflater&&) noexcept = default;
inflater& inflater::operator=(inflater&&) noexcept = default;
inflater::~inflater() = default;

std::string inflater::warning() const {
  const bool is_cut =
      state_->where == state::part::end && state_->is_block() && state_->member_text > 0;
  return is_cut ? "the BGZF file has no end-of-file block: it is probably truncated" : "";
}

std::uint64_t inflater::compressed_bytes() const noexcept {
  return state_->fetched - state_->isal.avail_in;
}

std::size_t inflater::read(std::span<char> into) {
  state& s = *state_;
  if (s.damage) throw damaged_gzip(*s.damage);
  std::size_t done = 0;
  try {
    while (done < into.size() && s.where != state::part::end) {
      switch (s.where) {
        case state::part::between_members:
          s.next_member();
          break;
        case state::part::header:
          s.read_header();
          break;
        case state::part::body:
          s.read_body(into, done);
          break;
        case state::part::end:
          break;
      }
    }
  } catch (const damaged_gzip& damage) {
    s.damage = damage;
    if (done == 0) throw;
  }
  return done;
}

}  // namespace acre::genome
