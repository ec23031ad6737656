// SPDX-License-Identifier: BSD-3-Clause
// The conduit over libfabric.
//
// libfabric's reliable datagram endpoint fits Acre as it stands: a rank is its
// number in the address vector, a region its key, an address an offset, so a
// put is one call of the provider with the arguments as they came. The rest of
// this conduit is distrust: a put counts as complete when its bytes are in the
// target's memory, which providers mean by "complete" only when asked with the
// right flags, and some not even then. So a self-test chooses, for the
// provider at hand, the first way of issuing small puts that tells the truth,
// and the direct line is a pointer to it: the provider's own fi_write where that is
// possible. Only here it is known that fi_write takes the spare of a direct line for the
// descriptor of its source.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/fabric/box.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/fabric/conduit_options.hpp>
#include <acre/fabric/ofi_connections.hpp>
#include <acre/fabric/ofi_descriptor.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_messages.hpp>
#include <acre/fabric/ofi_put.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::fabric {

class ofi final : public conduit {
 public:
  /// Opens the endpoint; see open_conduit().
  /// @param provider  empty: ACRE_OFI_PROVIDER, else the best that is there
  explicit ofi(const conduit_options& options, const std::string& provider = {});
  ~ofi() override;

  void register_region(region_key key, void* base, std::size_t bytes) override;
  [[nodiscard]] std::vector<std::byte> descriptor() const override;
  [[nodiscard]] facts must_be_alike() const override;
  [[nodiscard]] std::string how_to_agree() const override;
  void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) override;

  // --- one-sided, counted ---------------------------------------------------
  // Counted in issued() before the provider sees them.

  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes) override;

  bool refused(ssize_t result, rank_t target) override;

  // --- one-sided, with a completion of its own ------------------------------

  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes, operation& done) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes, operation& done) override;

  /// Without the answer by which other puts are known to have come: a system call at either side.
  [[nodiscard]] bool try_put_ahead(rank_t target, region_key key, std::uint64_t offset,
                                   const void* source, std::size_t bytes, operation& sent) override;

  // --- one-sided, strided, counted ------------------------------------------

  // As many runs at once as the provider takes in one operation.

  [[nodiscard]] std::size_t try_put_box(rank_t target, region_key key, std::uint64_t offset,
                                        const void* source, const box& shape,
                                        std::size_t first_run) override;
  [[nodiscard]] std::size_t try_get_box(rank_t target, region_key key, std::uint64_t offset,
                                        void* destination, const box& shape,
                                        std::size_t first_run) override;

  // --- active messages ------------------------------------------------------

  [[nodiscard]] bool try_send(rank_t target, const message_header& header, const word* arguments,
                              const void* payload) override;

  // --- progress -------------------------------------------------------------

  std::size_t progress(receiver& inbox) override;
  bool wait(std::uint32_t most_milliseconds) override;
  void wake() noexcept override;
  void close_on_exec() override { connections_.close_on_exec(); }

  /// How small puts are issued, as the self-test has found out.
  [[nodiscard]] small_put put_path() const noexcept { return request_.puts; }

 private:
  struct remote_place {
    std::uint64_t address;
    std::uint64_t key;
  };
  struct local_region {
    region_key key;
    void* base;
    fid_mr* registration;
  };

  /// Operations under way at once from a rank to a provider that must not be flooded.
  static constexpr unsigned careful_dose = 4;

  ofi(ofi_choice choice, const conduit_options& options);

  [[nodiscard]] bool try_put_large(rank_t target, region_key key, std::uint64_t offset,
                                   const void* source, std::size_t bytes);
  [[nodiscard]] bool congested() const noexcept;
  template <class Issue>
  [[nodiscard]] bool try_issue(rank_t target, Issue&& issue);
  [[nodiscard]] remote_place place(rank_t target, region_key key, std::uint64_t offset) const;
  void draw_region_keys();
  [[nodiscard]] std::vector<std::byte> reachable(std::span<const std::byte> address,
                                                 std::size_t rank) const;

  // What line().put points to when the provider's functions alone will not do, and line().send.
  static ssize_t put_otherwise(void* end, const void* source, std::size_t bytes, void*,
                               std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                               void* context);
  static ssize_t send_short(void* end, const void* message, std::size_t bytes,
                            std::uint64_t target);
  ssize_t put_from_slot(const void* source, std::size_t bytes, rank_t target, remote_place where);

  void choose_hot_path();
  void set_limits();
  enum class direction { put, get };
  [[nodiscard]] std::size_t move_runs(direction way, rank_t target, region_key key,
                                      std::uint64_t offset, std::byte* local, box::walk& at,
                                      std::size_t run_bytes);
  [[nodiscard]] std::size_t move_box(direction way, rank_t target, region_key key,
                                     std::uint64_t offset, std::byte* local, const box& shape,
                                     std::size_t first_run);
  [[nodiscard]] fid_ep* endpoint() const noexcept { return fabric_.endpoint.get(); }

  std::size_t drain_queue(receiver& inbox);
  void handle(const fi_cq_data_entry& entry, receiver& inbox);
  std::size_t read_counter() noexcept;
  void handle_failure(receiver& inbox);
  void require_descriptors() const;
  void look_for_connections();

  std::size_t max_inject_ = 0;

  ofi_request request_;
  std::optional<ofi_messages> messages_;  // before the endpoint, which it outlives
  ofi_endpoint fabric_;
  std::vector<local_region> regions_;
  std::vector<std::vector<ofi_region>> remote_;  ///< [key][rank], for providers that need them
  bool careful_ = false;  ///< few operations at once: the provider must not be flooded
  unsigned rounds_without_counter_ = 0;
  std::vector<ip_address> addresses_;  ///< of ranks, until they are connected
  ofi_connections connections_;
  std::chrono::steady_clock::time_point next_look_{};  ///< at new connections; with polling_ held
  secret_key secret_;
  spin_lock polling_;  ///< held by the thread that polls
  acre::descriptor wake_;
};

}  // namespace acre::fabric
