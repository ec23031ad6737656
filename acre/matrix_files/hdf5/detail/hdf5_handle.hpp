// SPDX-License-Identifier: BSD-3-Clause
// Owner of an HDF5 identifier.
#pragma once

#include <cstdint>
#include <utility>

namespace acre::matrix_files::hdf5 {

class handle {
 public:
  using id = std::int64_t;
  using close = int (*)(id);

  handle() = default;
  handle(id number, close how) noexcept : number_(number), close_(how) {}
  handle(handle&& other) noexcept
      : number_(std::exchange(other.number_, -1)), close_(other.close_) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~handle() {
    if (is_open()) close_(number_);
  }
  [[nodiscard]] id number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

 private:
  id number_ = -1;
  close close_ = nullptr;
};

}  // namespace acre::matrix_files::hdf5
