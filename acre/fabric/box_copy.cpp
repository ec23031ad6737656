// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/box_copy.hpp>

#include <acre/base/constant_size.hpp>

#include <cstring>

namespace acre::fabric {
namespace {

struct places {
  std::ptrdiff_t first;
  std::ptrdiff_t step;
};
constexpr auto remote_side = [](const box::line& line) noexcept {
  return places{line.remote, line.remote_step};
};
constexpr auto local_side = [](const box::line& line) noexcept {
  return places{line.local, line.local_step};
};

template <class Bytes>
void copy_line(std::byte* to, std::ptrdiff_t to_step, const std::byte* from,
               std::ptrdiff_t from_step, std::size_t runs, Bytes bytes) noexcept {
  for (; runs != 0; --runs) {
    std::memcpy(to, from, bytes);
    to += to_step;
    from += from_step;
  }
}

template <class Copy>
void each_line(const box& shape, std::size_t first, std::size_t count, Copy&& copy) noexcept {
  with_constant_size<4, 8, 16, 32, 64>(shape.run_bytes(), [&](auto bytes) {
    shape.each_line(first, count, [&](const box::line& line) { copy(line, bytes); });
  });
}

template <class ToSide, class FromSide>
void copy_box(std::byte* to, ToSide to_side, const std::byte* from, FromSide from_side,
              const box& shape) noexcept {
  each_line(shape, 0, shape.runs(), [&](const box::line& line, auto bytes) {
    const places there = to_side(line);
    const places here = from_side(line);
    copy_line(to + there.first, there.step, from + here.first, here.step, line.runs, bytes);
  });
}

template <class Side>
void pack(std::byte* packed, const std::byte* from, Side side, const box_part& part) noexcept {
  each_line(part.shape, part.first, part.count, [&](const box::line& line, auto bytes) {
    const places runs = side(line);
    copy_line(packed, static_cast<std::ptrdiff_t>(bytes), from + runs.first, runs.step, line.runs,
              bytes);
    packed += line.runs * bytes;
  });
}

template <class Side>
void unpack(std::byte* to, const std::byte* packed, Side side, const box_part& part) noexcept {
  each_line(part.shape, part.first, part.count, [&](const box::line& line, auto bytes) {
    const places runs = side(line);
    copy_line(to + runs.first, runs.step, packed, static_cast<std::ptrdiff_t>(bytes), line.runs,
              bytes);
    packed += line.runs * bytes;
  });
}

std::uint64_t magnitude(std::ptrdiff_t distance) noexcept {
  const auto bits = static_cast<std::uint64_t>(distance);
  return distance < 0 ? -bits : bits;
}

}  // namespace

bool box::lies_in(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  if (used_ > most_dimensions || offset > bytes || run_bytes_ > bytes - offset) return false;
  std::uint64_t before = offset;
  std::uint64_t behind = bytes - offset - run_bytes_;
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t countable = most;
  std::uint64_t runs = 1;
  for (std::size_t d = 0; d < used_; ++d) {
    const dimension& each = dimensions_[d];
    if (each.count < 2 || runs > ~std::uint64_t{0} / each.count) return false;
    runs *= each.count;
    std::uint64_t& room = each.remote < 0 ? before : behind;
    const std::uint64_t distance = magnitude(each.remote);
    const std::uint64_t steps = each.count - 1;
    if (distance != 0 && steps > room / distance) return false;
    room -= steps * distance;
    const std::uint64_t elsewhere = magnitude(each.local);
    if (elsewhere > countable / each.count) return false;
    countable -= elsewhere * each.count;
  }
  if (run_bytes_ != 0 && runs > most / run_bytes_) return false;
  return runs_ == runs || (runs_ == 0 && used_ == 0);
}

void copy_to_remote(std::byte* remote, const std::byte* local, const box& shape) noexcept {
  copy_box(remote, remote_side, local, local_side, shape);
}
void copy_to_local(std::byte* local, const std::byte* remote, const box& shape) noexcept {
  copy_box(local, local_side, remote, remote_side, shape);
}

void pack_remote(std::byte* packed, const std::byte* remote, const box_part& part) noexcept {
  pack(packed, remote, remote_side, part);
}
void pack_local(std::byte* packed, const std::byte* local, const box_part& part) noexcept {
  pack(packed, local, local_side, part);
}
void unpack_remote(std::byte* remote, const std::byte* packed, const box_part& part) noexcept {
  unpack(remote, packed, remote_side, part);
}
void unpack_local(std::byte* local, const std::byte* packed, const box_part& part) noexcept {
  unpack(local, packed, local_side, part);
}

}  // namespace acre::fabric
