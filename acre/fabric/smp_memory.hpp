// SPDX-License-Identifier: BSD-3-Clause
// The memory that the ranks of a node share: one anonymous file, which each of
// them maps, in one piece or in several. Nothing has a name in the file system, so
// nothing can be left behind; pages are committed when they are touched.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/descriptor_door.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::fabric {

/// What the file is made of.
enum class file_pages {
  usual,
  reserved  ///< huge pages that the administrator has set aside, in vm.nr_hugepages
};

class smp_memory {
 public:
  /// Tells another process of this host where to find the file, and by what to know it.
  struct ticket {
    std::int32_t process = 0;  ///< as /proc shows it
    std::int32_t descriptor = -1;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t door = 0;  ///< where it is handed over if /proc does not show it
  };

  /// Makes a file of no length. Every rank makes one; the node uses one of them.
  /// @throws acre::error when the system refuses
  explicit smp_memory(file_pages made_of = file_pages::usual);
  ~smp_memory();
  smp_memory(const smp_memory&) = delete;
  smp_memory& operator=(const smp_memory&) = delete;

  [[nodiscard]] ticket publish();

  /// Opens the file named by the ticket (one's own included), and makes it `bytes` long, which
  /// all say alike. Nothing is done to what is another file. The process that made the file must
  /// live, and call hand_over(), until all have opened it.
  /// @param secret  of the job: who knows it may have the file
  /// @throws acre::error when the file cannot be opened or made that long
  void open(const ticket& shared, std::size_t bytes, const secret_key& secret = {});

  /// Gives the file to neighbours who wait for it in open().
  void hand_over(const secret_key& secret) const noexcept;
  /// All have it.
  void close_door() noexcept { door_.reset(); }

  /// Maps all of it, zeroed where nobody has written, at an address aligned to huge pages.
  /// @throws acre::error when there is no such range of addresses
  [[nodiscard]] std::byte* map();

  /// Sets addresses aside, to map pieces of the file at; aligned to huge pages.
  /// @throws acre::error when there are not so many
  [[nodiscard]] std::byte* reserve(std::size_t bytes);

  /// Maps a piece (in whole pages) at addresses that were set aside, or that hold pages which
  /// it replaces.
  /// @throws acre::error when the system refuses
  void map_over(std::byte* address, std::uint64_t offset, std::size_t bytes);
  /// Maps a piece where nothing may be mapped yet.
  /// @return whether nothing was
  [[nodiscard]] bool map_where_free(std::byte* address, std::uint64_t offset, std::size_t bytes);

  /// Maps a piece over pages that show it already, as a copy of this process's own: what is
  /// written from now on stays here. Nothing happens where the program has closed the file.
  void map_copy_over(std::byte* address, std::uint64_t offset, std::size_t bytes) const noexcept;

  /// The same for everything that is mapped: for a child of this process, which must not write into
  /// the file. Reserved pages stay shared: there may be none for a copy.
  void map_copies() const noexcept;

  /// What is mapped and committed at least: whoever made the file has chosen.
  [[nodiscard]] std::size_t page_bytes() const noexcept { return page_bytes_; }

  /// The file, to be written without mapping it.
  [[nodiscard]] int descriptor() const noexcept { return file_->get(); }

 private:
  [[nodiscard]] acre::descriptor open_of(const ticket& shared, const secret_key& secret) const;
  void* map(std::byte* address, std::uint64_t offset, std::size_t bytes, int flags);

  struct piece {
    std::byte* address;
    std::uint64_t offset;
    std::size_t bytes;
  };

  acre::descriptor made_;                    ///< the file that was made here
  acre::descriptor opened_;                  ///< another rank's, where the node uses that
  const acre::descriptor* file_ = &opened_;  ///< the one that the node uses
  std::optional<descriptor_door> door_;
  std::size_t bytes_ = 0;
  std::size_t page_bytes_ = 0;
  std::vector<std::span<std::byte>> mapped_;  ///< what to give back at the end
  std::vector<piece> pieces_;                 ///< of the file, where they are mapped
};

/// How much of the memory that the administrator has reserved for huge pages nobody uses.
[[nodiscard]] std::size_t free_reserved_bytes();

/// Names the set of processes that can share memory with this one: host, boot,
/// and the namespaces through which /proc is seen.
[[nodiscard]] std::uint64_t host_fingerprint();

}  // namespace acre::fabric
