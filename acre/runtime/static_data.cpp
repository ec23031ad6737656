// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/static_data.hpp>

#include <acre/runtime/rank_table.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <link.h>
#include <unistd.h>

namespace acre::runtime {
namespace {

constinit bool shared = false;

struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

int find_in_executable(dl_phdr_info* object, std::size_t, void* found) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  address_range data;
  address_range constant;
  for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    const address_range here{begin, begin + part.p_memsz};
    if (part.p_type == PT_GNU_RELRO) constant = here;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) data = here;
  }
  data.begin &= ~(page - 1);
  data.end = (data.end + page - 1) & ~(page - 1);
  const std::uintptr_t writable = constant.end & ~(page - 1);
  if (writable > data.begin && writable <= data.end) data.begin = writable;
  *static_cast<address_range*>(found) = data;
  return 1;
}

}  // namespace

bool share_static_data() {
  if (world.windows == nullptr) world.windows = window_table::of(table_of_no_ranks());
  return shared = true;
}

bool static_data_is_shared() noexcept { return shared; }

std::span<std::byte> static_data_pages() noexcept {
  static const address_range pages = [] {
    address_range found;
    ::dl_iterate_phdr(find_in_executable, &found);
    return found;
  }();
  return {reinterpret_cast<std::byte*>(pages.begin), pages.end - pages.begin};
}

}  // namespace acre::runtime
