// SPDX-License-Identifier: BSD-3-Clause
// Bytes that a child of this process computes or reads, with a library that may crash meanwhile: on
// a damaged file, for instance. The crash is an error here, and nothing else.
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

  /// Runs `produce` in a child, which may use 120 s of processor time between two calls of the
  /// sender. If no child can be made, runs it here.
  /// @param call     for errors: "load_hdf5"
  /// @param subject  for errors: "HDF5 1.10.8 reading run.h5"
  child_stream(const char* call, std::string subject,
               const std::function<void(const sender&)>& produce);

  /// The next bytes. @throws acre::error that `produce` has thrown, or if the child has crashed
  void take(std::span<std::byte> bytes);
  /// All bytes have been taken. @throws acre::error as take()
  void finish();

 private:
  enum class frame : std::uint8_t { bytes, failure, end };

  [[noreturn]] static void run(int to, pid_t parent,
                               const std::function<void(const sender&)>& produce) noexcept;
  void read(std::span<std::byte> bytes);
  /// Begins the next frame. @throws acre::error
  frame next();
  [[noreturn]] void fail_crashed();

  const char* call_;
  std::string subject_;
  acre::descriptor from_;
  pid_t number_ = -1;
  std::unique_ptr<child_process> child_;
  std::uint64_t left_ = 0;          ///< of the frame
  std::vector<std::byte> instead_;  ///< where there is no child
  std::size_t taken_ = 0;
};

}  // namespace acre::base
