// SPDX-License-Identifier: BSD-3-Clause
// Conduit over libfabric's reliable datagram endpoints. A rank is an index of the address vector,
// so a put is one provider call.
//
// Providers complete a put after its bytes are in the target's memory only with certain flags, some
// not even then. A self-test selects the first reliable way, if possible fi_write itself, whose
// descriptor argument receives the spare.
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
#include <acre/fabric/ofi_stripe.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace acre::fabric {

class ofi final : public conduit {
 public:
  /// @param provider  empty: the first usable of ofi_candidates()
  explicit ofi(const conduit_options& options, const std::string& provider = {});
  ~ofi() override;

  void register_region(region_key key, void* base, std::size_t bytes) override;
  [[nodiscard]] std::vector<std::byte> descriptor() const override;
  [[nodiscard]] facts must_be_alike() const override;
  [[nodiscard]] std::string how_to_agree() const override;
  void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) override;

  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes) override;

  bool refused(ssize_t result, rank_t target) override;

  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes, operation& done) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes, operation& done) override;

  /// Saves the reply with which providers confirm other puts: a system call on either side.
  [[nodiscard]] bool try_put_ahead(rank_t target, region_key key, std::uint64_t offset,
                                   const void* source, std::size_t bytes, operation& sent) override;

  [[nodiscard]] std::size_t try_put_box(rank_t target, region_key key, std::uint64_t offset,
                                        const void* source, const box& shape,
                                        std::size_t first_run) override;
  [[nodiscard]] std::size_t try_get_box(rank_t target, region_key key, std::uint64_t offset,
                                        void* destination, const box& shape,
                                        std::size_t first_run) override;

  [[nodiscard]] bool try_send(rank_t target, const message_header& header, const word* arguments,
                              const void* payload) override;

  std::size_t progress(receiver& inbox) override;
  bool wait(std::uint32_t most_milliseconds) override;
  void wake() noexcept override;
  void close_on_exec() override {
    connections_.close_on_exec();
    for (const auto& each : stripes_) each->connections.close_on_exec();
  }

  [[nodiscard]] small_put put_path() const noexcept { return request_.puts; }

 private:
  static constexpr unsigned careful_dose = 4;

  /// The endpoint of a transfer. Pieces of large ones take all in turn.
  struct lane {
    fid_ep* endpoint;
    remote_place where;
    /// Null on the main endpoint.
    direct_line::counted_apart* puts;
  };

  ofi(ofi_choice choice, const conduit_options& options);

  [[nodiscard]] lane choose_lane(rank_t target, region_key key, std::uint64_t offset,
                                 std::size_t bytes);
  void set_stripes();
  static std::uint64_t read_all_gets(void* self);
  static std::uint64_t read_striped_puts(void* self);

  [[nodiscard]] bool try_put_large(rank_t target, region_key key, std::uint64_t offset,
                                   const void* source, std::size_t bytes);
  [[nodiscard]] bool congested() const noexcept;
  enum class direction { put, get };
  /// @param apart  counters of the operation; null: those of puts
  template <class Issue>
  [[nodiscard]] bool try_issue(direct_line::counted_apart* apart, rank_t target, Issue&& issue);
  [[nodiscard]] remote_place place(rank_t target, region_key key, std::uint64_t offset) const;
  void draw_region_keys();
  [[nodiscard]] std::vector<std::byte> reachable(std::span<const std::byte> address,
                                                 std::size_t rank) const;

  // For line().put if the provider's function does not suffice.
  static ssize_t put_otherwise(void* end, const void* source, std::size_t bytes, void*,
                               std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                               void* context);
  ssize_t put_from_slot(const void* source, std::size_t bytes, rank_t target, remote_place where);

  void choose_hot_path();
  void set_limits();
  [[nodiscard]] std::size_t move_runs(direction way, rank_t target, region_key key,
                                      std::uint64_t offset, std::byte* local, box::walk& at,
                                      std::size_t run_bytes);
  [[nodiscard]] std::size_t move_box(direction way, rank_t target, region_key key,
                                     std::uint64_t offset, std::byte* local, const box& shape,
                                     std::size_t first_run);
  [[nodiscard]] fid_ep* endpoint() const noexcept { return fabric_.endpoint.get(); }

  std::size_t drain_queue(ofi_endpoint& from, receiver& inbox);
  void handle(const fi_cq_data_entry& entry, receiver& inbox);
  std::size_t read_counters() noexcept;
  void handle_failure(ofi_endpoint& from, receiver& inbox);
  void require_descriptors() const;
  void look_for_connections();

  std::size_t max_inject_ = 0;

  ofi_request request_;
  std::optional<ofi_messages> messages_;
  ofi_endpoint fabric_;
  local_regions regions_;
  remote_regions remote_;
  std::vector<std::unique_ptr<ofi_stripe>> stripes_;
  std::atomic<unsigned> next_lane_{0};  ///< any thread; the order is irrelevant
  bool careful_ = false;                ///< the provider must not be flooded
  unsigned rounds_without_counter_ = 0;
  std::vector<ip_address> addresses_;
  ofi_connections connections_;
  std::chrono::steady_clock::time_point next_look_{};
  secret_key secret_;
  seal_kind seals_;
  spin_lock polling_;
  acre::descriptor wake_;
};

}  // namespace acre::fabric
