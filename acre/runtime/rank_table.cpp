// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/rank_table.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace acre::runtime {
namespace {

constexpr std::size_t reach = (std::size_t{1} << 31) * sizeof(std::uintptr_t);

}  // namespace

void rank_table::assign(std::size_t ranks, std::uintptr_t value) {
  release();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t used =
      round_up((window_table::words_before_ranks + ranks) * sizeof(std::uintptr_t), page);
  reserved_bytes_ = reach + used + reach;
  raise_limit_by(RLIMIT_AS, reserved_bytes_);
  void* const reserved = ::mmap(nullptr, reserved_bytes_, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool is_usable =
      reserved != MAP_FAILED &&
      ::mprotect(static_cast<std::byte*>(reserved) + reach, used, PROT_READ | PROT_WRITE) == 0;
  if (!is_usable) {
    throw error("job", std::string("cannot reserve address space: ") + std::strerror(errno),
                "raise the address space limit: ulimit -v unlimited");
  }
  reserved_ = static_cast<std::byte*>(reserved);
  auto* const first = reinterpret_cast<std::uintptr_t*>(reserved_ + reach);
  auto* const end = reinterpret_cast<std::uintptr_t*>(reserved_ + reach + used);
  entries_ = end - ranks;
  std::fill(first, entries_, no_address);
  std::fill_n(entries_ - window_table::words_before_ranks, window_table::header_words, 0);
  std::fill(entries_, end, value);
}

void rank_table::release() noexcept {
  if (reserved_ != nullptr) ::munmap(reserved_, reserved_bytes_);
  reserved_ = nullptr;
}

std::optional<std::int32_t> index_at(const std::uintptr_t* table, const void* address) noexcept {
  const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) -
                                                  reinterpret_cast<std::uintptr_t>(table));
  const std::int64_t index = distance / static_cast<std::int64_t>(sizeof(std::uintptr_t));
  if (index != static_cast<std::int32_t>(index)) return std::nullopt;
  return static_cast<std::int32_t>(index);
}

const std::uintptr_t* table_of_no_ranks() {
  static const auto& made = *new rank_table;
  return made.data();
}

}  // namespace acre::runtime
