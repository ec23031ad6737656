// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/detail/packed_put.hpp>

#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/posted_request.hpp>
#include <acre/global/transfer/detail/lent_stages.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/put_message.hpp>
#include <acre/runtime/remote.hpp>

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace acre::global {
namespace {

using at_owner::answer;
using at_owner::asked;
using fabric::word;

struct writing_runs {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer&) {
    const runs_there which = runs_there::of(request.payload);
    if (request.payload.size() - sizeof(which) < which.runs.bytes()) runs_there::throw_outside();
    fabric::unpack_remote(which.first(), request.payload.data() + sizeof(which), which.runs);
  }
};

struct unpacking {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer&) {
    const runs_there which = runs_there::of(request.payload);
    const std::byte* const stage =
        runtime::address_here(fabric::segment_region, request.words[0], which.runs.bytes());
    if (stage == nullptr) runs_there::throw_outside();
    fabric::unpack_remote(which.first(), stage, which.runs);
  }
};

void put_in_messages(rank_t owner, const runs_there& target, const std::byte* source,
                     const box_share& share) {
  std::vector<std::byte> payload;
  each_part(target, runs_of_message(target.runs.shape.run_bytes()), [&](const runs_there& part) {
    const auto head = part.as_payload();
    payload.assign(head.begin(), head.end());
    payload.resize(head.size() + part.runs.bytes());
    fabric::pack_local(payload.data() + head.size(), source, part.runs);
    at_owner::post(at_owner::request_for<writing_runs>(owner, {}, payload, "put_strided"),
                   [share](const at_owner::request_record&) {});
  });
}

template <class Kept>
struct end_of_read {
  Kept kept;
  void operator()(const fabric::operation&) const noexcept {}
};

template <class Kept>
void put_into(std::uint64_t stage, const std::byte* first, std::size_t bytes, Kept kept) {
  runtime::finish_anywhere<fabric::operation>(
      end_of_read<Kept>{std::move(kept)},
      [=](fabric::operation& sent, auto&) { runtime::put_ahead(stage, first, bytes, sent); });
}

void put_into(std::uint64_t stage, const fabric::box_part& part, const std::byte* source) {
  const std::size_t bytes = part.bytes();
  if (part.shape.is_dense_here()) {
    const std::byte* const first = source + part.first * part.shape.run_bytes();
    return put_into(stage, first, bytes, nullptr);
  }
  auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
  std::byte* const first = packed.get();
  fabric::pack_local(first, source, part);
  put_into(stage, first, bytes, std::move(packed));
}

/// The answer implies that the network has read the source.
void put_by_stage(rank_t owner, const runs_there& part, const std::byte* source,
                  const box_share& share) {
  lent_stage stage = borrow_stage(owner);
  if (!stage) return put_in_messages(owner, part, source, share);
  put_into(stage.bits(), part.runs, source);
  const std::array<word, 1> words{stage.bits() & offset_mask};
  at_owner::post(at_owner::request_for<unpacking>(owner, words, part.as_payload(), "put_strided"),
                 [bits = stage.bits(), share](const at_owner::request_record&) noexcept {
                   give_stage_back(bits);
                 });
  stage.keep();
}

}  // namespace

void put_packed(rank_t owner, const runs_there& target, const std::byte* source,
                const box_share& share) {
  if (!is_staged(target.runs.bytes())) return put_in_messages(owner, target, source, share);
  each_part(target, stage_bytes / target.runs.shape.run_bytes(),
            [&](const runs_there& part) { put_by_stage(owner, part, source, share); });
}

}  // namespace acre::global
