// SPDX-License-Identifier: BSD-3-Clause
// A class that is not trivially copyable and has no default constructor.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace acre::testing {

class angle {
 public:
  explicit angle(double degrees) : degrees_(degrees) {}
  friend double acre_save(const angle& a) { return a.degrees_; }
  friend angle acre_load(std::type_identity<angle>, double degrees) { return angle(degrees); }
  friend bool operator==(const angle&, const angle&) = default;
  [[nodiscard]] double degrees() const { return degrees_; }

 private:
  double degrees_;
  std::string unit_ = "degrees";
};
struct angle_hash {
  std::uint64_t operator()(const angle& a) const {
    return static_cast<std::uint64_t>(a.degrees() * 16);
  }
};

}  // namespace acre::testing
