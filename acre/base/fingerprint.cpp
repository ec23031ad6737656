// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/fingerprint.hpp>

#include <acre/base/bits.hpp>

#include <array>
#include <climits>
#include <fstream>
#include <unistd.h>

namespace acre {

std::uint64_t fingerprint(std::string_view text) noexcept {
  std::uint64_t hash = text.size();
  for (const char letter : text) hash = mix_bits(hash * 31 + static_cast<unsigned char>(letter));
  return hash;
}

std::string boot_id() {
  std::string line;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), line);
  return line;
}

std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  return {target.data(), static_cast<std::size_t>(length > 0 ? length : 0)};
}

std::string name_space(const char* kind) {
  return link_target(std::string("/proc/self/ns/") + kind);
}

}  // namespace acre
