// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of the conduit over libfabric (ofi.hpp).
#include <acre/fabric/ofi.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace acre::fabric {

remote_place ofi::place(rank_t target, region_key key, std::uint64_t offset) const {
  return remote_.place(target, key, offset, line());
}

ofi::lane ofi::choose_lane(rank_t target, region_key key, std::uint64_t offset, std::size_t bytes) {
  if (!stripes_.empty() && bytes == offers().max_transfer) {
    const std::size_t number =
        next_lane_.fetch_add(1, std::memory_order_relaxed) % (stripes_.size() + 1);
    if (number != 0) {
      const ofi_stripe& other = *stripes_[number - 1];
      return {other.fabric.endpoint.get(), other.remote.place(target, key, offset, line()),
              &line().other_puts};
    }
  }
  return {endpoint(), place(target, key, offset), nullptr};
}

ssize_t ofi::put_otherwise(void* end, const void* source, std::size_t bytes, void*,
                           std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                           void* context) {
  auto* const endpoint = static_cast<fid_ep*>(end);
  auto& self = *static_cast<ofi*>(endpoint->fid.context);
  const auto rank = static_cast<rank_t>(target);
  if (self.congested()) return -FI_EAGAIN;
  const bool translated = self.request_.addressing != ofi_addressing::offsets;
  const remote_place where = translated ? self.place(rank, static_cast<region_key>(key), offset)
                                        : remote_place{offset, key};
  switch (self.request_.puts) {
    case small_put::bare:
    case small_put::write:
      return fi_write(endpoint, source, bytes, nullptr, target, where.address, where.key, context);
    case small_put::message:
      return put_by_message(endpoint, source, bytes, nullptr, target, where.address, where.key,
                            context);
    case small_put::bounce:
      return self.put_from_slot(source, bytes, rank, where);
  }
  return -FI_EINVAL;
}

ssize_t ofi::put_from_slot(const void* source, std::size_t bytes, rank_t target,
                           remote_place where) {
  send_slots& slots = messages_->slots();
  const unsigned slot = slots.claim(target);
  if (slot == send_slots::none) return -FI_EAGAIN;
  std::memcpy(slots.memory(slot), source, bytes);
  const ssize_t result = issue_put(endpoint(), slots.memory(slot), bytes, target, where.address,
                                   where.key, slots.context(slot), FI_COMPLETION);
  if (result != 0) slots.release(slot);
  return result;
}

bool ofi::congested() const noexcept { return careful_ && issued() - completed() > careful_dose; }

bool ofi::refused(ssize_t result, rank_t target) {
  line().issued.fetch_sub(1, std::memory_order_acq_rel);
  if (result == -FI_EAGAIN) return false;
  require_descriptors();
  report_unreachable(result, target);
}

template <class Issue>
bool ofi::try_issue(direct_line::counted_apart* apart, rank_t target, Issue&& issue) {
  apart != nullptr ? line().begin(*apart) : count_issued();
  const ssize_t result = congested() ? -FI_EAGAIN : issue();
  if (result == 0) return true;
  if (apart != nullptr) direct_line::refuse(*apart);
  return refused(result, target);
}

bool ofi::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                  std::size_t bytes) {
  if (bytes > max_inject_) return try_put_large(target, key, offset, source, bytes);
  count_issued();
  const ssize_t result =
      line().put(line().end, source, bytes, nullptr, target, offset, line().keys[key], nullptr);
  return result == 0 || refused(result, target);
}

bool ofi::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                  std::size_t bytes) {
  const lane by = choose_lane(target, key, offset, bytes);
  return try_issue(&line().gets, target, [&] {
    return issue_get(by.endpoint, destination, bytes, target, by.where.address, by.where.key,
                     nullptr, 0);
  });
}

bool ofi::try_put_large(rank_t target, region_key key, std::uint64_t offset, const void* source,
                        std::size_t bytes) {
  const lane by = choose_lane(target, key, offset, bytes);
  return try_issue(by.puts, target, [&] {
    return issue_put(by.endpoint, source, bytes, target, by.where.address, by.where.key, nullptr,
                     0);
  });
}

