// The memory that the ranks of a node share: one anonymous file, mapped once by
// each of them. Nothing has a name in the file system, so nothing can be left
// behind; pages are committed when they are touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::fabric {

class smp_memory {
 public:
  /// Tells another process of this host where to find the file.
  struct ticket {
    std::int32_t process = 0;
    std::int32_t descriptor = -1;
  };

  /// Makes a file of no length. Every rank makes one; the node uses one of them.
  /// @throws acre::error when the system refuses
  smp_memory();
  ~smp_memory();
  smp_memory(const smp_memory&) = delete;
  smp_memory& operator=(const smp_memory&) = delete;

  [[nodiscard]] ticket publish() const noexcept;

  /// Maps `bytes` of the file named by the ticket (one's own included), zeroed
  /// where nobody has written, at an address aligned to huge pages. The process that made the file
  /// must live until all have attached.
  /// @throws acre::error when the file cannot be opened or mapped
  void attach(const ticket& shared, std::size_t bytes);

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

 private:
  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Names the set of processes that can share memory with this one: host, boot,
/// and the namespaces through which /proc is seen.
[[nodiscard]] std::uint64_t host_fingerprint();

}  // namespace acre::fabric
