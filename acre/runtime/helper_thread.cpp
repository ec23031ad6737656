// SPDX-License-Identifier: BSD-3-Clause
// Network progress of the engine, and the thread that makes it while the owner computes.
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/rank_box.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace acre::runtime {

void engine::keep_network_failure() noexcept {
  {
    const std::lock_guard hold(failure_lock_);
    if (failure_ == nullptr) failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
  ring_bell(world.rank);
}

std::size_t engine::use_network() {
  if (network_->offers().completes_by_flush && !network_is_quiet()) network_->flush();
  const std::size_t handled = network_->progress(*this);
  flush_replies();
  return handled;
}

std::size_t engine::drain_network() {
  if (!failed_.load(std::memory_order_acquire)) {
    try {
      return use_network();
    } catch (const error&) {
      keep_network_failure();
    }
  }
  // The launcher may be about to report a dead rank.
  std::call_once(launcher_has_spoken_, [this] { launcher_.let_launcher_speak(); });
  std::rethrow_exception(failure_);
}

std::size_t engine::progress_internal() {
  const std::size_t handled = drain_ring();
  return handled + poll_network();
}

std::size_t engine::poll_network() {
  if (network_ == nullptr) {
    flush_replies();
    return 0;
  }
  note_poll();
  return drain_network();
}

namespace {

[[noreturn]] void report_lost_host() {
  throw error("network", this_node().lost_host,
              "the host or its network is down; ACRE_LINK_SECONDS sets the timeout");
}

}  // namespace

void note_lost_host(const std::string& problem) {
  node_box& node = this_node();
  std::snprintf(node.lost_host, sizeof node.lost_host, "%s", problem.c_str());
  node.host_is_lost.store(1, std::memory_order_release);
}

void engine::start_helper() {
  if (network_ == nullptr) return;
  try {
    helper_ = std::thread([this] { help(); });
  } catch (const std::system_error& refused) {
    throw error("job", std::string("the helper thread cannot be started: ") + refused.what(),
                advice_for_refused_thread(refused.code().value()));
  }
  pthread_setname_np(helper_.native_handle(), "acre-helper");
}

void engine::stop_helper() {
  stop_.store(true);
  if (!helper_.joinable()) return;
  network_->wake();
  helper_.join();
}

void engine::note_repeated_call() noexcept {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  constexpr clock::duration longest = 10ms;
  if (network_ == nullptr) return;
  const clock::duration now = clock::now().time_since_epoch();
  const clock::duration before(
      last_repeated_call_.exchange(now.count(), std::memory_order_relaxed));
  if (now - before > longest) return;
  const std::int64_t until = (now + std::min(2 * (now - before), longest)).count();
  if (until > aside_until_.load(std::memory_order_relaxed)) {
    aside_until_.store(until, std::memory_order_relaxed);
  }
}

void engine::help() {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  std::uint32_t seen_polls = 0;
  std::uint64_t seen_issued = 0;
  // Threads that poll often are faster than the helper, which would contend for locks.
  const auto stepped_aside = [&] {
    constexpr std::uint32_t many = 16;
    const std::uint32_t polls = polls_.load(std::memory_order_relaxed);
    const bool polls_a_lot = polls - std::exchange(seen_polls, polls) >= many;
    const clock::duration until(aside_until_.load(std::memory_order_relaxed));
    const clock::duration left = until - clock::now().time_since_epoch();
    const auto aside = std::max<clock::duration>(left, polls_a_lot ? 500us : 0us);
    if (aside <= 0us || is_asleep(world.rank)) return false;
    std::this_thread::sleep_for(aside);
    return true;
  };
  try {
    while (!stop_.load(std::memory_order_relaxed) && !failed_.load(std::memory_order_relaxed)) {
      if (this_node().host_is_lost.load(std::memory_order_acquire) != 0) report_lost_host();
      if (stepped_aside()) continue;
      const bool traffic = network_->wait(replies_.empty() ? 100 : 1);
      if (stepped_aside() || failed_.load(std::memory_order_acquire)) continue;
      const std::size_t handled = network_->progress(*this);
      flush_replies();
      // Puts and gets arrive without a message: wake the owner, which then polls.
      if (handled != 0 || traffic) ring_bell(world.rank);
      // Threads that put need the provider's locks: poll later.
      const std::uint64_t issued = network_line.issued.load(std::memory_order_relaxed);
      if (std::exchange(seen_issued, issued) != issued) std::this_thread::sleep_for(50us);
    }
  } catch (...) {
    keep_network_failure();
  }
  while (!stop_.load(std::memory_order_relaxed)) {
    if (this_node().host_is_lost.load(std::memory_order_acquire) != 0) return end_soon();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// After the loss of a host, gives the owner three seconds to end the job, then ends the process.
void engine::end_soon() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (std::chrono::steady_clock::now() < deadline) {
    if (stop_.load(std::memory_order_relaxed)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::fprintf(stderr, "acre: %s: %s; ending this rank\n", process_identity().c_str(),
               this_node().lost_host);
  ::_exit(1);
}

}  // namespace acre::runtime
