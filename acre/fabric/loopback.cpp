// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/loopback.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace acre::fabric {
namespace {

/// Stores aligned 64-bit words atomically, as networks do.
void copy_whole_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint64_t) == 0;
  if (bytes != sizeof(std::uint64_t) || !aligned) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), word, __ATOMIC_RELEASE);
}

struct address {
  std::int64_t process;
  const void* wire;
  std::size_t end;
};

}  // namespace

void loopback_wire::set(const loopback_faults& faults) {
  const std::lock_guard hold(mutex_);
  faults_ = faults;
  chance_.seed(faults.seed);
}

void loopback_wire::lose(const loopback_loss& loss) {
  {
    const std::lock_guard hold(mutex_);
    loss_ = loss;
  }
  news_.notify_all();
}

std::size_t loopback_wire::complete_late() {
  std::size_t all = 0;
  std::unique_lock hold(mutex_);
  for (loopback* const end : ends_) {
    if (end == nullptr) continue;
    for (auto& each : end->under_way_) {
      if (!is_lost(each.target)) continue;
      end->land(each);
      each.complete = true;
    }
    const auto complete = end->pop_complete();
    all += complete.size();
    hold.unlock();
    end->finish(complete);
    hold.lock();
  }
  return all;
}

std::uint64_t loopback_wire::polls() const {
  const std::lock_guard hold(mutex_);
  return polls_;
}

std::size_t loopback_wire::stuck() const {
  const std::lock_guard hold(mutex_);
  std::size_t all = 0;
  for (const loopback* const end : ends_) {
    if (end == nullptr) continue;
    all += static_cast<std::size_t>(std::ranges::count_if(
        end->under_way_, [this](const auto& each) { return is_lost(each.target); }));
  }
  return all;
}

bool loopback_wire::refuses_now() {
  ++tries_;
  if (faults_.refuse_every != 0 && tries_ % faults_.refuse_every == 0) return true;
  return faults_.refuse_share > 0 &&
         std::uniform_real_distribution<double>(0, 1)(chance_) < faults_.refuse_share;
}

std::uint64_t loopback_wire::flips() const {
  const std::lock_guard hold(mutex_);
  return flips_;
}

bool loopback_wire::flips_now() {
  if (faults_.flip_share <= 0) return false;
  if (std::uniform_real_distribution<double>(0, 1)(chance_) >= faults_.flip_share) return false;
  if (flips_++ == 0) polls_at_first_flip_ = polls_;
  return true;
}

void loopback_wire::require_no_flip_found() const {
  const std::uint64_t after = faults_.flips_found_after;
  if (after == 0 || flips_ == 0 || polls_ - polls_at_first_flip_ < after) return;
  throw error("loopback", "a message was damaged in transit");
}

unsigned loopback_wire::rounds_late() {
  return static_cast<unsigned>(any_below(std::size_t{faults_.most_rounds_late} + 1));
}

std::size_t loopback_wire::any_below(std::size_t bound) { return chance_() % bound; }

bool loopback_wire::is_lost(rank_t rank) const {
  return loss_ && loss_->rank == rank && loss_->after == 0;
}

void loopback_wire::count_operation(rank_t target) {
  if (loss_ && loss_->rank == target && loss_->after > 0) --loss_->after;
}

bool loopback_wire::progress_breaks() const {
  return loss_ && is_lost(loss_->rank) && loss_->how == loopback_loss::way::breaks_progress;
}

bool loopback_wire::refuses(rank_t target) const {
  return is_lost(target) && loss_->how == loopback_loss::way::refuses;
}

void loopback_wire::report_loss() const {
  throw error("loopback", "rank " + std::to_string(loss_->rank) + " cannot be reached: it is lost",
              "that rank has probably ended");
}

