// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/keyed_hash.hpp>

#include <acre/base/error.hpp>

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/random.h>

namespace acre {

secret_key draw_secret() {
  secret_key drawn;
  if (::getrandom(&drawn, sizeof drawn, 0) != static_cast<ssize_t>(sizeof drawn)) {
    throw error("job", "getrandom failed: " + std::string(std::strerror(errno)));
  }
  return drawn;
}

}  // namespace acre
