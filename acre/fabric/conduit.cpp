// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/conduit.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/box.hpp>

#include <cerrno>
#include <cstring>
#include <string>

namespace acre::fabric {
namespace {

void clear_counters(direct_line& line) noexcept {
  line.issued = 0;
  line.completed = 0;
  for (auto* const kind : {&line.gets, &line.other_puts}) {
    kind->begun = 0;
    kind->refused = 0;
    kind->noticed = 0;
  }
}

}  // namespace

conduit::conduit(direct_line* line) noexcept : line_(line != nullptr ? *line : own_line_) {
  line_.put = put_virtually;
  line_.read = read_virtually;
  line_.send = send_virtually;
  line_.end = this;
  line_.sender = this;
  line_.keys = {segment_region, window_region};
  line_.counter = this;
  line_.gets.read = read_gets_virtually;
  line_.gets.counter = this;
  clear_counters(line_);
}

conduit::~conduit() { clear_counters(line_); }

std::byte* conduit::bring_memory(std::size_t) {
  throw error("conduit", offers_.name + " provides no memory");
}

conduit::facts conduit::must_be_alike() const {
  return {{"the network", offers_.name},
          {"the maximum message size of the network", std::to_string(offers_.max_payload)}};
}

std::string conduit::how_to_agree() const {
  return "set the network settings equally on all ranks (mpirun passes a setting with -x, "
         "MPICH's mpiexec with -genv)";
}

bool conduit::refused(ssize_t result, rank_t target) {
  line_.issued.fetch_sub(1, std::memory_order_acq_rel);
  if (result == -EAGAIN) return false;
  throw error("conduit", "rank " + std::to_string(target) +
                             " cannot be reached: " + std::strerror(static_cast<int>(-result)));
}

bool conduit::try_put_ahead(rank_t target, region_key key, std::uint64_t offset, const void* source,
                            std::size_t bytes, operation& sent) {
  return try_put(target, key, offset, source, bytes, sent);
}

std::size_t conduit::try_put_box(rank_t target, region_key key, std::uint64_t offset,
                                 const void* source, const box& shape, std::size_t first_run) {
  const auto* const local = static_cast<const std::byte*>(source);
  box::walk at(shape, first_run);
  const std::size_t all = at.left();
  while (at.left() != 0 && try_put(target, key, offset + static_cast<std::uint64_t>(at.remote()),
                                   local + at.local(), shape.run_bytes())) {
    at.next();
  }
  return all - at.left();
}

std::size_t conduit::try_get_box(rank_t target, region_key key, std::uint64_t offset,
                                 void* destination, const box& shape, std::size_t first_run) {
  auto* const local = static_cast<std::byte*>(destination);
  box::walk at(shape, first_run);
  const std::size_t all = at.left();
  while (at.left() != 0 && try_get(target, key, offset + static_cast<std::uint64_t>(at.remote()),
                                   local + at.local(), shape.run_bytes())) {
    at.next();
  }
  return all - at.left();
}

void conduit::flush() {}

void conduit::count_completed(std::uint64_t puts, std::uint64_t gets) noexcept {
  const std::uint64_t before = completions_.fetch_add(puts, std::memory_order_acq_rel);
  line_.completed.store(before + puts, std::memory_order_release);
  line_.notice(line_.gets, completed_gets_.fetch_add(gets, std::memory_order_acq_rel) + gets);
}

/// try_put() counts the put again. Errors recur in the caller's retry.
ssize_t conduit::put_virtually(void* end, const void* source, std::size_t bytes, void*,
                               std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                               void*) noexcept try {
  auto& self = *static_cast<conduit*>(end);
  if (!self.try_put(static_cast<rank_t>(target), static_cast<region_key>(key), offset, source,
                    bytes)) {
    return -EAGAIN;
  }
  self.line_.issued.fetch_sub(1, std::memory_order_acq_rel);
  return 0;
} catch (...) {
  return -EAGAIN;
}

std::uint64_t conduit::read_virtually(void* counter) noexcept {
  auto& self = *static_cast<conduit*>(counter);
  try {
    if (self.offers_.completes_by_flush) self.flush();
  } catch (...) {
    return 0;
  }
  return self.completions_.load(std::memory_order_acquire);
}

std::uint64_t conduit::read_gets_virtually(void* counter) noexcept {
  static_cast<void>(read_virtually(counter));
  return static_cast<conduit*>(counter)->completed_gets_.load(std::memory_order_acquire);
}

ssize_t conduit::send_virtually(void* sender, void* message, std::size_t,
                                std::uint64_t target) noexcept try {
  const auto* const head = static_cast<const message_head*>(message);
  const auto* const arguments = reinterpret_cast<const word*>(head + 1);
  const bool sent = static_cast<conduit*>(sender)->try_send(static_cast<rank_t>(target),
                                                            head->header, arguments, nullptr);
  return sent ? 0 : -EAGAIN;
} catch (...) {
  return -EAGAIN;
}

}  // namespace acre::fabric
