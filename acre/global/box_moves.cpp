#include <acre/global/box_moves.hpp>

#include <acre/fabric/box_copy.hpp>
#include <acre/global/at_owner.hpp>
#include <acre/global/posted_request.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
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
using fabric::box_part;

/// What a message is about: some runs of a box, whose first byte lies at an offset of the owner's
/// segment. It goes as it is in front of a payload.
struct runs_there {
  std::uint64_t offset;
  box_part runs;

  [[nodiscard]] std::byte* first() const noexcept { return runtime::world.segment + offset; }
};
static_assert(std::is_trivially_copyable_v<runs_there>);

[[nodiscard]] runs_there runs_of(const asked& request) {
  runs_there which{.offset = 0, .runs = {.shape = box(0), .first = 0, .count = 0}};
  std::memcpy(static_cast<void*>(&which), request.payload.data(), sizeof(which));
  return which;
}

struct reading_runs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    const runs_there which = runs_of(request);
    fabric::pack_remote(reply.room(which.runs.bytes()).data(), which.first(), which.runs);
  }
};

struct writing_runs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer&) {
    const runs_there which = runs_of(request);
    fabric::unpack_remote(which.first(), request.payload.data() + sizeof(which), which.runs);
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
  const std::size_t most = runtime::max_payload() - sizeof(runs_there);
  const std::size_t runs = std::max(most / shape.run_bytes(), std::size_t{1});
  for (std::size_t first = 0; first < shape.runs(); first += runs) {
    const std::size_t count = std::min(runs, shape.runs() - first);
    ask(runs_there{.offset = bits & offset_mask,
                   .runs = {.shape = shape, .first = first, .count = count}});
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
  fabric::copy_to_remote(there, static_cast<const std::byte*>(here), shape);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void get_near_box(const std::byte* there, void* here, const box& shape) noexcept {
  using enum runtime::counted;
  count_runs(direct_get, direct_get_bytes, shape);
  fabric::copy_to_local(static_cast<std::byte*>(here), there, shape);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void put_far_box_nbi(std::uint64_t target, const void* source, const box& shape) {
  if (is_for_provider(shape)) return runtime::put_remote_nbi(target, source, shape);
  const auto owner = static_cast<rank_t>(target >> offset_bits);
  std::vector<std::byte> payload;
  each_message(target, shape, [&](const runs_there& which) {
    payload.resize(sizeof(which) + which.runs.bytes());
    std::memcpy(payload.data(), &which, sizeof(which));
    fabric::pack_local(payload.data() + sizeof(which), static_cast<const std::byte*>(source),
                       which.runs);
    at_owner::post(at_owner::request_for<writing_runs>(owner, {}, payload, "put_strided"),
                   [](const at_owner::request_record&) {});
  });
}

void get_far_box_nbi(std::uint64_t source, void* destination, const box& shape) {
  if (is_for_provider(shape)) return runtime::get_remote_nbi(source, destination, shape);
  const auto owner = static_cast<rank_t>(source >> offset_bits);
  each_message(source, shape, [&](const runs_there& which) {
    const auto payload = std::as_bytes(std::span(&which, 1));
    at_owner::post(at_owner::request_for<reading_runs>(owner, {}, payload, "get_strided"),
                   [destination, runs = which.runs](const at_owner::request_record& done) {
                     fabric::unpack_local(static_cast<std::byte*>(destination), done.bytes.data(),
                                          runs);
                   });
  });
}

}  // namespace acre::detail
