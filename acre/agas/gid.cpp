// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/gid.hpp>

#include <acre/base/bits.hpp>

#include <ostream>

namespace acre {

std::string to_string(const gid& name) {
  if (!name) return "no object";
  return "object " + std::to_string(name.slot()) + "." + std::to_string(name.generation()) +
         " of rank " + std::to_string(name.home());
}

std::ostream& operator<<(std::ostream& out, const gid& name) { return out << to_string(name); }

}  // namespace acre

std::size_t std::hash<acre::gid>::operator()(const acre::gid& name) const noexcept {
  return acre::mix_bits(name.id() ^ std::uint64_t{name.home()} << 40);
}
