// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_descriptor.hpp>

#include <acre/base/error.hpp>

#include <cstring>

namespace acre::fabric {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

class reader {
 public:
  explicit reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> take(std::size_t count) {
    if (count > bytes_.size()) throw error("ofi", "a rank's descriptor is truncated");
    return std::exchange(bytes_, bytes_.subspan(count)).first(count);
  }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> pack(const ofi_descriptor& mine) {
  std::vector<std::byte> bytes;
  append(bytes, static_cast<std::uint32_t>(mine.address.size()));
  bytes.insert(bytes.end(), mine.address.begin(), mine.address.end());
  append(bytes, mine.seals);
  append(bytes, static_cast<std::uint32_t>(mine.others.size()));
  for (const auto& other : mine.others) {
    append(bytes, static_cast<std::uint32_t>(other.size()));
    bytes.insert(bytes.end(), other.begin(), other.end());
  }
  for (const auto& [key, region] : mine.regions) {
    append(bytes, key);
    append(bytes, region);
  }
  return bytes;
}

ofi_descriptor unpack_ofi(std::span<const std::byte> packed) {
  reader bytes(packed);
  const auto address = bytes.take(bytes.take<std::uint32_t>());
  ofi_descriptor other{
      .address = {address.begin(), address.end()}, .seals = bytes.take<seal_kind>(), .regions = {}};
  for (auto left = bytes.take<std::uint32_t>(); left != 0; --left) {
    const auto one = bytes.take(bytes.take<std::uint32_t>());
    other.others.emplace_back(one.begin(), one.end());
  }
  while (!bytes.empty()) {
    const auto key = bytes.take<region_key>();
    other.regions.emplace_back(key, bytes.take<ofi_region>());
  }
  return other;
}

}  // namespace acre::fabric
