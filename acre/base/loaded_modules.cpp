// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/loaded_modules.hpp>

#include <acre/base/checksum.hpp>
#include <acre/base/fingerprint.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>
#include <string_view>
#include <utility>

namespace acre {
namespace {

std::uint32_t hash_of(std::span<const std::byte> bytes) {
  base::checksum all;
  all.add(bytes);
  const auto hash = static_cast<std::uint32_t>(all.sum());
  return hash != 0 ? hash : 1;
}

using program_header = ElfW(Phdr);

std::span<const program_header> headers_of(const dl_phdr_info& info) {
  return {info.dlpi_phdr, info.dlpi_phnum};
}

std::span<const std::byte> loaded_bytes(const dl_phdr_info& info, const program_header& header) {
  return {reinterpret_cast<const std::byte*>(info.dlpi_addr + header.p_vaddr), header.p_memsz};
}

std::span<const std::byte> find_build_id(std::span<const std::byte> notes, std::size_t alignment) {
  const auto padded = [=](std::size_t size) { return (size + alignment - 1) & ~(alignment - 1); };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name_at = sizeof note;
    const std::size_t description_at = name_at + padded(note.n_namesz);
    const std::size_t end = description_at + padded(note.n_descsz);
    if (end > notes.size()) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data() + name_at, "GNU", 4) == 0) {
      return notes.subspan(description_at, note.n_descsz);
    }
    notes = notes.subspan(end);
  }
  return {};
}

std::uint32_t identify(const dl_phdr_info& info) {
  for (const auto& header : headers_of(info)) {
    if (header.p_type != PT_NOTE) continue;
    const auto build_id = find_build_id(loaded_bytes(info, header), header.p_align == 8 ? 8 : 4);
    if (!build_id.empty()) return hash_of(build_id);
  }
  std::uint32_t hash = 0;
  for (const auto& header : headers_of(info)) {
    if (header.p_type != PT_LOAD) continue;
    const bool is_constant = (header.p_flags & PF_R) != 0 && (header.p_flags & PF_W) == 0;
    const auto size = static_cast<std::uint32_t>(header.p_memsz);
    hash = hash * 31 + (is_constant ? hash_of(loaded_bytes(info, header)) : size);
  }
  return hash != 0 ? hash : 1;
}

loaded_module describe(const dl_phdr_info& info) {
  loaded_module found;
  found.path = info.dlpi_name != nullptr ? info.dlpi_name : "";
  found.start = UINTPTR_MAX;
  for (const auto& header : headers_of(info)) {
    if (header.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (begin < found.start) found.start = begin;
    if ((header.p_flags & PF_X) != 0) found.code.push_back({begin, begin + header.p_memsz});
  }
  found.hash = identify(info);
  return found;
}

class symbols_of_module {
 public:
  explicit symbols_of_module(const dl_phdr_info& info) {
    for (const auto& header : headers_of(info)) {
      if (header.p_type != PT_DYNAMIC) continue;
      const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + header.p_vaddr);
      for (; entry->d_tag != DT_NULL; ++entry) {
        const std::uintptr_t given = entry->d_un.d_ptr;
        const std::uintptr_t address = given < info.dlpi_addr ? info.dlpi_addr + given : given;
        if (entry->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym)*>(address);
        if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(address);
        if (entry->d_tag == DT_GNU_HASH) table_ = reinterpret_cast<const std::uint32_t*>(address);
      }
    }
  }

  [[nodiscard]] bool is_known() const noexcept {
    return symbols_ != nullptr && names_ != nullptr && table_ != nullptr;
  }

  template <class Predicate>
  [[nodiscard]] bool takes_any(Predicate accepts) const {
    const std::uint32_t first_of_own = table_[1];
    for (std::uint32_t i = 1; i < first_of_own; ++i) {
      if (accepts(std::string_view(names_ + symbols_[i].st_name))) return true;
    }
    return false;
  }

  [[nodiscard]] bool defines(std::string_view name) const {
    std::uint32_t hash = 5381;
    for (const char letter : name) hash = hash * 33 + static_cast<unsigned char>(letter);
    const std::uint32_t buckets = table_[0];
    const std::uint32_t first_of_own = table_[1];
    const std::size_t words_of_filter = table_[2] * (sizeof(std::uintptr_t) / sizeof(*table_));
    const std::uint32_t* const bucket = table_ + 4 + words_of_filter;
    const std::uint32_t* const chain = bucket + buckets;
    if (buckets == 0 || bucket[hash % buckets] < first_of_own) return false;
    for (std::uint32_t i = bucket[hash % buckets];; ++i) {
      const std::uint32_t here = chain[i - first_of_own];
      if ((here | 1) == (hash | 1) && name == names_ + symbols_[i].st_name) return true;
      if ((here & 1) != 0) return false;
    }
  }

 private:
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const std::uint32_t* table_ = nullptr;
};

bool uses_acre(const dl_phdr_info& info) {
  const symbols_of_module symbols(info);
  if (!symbols.is_known()) return false;
  if (symbols.defines("_ZN4acre17process_identityB5cxx11Ev")) return true;
  constexpr std::array<std::string_view, 5> prefixes = {"_ZN4acre", "_ZNK4acre", "_ZTIN4acre",
                                                        "shmem_", "gasnet"};
  return symbols.takes_any([&](std::string_view name) {
    return std::ranges::any_of(prefixes, [&](auto each) { return name.starts_with(each); });
  });
}

}  // namespace

bool loaded_module::holds_code_at(std::uintptr_t address) const noexcept {
  return std::ranges::any_of(
      code, [=](const address_range& each) { return address >= each.begin && address < each.end; });
}

std::vector<loaded_module> loaded_modules() {
  std::vector<loaded_module> modules;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        static_cast<std::vector<loaded_module>*>(context)->push_back(describe(*info));
        return 0;
      },
      &modules);
  return modules;
}

unsigned long long count_module_loads() noexcept {
  unsigned long long loads = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        *static_cast<unsigned long long*>(context) = info->dlpi_adds;
        return 1;
      },
      &loads);
  return loads;
}

program_build this_program() {
  struct search {
    program_build found;
    bool is_first = true;
  } searching;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        search& into = *static_cast<search*>(context);
        if (std::exchange(into.is_first, false)) {
          into.found.executable = {.path = link_target("/proc/self/exe"), .hash = identify(*info)};
        } else if (uses_acre(*info)) {
          into.found.libraries.push_back({.path = info->dlpi_name, .hash = identify(*info)});
        }
        return 0;
      },
      &searching);
  std::ranges::sort(searching.found.libraries, {}, &build::path);
  return std::move(searching.found);
}

}  // namespace acre