bool ofi::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                  std::size_t bytes, operation& done) {
  const lane by = choose_lane(target, key, offset, bytes);
  const bool copy = bytes <= max_inject_ && request_.puts != small_put::bounce;
  return try_issue(by.puts, target, [&] {
    return issue_put(by.endpoint, source, bytes, target, by.where.address, by.where.key,
                     done.reserved, FI_COMPLETION | (copy ? FI_INJECT : 0));
  });
}

bool ofi::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                  std::size_t bytes, operation& done) {
  const lane by = choose_lane(target, key, offset, bytes);
  return try_issue(&line().gets, target, [&] {
    return issue_get(by.endpoint, destination, bytes, target, by.where.address, by.where.key,
                     done.reserved, FI_COMPLETION);
  });
}

bool ofi::try_put_ahead(rank_t target, region_key key, std::uint64_t offset, const void* source,
                        std::size_t bytes, operation& sent) {
  if (!offers().messages_follow_puts) return try_put(target, key, offset, source, bytes, sent);
  const remote_place where = place(target, key, offset);
  return try_issue(nullptr, target, [&] {
    return issue_write(endpoint(), source, bytes, target, where.address, where.key, sent.reserved,
                       FI_COMPLETION);
  });
}

/// Issues several runs from `at` on as one operation.
/// @return number of runs issued; 0: no room
std::size_t ofi::move_runs(direction way, rank_t target, region_key key, std::uint64_t offset,
                           std::byte* local, box::walk& at, std::size_t run_bytes) {
  constexpr std::size_t most = 8;
  std::array<iovec, most> here;
  std::array<fi_rma_iov, most> there;
  const fi_tx_attr& limits = *fabric_.info->tx_attr;
  const std::size_t count = std::min(
      {at.left(), most, std::max<std::size_t>(std::min(limits.iov_limit, limits.rma_iov_limit), 1),
       offers().max_transfer / run_bytes});
  box::walk next = at;
  for (std::size_t i = 0; i < count; ++i, next.next()) {
    const remote_place where =
        place(target, key, offset + static_cast<std::uint64_t>(next.remote()));
    here[i] = {local + next.local(), run_bytes};
    there[i] = {where.address, run_bytes, where.key};
  }
  const fi_msg_rma message{.msg_iov = here.data(),
                           .desc = nullptr,
                           .iov_count = count,
                           .addr = target,
                           .rma_iov = there.data(),
                           .rma_iov_count = count,
                           .context = nullptr,
                           .data = 0};
  const bool is_issued = try_issue(way == direction::get ? &line().gets : nullptr, target, [&] {
    return way == direction::put ? fi_writemsg(endpoint(), &message, FI_DELIVERY_COMPLETE)
                                 : fi_readmsg(endpoint(), &message, 0);
  });
  if (!is_issued) return 0;
  at = next;
  return count;
}

std::size_t ofi::move_box(direction way, rank_t target, region_key key, std::uint64_t offset,
                          std::byte* local, const box& shape, std::size_t first_run) {
  std::size_t done = 0;
  for (box::walk at(shape, first_run); at.left() != 0;) {
    const std::size_t taken = move_runs(way, target, key, offset, local, at, shape.run_bytes());
    if (taken == 0) break;
    done += taken;
  }
  return done;
}

std::size_t ofi::try_put_box(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, const box& shape, std::size_t first_run) {
  auto* const local = static_cast<std::byte*>(const_cast<void*>(source));
  return move_box(direction::put, target, key, offset, local, shape, first_run);
}

std::size_t ofi::try_get_box(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             const box& shape, std::size_t first_run) {
  auto* const local = static_cast<std::byte*>(destination);
  return move_box(direction::get, target, key, offset, local, shape, first_run);
}

}  // namespace acre::fabric
