// SPDX-License-Identifier: BSD-3-Clause
// Runs of a remote box, as sent in messages.
#pragma once

#include <acre/base/error.hpp>
#include <acre/fabric/box_copy.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace acre::global {

struct runs_there {
  std::uint64_t offset = 0;
  fabric::box_part runs{.shape = fabric::box(0), .first = 0, .count = 0};

  [[nodiscard]] std::byte* first() const noexcept { return runtime::world.segment + offset; }
  [[nodiscard]] std::span<const std::byte> as_payload() const noexcept {
    return std::as_bytes(std::span(this, 1));
  }
  /// Reads a payload at the owner.
  /// @throws acre::error if the runs exceed its segment
  [[nodiscard]] static runs_there of(std::span<const std::byte> payload) {
    runs_there found;
    if (payload.size() < sizeof(found)) throw_outside();
    std::memcpy(static_cast<void*>(&found), payload.data(), sizeof(found));
    if (found.runs.count == 0 || found.runs.shape.run_bytes() == 0 ||
        !found.runs.lies_in(found.offset, runtime::world.segment_bytes))
      throw_outside();
    return found;
  }
  [[noreturn]] static void throw_outside() {
    throw error("get_strided or put_strided", "the box is outside this rank's memory");
  }
};
static_assert(std::is_trivially_copyable_v<runs_there>);

[[nodiscard]] inline std::size_t runs_of_message(std::size_t run_bytes) noexcept {
  return (runtime::max_payload() - sizeof(runs_there)) / run_bytes;
}

template <class F>
void each_part(const runs_there& whole, std::size_t runs, F&& f) {
  assert(runs != 0);
  const std::size_t end = whole.runs.first + whole.runs.count;
  runs_there part = whole;
  for (std::size_t first = whole.runs.first; first < end; first += runs) {
    part.runs.first = first;
    part.runs.count = std::min(runs, end - first);
    f(part);
  }
}

/// Size of a stage, written by one put.
inline constexpr std::size_t stage_bytes = std::size_t{256} << 10;

[[nodiscard]] inline bool is_staged(std::size_t bytes) noexcept {
  constexpr std::size_t least = std::size_t{64} << 10;
  return bytes >= least && runtime::may_put_ahead(stage_bytes);
}

/// Completes `done` when the last piece drops its share.
class box_end {
 public:
  explicit box_end(fabric::operation& done) noexcept : done_(&done) {}
  ~box_end() {
    if (done_ != nullptr) done_->complete(*done_);
  }
  box_end(const box_end&) = delete;
  box_end& operator=(const box_end&) = delete;

  /// Prevents the completion of `done` if issuing failed, before the issuer drops its share.
  void give_up() noexcept { done_ = nullptr; }

 private:
  fabric::operation* done_;
};

/// Ownership of a box's end by each piece; null if only quiet() waits.
using box_share = std::shared_ptr<box_end>;

/// Calls issue(share). `done` completes after all pieces that hold the share; not if `issue`
/// throws.
template <class Issue>
void with_end(fabric::operation& done, Issue&& issue) {
  const auto end = std::make_shared<box_end>(done);
  try {
    issue(end);
  } catch (...) {
    end->give_up();
    throw;
  }
}

}  // namespace acre::global