loopback::loopback(const conduit_options& options)
    : conduit(options.line), wire_(std::dynamic_pointer_cast<loopback_wire>(options.session)) {
  if (wire_ == nullptr) wire_ = std::make_shared<loopback_wire>();
  const loopback_limits& limits = wire_->limits_;
  capabilities& offers = offer();
  offers.name = "loopback";
  offers.max_payload = limits.max_payload;
  offers.max_inject = std::max(limits.max_inject, direct_line::smallest_inject);
  offers.max_transfer = std::max({limits.max_transfer, offers.max_inject, least_max_transfer});
  offers.ordered_puts = limits.ordered_puts;
  offers.messages_follow_puts = limits.messages_follow_puts;
  offers.sleeps = true;
  offers.pins_memory = false;
  offers.software_gets = true;
  offers.completes_by_flush = limits.completes_by_flush;
  offers.brings_memory = limits.brings_memory;
  const std::lock_guard hold(wire_->mutex_);
  number_ = wire_->ends_.size();
  wire_->ends_.push_back(this);
}

loopback::~loopback() {
  const std::lock_guard hold(wire_->mutex_);
  wire_->ends_[number_] = nullptr;
  if (!brought_.empty()) ::munmap(brought_.data(), brought_.size());
}

std::byte* loopback::bring_memory(std::size_t bytes) {
  if (!offers().brings_memory) return conduit::bring_memory(bytes);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw error("loopback", "out of memory");
  brought_ = {static_cast<std::byte*>(memory), bytes};
  return brought_.data();
}

void loopback::register_region(region_key key, void* base, std::size_t bytes) {
  auto* const begin = static_cast<std::byte*>(base);
  const bool brought =
      begin >= brought_.data() && begin + bytes <= brought_.data() + brought_.size();
  if (offers().brings_memory && !brought) {
    throw error("loopback", "a region is outside the memory that the conduit provides");
  }
  regions_.push_back({key, begin, bytes});
}

std::vector<std::byte> loopback::descriptor() const {
  const address mine{::getpid(), wire_.get(), number_};
  std::vector<std::byte> bytes(sizeof mine);
  std::memcpy(bytes.data(), &mine, sizeof mine);
  return bytes;
}

void loopback::connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) {
  self_ = self;
  for (std::size_t rank = 0; rank < descriptors.size(); ++rank) {
    address theirs{};
    if (descriptors[rank].size() == sizeof theirs) {
      std::memcpy(&theirs, descriptors[rank].data(), sizeof theirs);
    }
    if (theirs.process != ::getpid() || theirs.wire != wire_.get()) {
      throw error("loopback", "rank " + std::to_string(rank) + " is in another process",
                  "loopback is for tests inside one process; unset ACRE_CONDUIT");
    }
    ends_of_ranks_.push_back(theirs.end);
  }
}

std::byte* loopback::place(region_key key, std::uint64_t offset, std::size_t bytes) const {
  for (const region& each : regions_) {
    if (each.key == key && offset <= each.bytes && bytes <= each.bytes - offset) {
      return each.base + offset;
    }
  }
  throw error("loopback",
              "an access to rank " + std::to_string(self_) + " is outside its registered memory");
}

bool loopback::start(transfer begun, region_key key, std::uint64_t offset) {
  const std::lock_guard hold(wire_->mutex_);
  if (begun.bytes > offers().max_transfer) {
    throw error("loopback", "a transfer of " + std::to_string(begun.bytes) +
                                " bytes exceeds the upper bound of " +
                                std::to_string(offers().max_transfer));
  }
  if (wire_->refuses(begun.target)) wire_->report_loss();
  if (wire_->refuses_now() || under_way_.size() >= wire_->limits_.transfers) return false;
  begun.end = ends_of_ranks_.at(begun.target);
  const loopback* const target = wire_->ends_[begun.end];
  if (target == nullptr) {
    throw error("loopback",
                "rank " + std::to_string(begun.target) + " cannot be reached: it has ended");
  }
  begun.there = target->place(key, offset, begun.bytes);
  begun.rounds = wire_->rounds_late();
  if (begun.way == direction::put && begun.bytes <= offers().max_inject) {
    begun.copy.assign(begun.here, begun.here + begun.bytes);
    begun.here = nullptr;
  }
  begun.way == direction::get ? line().begin(line().gets) : count_issued();
  wire_->count_operation(begun.target);
  under_way_.push_back(std::move(begun));
  return true;
}

bool loopback::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                       std::size_t bytes) {
  auto* const here = static_cast<std::byte*>(const_cast<void*>(source));
  return start({.way = direction::put, .target = target, .here = here, .bytes = bytes}, key,
               offset);
}

