// Whether a hash container makes itself larger.
#pragma once

#include <cstdint>

namespace acre {

enum class growth : std::uint8_t {
  manual,    ///< resize(), grow_if_needed(); what finds no room is an error
  automatic  ///< besides, at each collective call that counts: size(), sync()
};

}  // namespace acre
