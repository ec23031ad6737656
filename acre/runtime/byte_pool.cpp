// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/byte_pool.hpp>

#include <acre/runtime/pooled_bytes.hpp>

namespace acre::runtime {

byte_pool& pool_of_messages() {
  static auto& made = *new byte_pool;
  return made;
}

pooled_bytes::pooled_bytes(std::size_t bytes) {
  if (bytes != 0) place_ = {static_cast<std::byte*>(pool_of_messages().allocate(bytes)), bytes};
}

void pooled_bytes::give_back() noexcept {
  pool_of_messages().give_back(place_.data(), place_.size());
}

}  // namespace acre::runtime
