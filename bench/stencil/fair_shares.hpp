// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates of flows over shared links. A bundle is a set of flows over the same links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::bench {

class fair_shares {
 public:
  /// @param bandwidth  bytes per second
  void add_link(double bandwidth) { links_.push_back({.bandwidth = bandwidth}); }
  /// @param most  upper bound of a flow's rate
  /// @return number of the bundle
  std::size_t add_bundle(std::vector<std::uint32_t> links, double most);

  void add_flow(std::size_t number) { change(number, 1); }
  void remove_flow(std::size_t number) { change(number, -1); }
  /// Computes changed rates: the most loaded link first.
  void compute();
  /// Bytes per second of each flow.
  [[nodiscard]] double rate(std::size_t number) const { return bundles_[number].rate; }
  [[nodiscard]] std::size_t bundles() const noexcept { return bundles_.size(); }

 private:
  struct link {
    double bandwidth;
    std::uint32_t flows = 0;
    std::vector<std::uint32_t> bundles{};
    double left = 0;         ///< bandwidth without rates already set
    std::uint32_t open = 0;  ///< flows without a rate
  };
  struct bundle {
    std::vector<std::uint32_t> links;
    double most;
    std::uint32_t flows = 0;
    double rate = 0;
    bool is_set = true;
  };

  void change(std::size_t number, int flows);
  void set(bundle& which, double rate);

  std::vector<link> links_;
  std::vector<bundle> bundles_;
  std::vector<std::uint32_t> touched_;  ///< links whose shares have changed
  bool has_changed_ = false;
};

}  // namespace acre::bench