bool loopback::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                       std::size_t bytes, operation& done) {
  auto* const here = static_cast<std::byte*>(const_cast<void*>(source));
  return start(
      {.way = direction::put, .target = target, .here = here, .bytes = bytes, .done = &done}, key,
      offset);
}

bool loopback::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                       std::size_t bytes) {
  auto* const here = static_cast<std::byte*>(destination);
  return start({.way = direction::get, .target = target, .here = here, .bytes = bytes}, key,
               offset);
}

bool loopback::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                       std::size_t bytes, operation& done) {
  auto* const here = static_cast<std::byte*>(destination);
  return start(
      {.way = direction::get, .target = target, .here = here, .bytes = bytes, .done = &done}, key,
      offset);
}

void loopback::land(transfer& each) const {
  if (std::exchange(each.landed, true) || wire_->ends_[each.end] == nullptr) return;
  if (each.way == direction::get) {
    copy_whole_words(each.here, each.there, each.bytes);
  } else {
    copy_whole_words(each.there, each.here != nullptr ? each.here : each.copy.data(), each.bytes);
  }
}

void loopback::advance() {
  const bool in_order = offers().ordered_puts || !wire_->faults_.any_order;
  std::vector<std::size_t> order(under_way_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!in_order) std::ranges::shuffle(order, wire_->chance_);
  bool one_is_late = false;
  for (const std::size_t i : order) {
    transfer& each = under_way_[i];
    if (wire_->is_lost(each.target)) continue;
    if (each.rounds > 0) {
      --each.rounds;
      one_is_late = one_is_late || !each.landed;
      continue;
    }
    if (!each.landed) {
      if (in_order && one_is_late) continue;
      land(each);
      each.rounds = wire_->rounds_late();
    }
    each.complete = each.rounds == 0 && !offers().completes_by_flush;
  }
}

std::vector<loopback::transfer> loopback::pop_complete() {
  std::vector<transfer> complete;
  std::vector<transfer> others;
  for (transfer& each : under_way_) {
    (each.complete ? complete : others).push_back(std::move(each));
  }
  under_way_ = std::move(others);
  return complete;
}

/// Called without the lock: callbacks may call the conduit.
void loopback::finish(const std::vector<transfer>& complete) {
  for (const transfer& each : complete) {
    if (each.done != nullptr) each.done->complete(*each.done);
  }
  if (complete.empty()) return;
  const auto gets = static_cast<std::size_t>(std::ranges::count_if(
      complete, [](const transfer& each) { return each.way == direction::get; }));
  count_completed(complete.size() - gets, gets);
}

void loopback::flush() {
  std::vector<transfer> complete;
  {
    const std::lock_guard hold(wire_->mutex_);
    if (wire_->progress_breaks()) wire_->report_loss();
    for (transfer& each : under_way_) {
      if (wire_->is_lost(each.target)) continue;
      land(each);
      each.complete = true;
    }
    complete = pop_complete();
  }
  finish(complete);
}

bool loopback::try_send(rank_t target, const message_header& header, const word* arguments,
                        const void* payload) {
  {
    const std::lock_guard hold(wire_->mutex_);
    if (wire_->refuses(target)) wire_->report_loss();
    if (wire_->refuses_now()) return false;
    const std::size_t end = ends_of_ranks_.at(target);
    loopback* const to = wire_->ends_[end];
    if (to == nullptr) {
      throw error("loopback",
                  "rank " + std::to_string(target) + " cannot be reached: it has ended");
    }
    if (to->messages_.size() >= wire_->limits_.messages) return false;
    const bool lost = wire_->is_lost(target);
    wire_->count_operation(target);
    if (lost) return true;
    if (offers().messages_follow_puts) {
      for (transfer& each : under_way_) {
        if (each.way == direction::put && each.end == end) land(each);
      }
    }
    const auto* const bytes = static_cast<const std::byte*>(payload);
    sent_message sent{.from = number_,
                      .header = header,
                      .arguments = {arguments, arguments + header.argument_count},
                      .payload = {bytes, bytes + header.payload_bytes},
                      .round = to->round_ + wire_->rounds_late()};
    if (to == this) sent.header.source = target;
    if (wire_->flips_now() && !flip_a_bit(sent)) return true;
    to->messages_.push_back(std::move(sent));
  }
  wire_->news_.notify_all();
  return true;
}

