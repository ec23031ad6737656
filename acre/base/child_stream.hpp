// SPDX-License-Identifier: BSD-3-Clause
// Stream of bytes from a child process in which a library may crash.
#pragma once

#include <acre/base/child_process.hpp>
#include <acre/base/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acre::base {

class child_stream {
 public:
  using sender = std::function<void(std::span<const std::byte>)>;

  /// Runs `produce` in a child, limited to 120 s of processor time between calls of the sender; in
  /// this process if fork fails.
  /// @param subject  "HDF5 1.10.8 reading run.h5"
  child_stream(const char* call, std::string subject,
               const std::function<void(const sender&)>& produce);

  /// @throws acre::error from `produce`, or if the child crashed
  void take(std::span<std::byte> bytes);
  void finish();

 private:
  enum class frame : std::uint8_t { bytes, failure, end };

  [[noreturn]] static void run(int to, pid_t parent,
                               const std::function<void(const sender&)>& produce) noexcept;
  void read(std::span<std::byte> bytes);
  frame next();
  [[noreturn]] void fail_crashed();

  const char* call_;
  std::string subject_;
  acre::descriptor from_;
  pid_t number_ = -1;
  std::unique_ptr<child_process> child_;
  std::uint64_t left_ = 0;
  std::vector<std::byte> instead_;
  std::size_t taken_ = 0;
};

}  // namespace acre::base
