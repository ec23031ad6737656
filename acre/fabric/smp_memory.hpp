// SPDX-License-Identifier: BSD-3-Clause
// Shared memory of a node: an anonymous file that each rank maps. No file remains; first touch
// commits pages.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/descriptor_server.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::fabric {

enum class file_pages { usual, reserved };

class smp_memory {
 public:
  struct ticket {
    std::int32_t process = 0;
    std::int32_t descriptor = -1;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t server = 0;  ///< descriptor_server's number; used if /proc does not show the file
  };

  /// Creates an empty file. Each rank calls it; the node uses one file. @throws acre::error
  explicit smp_memory(file_pages made_of = file_pages::usual);
  ~smp_memory();
  smp_memory(const smp_memory&) = delete;
  smp_memory& operator=(const smp_memory&) = delete;

  [[nodiscard]] ticket publish();

  /// Opens the ticket's file, possibly its own, and sets its length to `bytes`, equal on all ranks.
  /// The creator must call hand_over() until all have opened it.
  /// @param secret  of the job
  /// @throws acre::error if the file is another one, or cannot be opened or resized
  void open(const ticket& shared, std::size_t bytes, const secret_key& secret = {});

  void hand_over(const secret_key& secret) const noexcept;
  void close_server() noexcept { server_.reset(); }

  /// Maps the whole file at an address aligned to huge pages.
  /// @throws acre::error
  [[nodiscard]] std::byte* map();

  /// Reserves addresses, aligned to huge pages; from `wanted` if free.
  /// @throws acre::error
  [[nodiscard]] std::byte* reserve(std::size_t bytes, std::byte* wanted = nullptr);

  /// Maps whole pages at reserved or mapped addresses. @throws acre::error
  void map_over(std::byte* address, std::uint64_t offset, std::size_t bytes);
  /// As map_over(), at free addresses.
  /// @return false if the range is in use
  [[nodiscard]] bool map_where_free(std::byte* address, std::uint64_t offset, std::size_t bytes);

  /// Replaces mapped pages by a private copy. No-op if the program closed the file.
  void map_copy_over(std::byte* address, std::uint64_t offset, std::size_t bytes) const noexcept;

  /// map_copy_over() of all pieces, for a forked child. Reserved huge pages stay shared: there may
  /// be no free one.
  void map_copies() const noexcept;

  [[nodiscard]] std::size_t page_bytes() const noexcept { return page_bytes_; }

  [[nodiscard]] int descriptor() const noexcept { return file_->get(); }

 private:
  [[nodiscard]] acre::descriptor open_of(const ticket& shared, const secret_key& secret) const;
  void* map(std::byte* address, std::uint64_t offset, std::size_t bytes, int flags);

  struct piece {
    std::byte* address;
    std::uint64_t offset;
    std::size_t bytes;
  };

  acre::descriptor made_;
  acre::descriptor opened_;
  const acre::descriptor* file_ = &opened_;
  std::optional<descriptor_server> server_;
  std::size_t bytes_ = 0;
  std::size_t page_bytes_ = 0;
  std::vector<std::span<std::byte>> mapped_;
  std::vector<piece> pieces_;
};

[[nodiscard]] std::size_t free_reserved_bytes();

/// Identifies processes that can share memory: host, boot, name spaces.
[[nodiscard]] std::uint64_t host_fingerprint();

}  // namespace acre::fabric
