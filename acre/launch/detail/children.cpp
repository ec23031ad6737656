// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/children.hpp>

#include <acre/fabric/conduit.hpp>
#include <acre/fabric/smp_ring.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/rank_table.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <span>
#include <vector>

namespace acre::launch {

void restore_static_data(const running_job& job) noexcept {
  if (job.static_data.empty()) return;
  job.memory->map_copy_over(job.static_data.data(), job.static_offset, job.static_data.size());
}

namespace {

class no_network final : public fabric::conduit {
 public:
  explicit no_network(fabric::direct_line* line) noexcept : conduit(line) {
    offer().max_payload = fabric::smp_ring::max_message_bytes;
  }
  void register_region(fabric::region_key, void*, std::size_t) override { refuse(); }
  [[nodiscard]] std::vector<std::byte> descriptor() const override { refuse(); }
  void connect(rank_t, std::span<const std::vector<std::byte>>) override { refuse(); }
  [[nodiscard]] bool try_put(rank_t, fabric::region_key, std::uint64_t, const void*,
                             std::size_t) override {
    refuse();
  }
  [[nodiscard]] bool try_get(rank_t, fabric::region_key, std::uint64_t, void*,
                             std::size_t) override {
    refuse();
  }
  bool refused(ssize_t, rank_t) override { refuse(); }
  [[nodiscard]] bool try_put(rank_t, fabric::region_key, std::uint64_t, const void*, std::size_t,
                             fabric::operation&) override {
    refuse();
  }
  [[nodiscard]] bool try_get(rank_t, fabric::region_key, std::uint64_t, void*, std::size_t,
                             fabric::operation&) override {
    refuse();
  }
  [[nodiscard]] bool try_send(rank_t, const fabric::message_header&, const fabric::word*,
                              const void*) override {
    refuse();
  }
  std::size_t progress(fabric::receiver&) override { return 0; }
  bool wait(std::uint32_t) override { return false; }
  void wake() noexcept override {}

 private:
  [[noreturn]] static void refuse() { runtime::throw_in_child("a call of Acre"); }
};

void keep_network_to_parent() noexcept try {
  if (current != nullptr && current->conduit != nullptr) current->conduit->close_on_exec();
} catch (...) {
  // Out of memory: the child inherits the descriptors.
}

/// The job belongs to the parent: the child's writes are private, its messages refused. It ends if
/// out of memory. NOLINTBEGIN(bugprone-unhandled-exception-at-new)
void leave_job_to_parent() noexcept {
  if (current == nullptr) return;
  if (current->memory) current->memory->map_copies();
  static const running_job* const parents = leave().release();
  runtime::abandon_job();
  runtime::code_here.serves = {
      .caller = runtime::world.rank, .how = runtime::served_as::child, .must_not_wait = true};
  runtime::world.bases = new std::uintptr_t[runtime::world.size]();
  if (runtime::static_data_is_shared())
    runtime::world.windows = runtime::window_table::of(runtime::table_of_no_ranks());
  runtime::world.conduit = new no_network(&runtime::network_line);
  runtime::the_engine =
      new runtime::engine(*new fabric::smp_ring(), runtime::world.conduit, *parents->launcher);
}
// NOLINTEND(bugprone-unhandled-exception-at-new)

}  // namespace

void watch_for_children() {
  [[maybe_unused]] static const int watched =
      ::pthread_atfork(keep_network_to_parent, nullptr, leave_job_to_parent);
}

}  // namespace acre::launch
