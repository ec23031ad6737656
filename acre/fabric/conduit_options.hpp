// SPDX-License-Identifier: BSD-3-Clause
// Options of all conduits. Library-specific ones are environment variables
// (launch/detail/settings.cpp).
#pragma once

#include <acre/base/ip_address.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/forward.hpp>
#include <acre/fabric/library_session.hpp>

#include <memory>
#include <string>
#include <vector>

namespace acre::fabric {

struct conduit_options {
  std::string job = {};
  rank_t self = 0;
  rank_t size = 1;
  bool single_host = false;
  /// IP addresses by rank; empty if unknown or not IP.
  std::vector<ip_address> addresses = {};
  /// True if other ranks reach this host at different addresses.
  bool listen_everywhere = false;
  secret_key secret = {};
  direct_line* line = nullptr;
  /// Library that started the job, to share; or null.
  std::shared_ptr<library_session> session = {};
};

}  // namespace acre::fabric
