// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/replaced_import.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace acre::base {
namespace {

using relocation = ElfW(Rela);

/// Dynamic section of a library.
class imports {
 public:
  imports(const dl_phdr_info& info, const ElfW(Dyn) * entry) noexcept : start_(info.dlpi_addr) {
    for (; entry->d_tag != DT_NULL; ++entry) {
      const std::uintptr_t given = entry->d_un.d_ptr;
      const std::uintptr_t address = given < start_ ? start_ + given : given;
      switch (entry->d_tag) {
        case DT_SYMTAB:
          symbols_ = reinterpret_cast<const ElfW(Sym)*>(address);
          break;
        case DT_STRTAB:
          names_ = reinterpret_cast<const char*>(address);
          break;
        case DT_JMPREL:
          calls_ = reinterpret_cast<const relocation*>(address);
          break;
        case DT_PLTRELSZ:
          bytes_of_calls_ = given;
          break;
        case DT_RELA:
          data_ = reinterpret_cast<const relocation*>(address);
          break;
        case DT_RELASZ:
          bytes_of_data_ = given;
          break;
        case DT_PLTREL:
          has_addends_ = given == DT_RELA;
          break;
        default:
          break;
      }
    }
  }

  /// Address of a function's entry; 0 if not imported.
  [[nodiscard]] std::uintptr_t find(std::string_view name) const noexcept {
    if (symbols_ == nullptr || names_ == nullptr) return 0;
    if (calls_ != nullptr && has_addends_) {
      if (const std::uintptr_t found =
              find_in({calls_, bytes_of_calls_ / sizeof(relocation)}, name))
        return found;
    }
    return data_ == nullptr ? 0 : find_in({data_, bytes_of_data_ / sizeof(relocation)}, name);
  }

 private:
  [[nodiscard]] std::uintptr_t find_in(std::span<const relocation> all,
                                       std::string_view name) const noexcept {
    for (const relocation& each : all) {
      const auto symbol = ELF64_R_SYM(each.r_info);
      if (symbol != 0 && names_ + symbols_[symbol].st_name == name) return start_ + each.r_offset;
    }
    return 0;
  }

  std::uintptr_t start_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const relocation* calls_ = nullptr;
  std::size_t bytes_of_calls_ = 0;
  const relocation* data_ = nullptr;
  std::size_t bytes_of_data_ = 0;
  bool has_addends_ = false;
};

struct search {
  std::uintptr_t inside;
  std::string_view name;
  std::uintptr_t entry = 0;
  bool is_read_only = false;

  /// @return true in the library of `inside`
  bool look_in(const dl_phdr_info& info) noexcept {
    const std::span headers(info.dlpi_phdr, info.dlpi_phnum);
    const auto has = [&](const ElfW(Phdr) & header, std::uintptr_t address) {
      return address - (info.dlpi_addr + header.p_vaddr) < header.p_memsz;
    };
    bool is_here = false;
    for (const auto& each : headers) is_here |= each.p_type == PT_LOAD && has(each, inside);
    if (!is_here) return false;
    for (const auto& each : headers) {
      if (each.p_type != PT_DYNAMIC) continue;
      const auto* const section = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + each.p_vaddr);
      entry = imports(info, section).find(name);
    }
    for (const auto& each : headers) {
      is_read_only |= each.p_type == PT_GNU_RELRO && has(each, entry);
    }
    return true;
  }
};

}  // namespace

replaced_import::replaced_import(const void* inside, std::string_view name,
                                 void* replacement) noexcept {
  search searching{.inside = reinterpret_cast<std::uintptr_t>(inside), .name = name};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        return static_cast<search*>(context)->look_in(*info) ? 1 : 0;
      },
      &searching);
  if (searching.entry == 0) return;
  entry_ = reinterpret_cast<void**>(searching.entry);
  is_read_only_ = searching.is_read_only;
  before_ = *entry_;
  if (!set(replacement)) entry_ = nullptr;
}

replaced_import::~replaced_import() {
  if (entry_ != nullptr) static_cast<void>(set(before_));
}

bool replaced_import::set(void* function) const noexcept {
  const auto page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto* const page =
      reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(entry_) & ~(page_bytes - 1));
  if (is_read_only_ && ::mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  std::atomic_ref(*entry_).store(function, std::memory_order_relaxed);
  if (is_read_only_) ::mprotect(page, page_bytes, PROT_READ);
  return true;
}

}  // namespace acre::base
