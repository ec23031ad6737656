#include <acre/global/box_moves.hpp>

#include <acre/global/at_owner.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::detail {
namespace {

using at_owner::answer;
using at_owner::asked;
using fabric::box;
using fabric::word;

/// Copies of so many bytes; those of a cache line and its parts are made inline.
template <class Copy>
void with_run_bytes(std::size_t bytes, Copy&& copy) {
  switch (bytes) {
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    case 16:
      return copy(std::integral_constant<std::size_t, 16>());
    case 32:
      return copy(std::integral_constant<std::size_t, 32>());
    case 64:
      return copy(std::integral_constant<std::size_t, 64>());
    default:
      return copy(bytes);
  }
}

/// What a message is about: some runs of a box, whose first byte lies at an offset of the owner's
/// segment. It goes as it is in front of a payload.
struct packed_runs {
  std::uint64_t offset;
  box shape;
  std::size_t first;
  std::size_t count;
};
static_assert(std::is_trivially_copyable_v<packed_runs>);

/// Calls move(remote, local, bytes) for each of the runs, whose places are counted from the box's
/// first byte on either side.
template <class Move>
void each_run(const packed_runs& which, Move&& move) {
  box::walk at(which.shape, which.first);
  for (std::size_t i = 0; i < which.count; ++i, at.next()) move(at.remote(), at.local());
}

void pack(std::byte* to, const std::byte* first, const packed_runs& which, bool is_remote) {
  with_run_bytes(which.shape.run_bytes(), [&](auto bytes) {
    each_run(which, [&](std::ptrdiff_t remote, std::ptrdiff_t local) {
      std::memcpy(to, first + (is_remote ? remote : local), bytes);
      to += bytes;
    });
  });
}
void unpack(std::byte* first, const std::byte* from, const packed_runs& which, bool is_remote) {
  with_run_bytes(which.shape.run_bytes(), [&](auto bytes) {
    each_run(which, [&](std::ptrdiff_t remote, std::ptrdiff_t local) {
      std::memcpy(first + (is_remote ? remote : local), from, bytes);
      from += bytes;
    });
  });
}

[[nodiscard]] packed_runs runs_of(const asked& request) {
  packed_runs which{.offset = 0, .shape = box(0), .first = 0, .count = 0};
  std::memcpy(static_cast<void*>(&which), request.payload.data(), sizeof(which));
  return which;
}

struct reading_runs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    const packed_runs which = runs_of(request);
    pack(reply.room(which.count * which.shape.run_bytes()).data(),
         runtime::world.segment + which.offset, which, true);
  }
};

struct writing_runs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer&) {
    const packed_runs which = runs_of(request);
    unpack(runtime::world.segment + which.offset, request.payload.data() + sizeof(which), which,
           true);
  }
};

/// Whether a box goes as the provider likes: its runs are few, or so long that one takes longer
/// than what a message costs.
[[nodiscard]] bool is_for_provider(const box& shape) noexcept {
  constexpr std::size_t few = 8;
  constexpr std::size_t long_run = std::size_t{4} << 10;
  return shape.runs() < few || shape.run_bytes() >= long_run;
}

/// Calls ask(runs) for parts of the box that a message carries.
template <class Ask>
void each_message(std::uint64_t bits, const box& shape, Ask&& ask) {
  const std::size_t most = runtime::max_payload() - sizeof(packed_runs);
  const std::size_t runs = std::max(most / shape.run_bytes(), std::size_t{1});
  for (std::size_t first = 0; first < shape.runs(); first += runs) {
    ask(packed_runs{.offset = bits & offset_mask,
                    .shape = shape,
                    .first = first,
                    .count = std::min(runs, shape.runs() - first)});
  }
}

/// Sends a request of which quiet() waits for the answer, and for when_done(bytes).
template <class WhenDone>
void post(const at_owner::request& what, WhenDone when_done) {
  runtime::begin_posted();
  try {
    runtime::finish_anywhere<at_owner::request_record>(
        [when_done](const at_owner::request_record& done) noexcept {
          if (!done.failed) when_done(done.bytes);
          runtime::count_answer(done.failed);
        },
        [&](at_owner::request_record& record, auto&) { at_owner::send_request(what, record); });
  } catch (...) {
    runtime::cancel_posted();
    throw;
  }
}

void count_runs(runtime::counted operations, runtime::counted volume, const box& shape) noexcept {
  runtime::count(operations, shape.runs());
  runtime::count(volume, shape.bytes());
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace

void put_near_box(std::byte* there, const void* here, const box& shape) noexcept {
  using enum runtime::counted;
  count_runs(direct_put, direct_put_bytes, shape);
  const auto* const from = static_cast<const std::byte*>(here);
  with_run_bytes(shape.run_bytes(), [&](auto bytes) {
    shape.each_run([&](std::ptrdiff_t remote, std::ptrdiff_t local) {
      std::memcpy(there + remote, from + local, bytes);
    });
  });
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void get_near_box(const std::byte* there, void* here, const box& shape) noexcept {
  using enum runtime::counted;
  count_runs(direct_get, direct_get_bytes, shape);
  auto* const to = static_cast<std::byte*>(here);
  with_run_bytes(shape.run_bytes(), [&](auto bytes) {
    shape.each_run([&](std::ptrdiff_t remote, std::ptrdiff_t local) {
      std::memcpy(to + local, there + remote, bytes);
    });
  });
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void put_far_box_nbi(std::uint64_t target, const void* source, const box& shape) {
  if (is_for_provider(shape)) return runtime::put_remote_nbi(target, source, shape);
  std::vector<std::byte> payload;
  each_message(target, shape, [&](const packed_runs& which) {
    payload.resize(sizeof(which) + which.count * shape.run_bytes());
    std::memcpy(payload.data(), &which, sizeof(which));
    pack(payload.data() + sizeof(which), static_cast<const std::byte*>(source), which, false);
    post(at_owner::request_for<writing_runs>(static_cast<rank_t>(target >> offset_bits), {},
                                             payload, "put_strided"),
         [](const std::vector<std::byte>&) {});
  });
}

void get_far_box_nbi(std::uint64_t source, void* destination, const box& shape) {
  if (is_for_provider(shape)) return runtime::get_remote_nbi(source, destination, shape);
  each_message(source, shape, [&](const packed_runs& which) {
    std::array<std::byte, sizeof(which)> payload;
    std::memcpy(payload.data(), &which, sizeof(which));
    post(at_owner::request_for<reading_runs>(static_cast<rank_t>(source >> offset_bits), {},
                                             payload, "get_strided"),
         [destination, which](const std::vector<std::byte>& bytes) {
           unpack(static_cast<std::byte*>(destination), bytes.data(), which, false);
         });
  });
}

}  // namespace acre::detail