bool loopback::flip_a_bit(sent_message& sent) const {
  std::vector<std::byte> bytes(sizeof sent.header + sent.arguments.size() * sizeof(word) +
                               sent.payload.size());
  std::byte* const body = bytes.data() + sizeof sent.header;
  const std::size_t argument_bytes = sent.arguments.size() * sizeof(word);
  std::memcpy(bytes.data(), &sent.header, sizeof sent.header);
  if (argument_bytes != 0) std::memcpy(body, sent.arguments.data(), argument_bytes);
  if (!sent.payload.empty()) {
    std::memcpy(body + argument_bytes, sent.payload.data(), sent.payload.size());
  }
  const std::array<std::size_t, 4> ends{0, sizeof sent.header, sizeof sent.header + argument_bytes,
                                        bytes.size()};
  std::size_t part = wire_->faults_.flips_headers_only ? 0 : wire_->any_below(3);
  if (ends[part] == ends[part + 1]) part = 0;
  const std::size_t bit = 8 * ends[part] + wire_->any_below(8 * (ends[part + 1] - ends[part]));
  bytes[bit / 8] ^= std::byte{1} << bit % 8;

  std::memcpy(static_cast<void*>(&sent.header), bytes.data(), sizeof sent.header);
  const std::size_t arguments = sent.header.argument_count;
  const std::size_t left = bytes.size() - sizeof sent.header;
  if (arguments > max_arguments || arguments * sizeof(word) > left ||
      sent.header.payload_bytes > left - arguments * sizeof(word)) {
    return false;
  }
  sent.arguments.resize(arguments);
  if (arguments != 0) std::memcpy(sent.arguments.data(), body, arguments * sizeof(word));
  const std::byte* const payload = body + arguments * sizeof(word);
  sent.payload.assign(payload, payload + sent.header.payload_bytes);
  return true;
}

std::optional<loopback::sent_message> loopback::pop_message() {
  std::vector<std::size_t> seen;
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (std::ranges::find(seen, messages_[i].from) != seen.end()) continue;
    seen.push_back(messages_[i].from);
    if (messages_[i].round <= round_) ready.push_back(i);
    if (!wire_->faults_.any_order && !ready.empty()) break;
  }
  if (ready.empty()) return std::nullopt;
  const std::size_t chosen = ready[wire_->any_below(ready.size())];
  std::optional<sent_message> taken(std::move(messages_[chosen]));
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(chosen));
  return taken;
}

std::size_t loopback::progress(receiver& inbox) {
  if (!polling_.try_lock()) return 0;
  const std::lock_guard poll(polling_, std::adopt_lock);
  std::vector<transfer> complete;
  {
    const std::lock_guard hold(wire_->mutex_);
    ++wire_->polls_;
    ++round_;
    if (wire_->progress_breaks()) wire_->report_loss();
    wire_->require_no_flip_found();
    advance();
    complete = pop_complete();
  }
  finish(complete);
  std::size_t handled = complete.size();
  for (int i = 0; i < 16; ++i, ++handled) {
    std::optional<sent_message> next;
    {
      const std::lock_guard hold(wire_->mutex_);
      next = pop_message();
    }
    if (!next) break;
    inbox.deliver({next->header, next->arguments, next->payload});
  }
  return handled;
}

bool loopback::wait(std::uint32_t most_milliseconds) {
  std::unique_lock hold(wire_->mutex_);
  if (!under_way_.empty()) most_milliseconds = std::min(most_milliseconds, 1U);
  wire_->news_.wait_for(hold, std::chrono::milliseconds(most_milliseconds), [this] {
    return woken_ || !messages_.empty() || wire_->progress_breaks();
  });
  woken_ = false;
  return !messages_.empty();
}

void loopback::wake() noexcept {
  {
    const std::lock_guard hold(wire_->mutex_);
    woken_ = true;
  }
  wire_->news_.notify_all();
}

}  // namespace acre::fabric
