// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/smp_memory.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/fingerprint.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/page_bytes.hpp>
#include <acre/base/resource_limits.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::fabric {
namespace {

[[noreturn]] void fail(const std::string& problem, const char* call, const char* advice) {
  const int reason = errno;
  throw error("shared memory of the node", problem + ": " + std::strerror(reason),
              advice_for_refused_call(call, reason, advice));
}

constexpr const char* smaller =
    "set a smaller ACRE_SEGMENT_SIZE, or reserve more huge pages if ACRE_HUGE_PAGES is reserved";
using base::largest_page_bytes;
constexpr std::size_t huge_page = std::size_t{2} << 20;

#ifndef MFD_HUGE_2MB
#define MFD_HUGE_2MB (21U << 26)
#endif

unsigned flags_of(file_pages made_of) noexcept {
  return MFD_CLOEXEC | (made_of == file_pages::reserved ? MFD_HUGETLB | MFD_HUGE_2MB : 0U);
}

/// This process's number in /proc, possibly of another pid name space.
std::int32_t process_in_proc() {
  const std::string number = link_target("/proc/self");
  std::int32_t process = ::getpid();
  std::from_chars(number.data(), number.data() + number.size(), process);
  return process;
}

std::uint64_t proof_for_server(const secret_key& secret, std::uint64_t server) noexcept {
  return keyed_hash<1>(derive_key(secret, key_purpose::memory_of_node), {server});
}

std::size_t page_bytes_of(int file) noexcept {
  struct stat about{};
  const bool is_huge =
      ::fstat(file, &about) == 0 && static_cast<std::size_t>(about.st_blksize) == huge_page;
  return is_huge ? huge_page : largest_page_bytes;
}

}  // namespace

std::size_t free_reserved_bytes() {
  const std::string folder = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
  std::size_t free = 0;
  std::size_t promised = 0;
  std::ifstream(folder + "free_hugepages") >> free;
  std::ifstream(folder + "resv_hugepages") >> promised;
  return free > promised ? (free - promised) * huge_page : 0;
}

smp_memory::smp_memory(file_pages made_of) : made_(::memfd_create("acre", flags_of(made_of))) {
  if (!made_.open()) {
    fail("cannot create an anonymous file", "memfd_create", "Linux 3.17 or newer is required");
  }
  page_bytes_ = page_bytes_of(made_.get());
}

smp_memory::~smp_memory() {
  for (const auto& each : mapped_) ::munmap(each.data(), each.size());
}

smp_memory::ticket smp_memory::publish() {
  if (!server_) server_.emplace();
  return {.process = process_in_proc(),
          .descriptor = made_.get(),
          .device = made_.file().device,
          .inode = made_.file().inode,
          .server = server_->number()};
}

void smp_memory::hand_over(const secret_key& secret) const noexcept {
  if (server_) server_->serve(made_.get(), proof_for_server(secret, server_->number()));
}

/// A number in /proc may belong to another name space: checks the identity before and after
/// opening.
acre::descriptor smp_memory::open_of(const ticket& shared, const secret_key& secret) const {
  const file_identity wanted{shared.device, shared.inode};
  const std::string path =
      "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.descriptor);
  std::string reasons = path + ": ";
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) {
    reasons += std::strerror(errno);
  } else if (identity_of(about) != wanted) {
    reasons += "another file";
  } else {
    acre::descriptor opened(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (opened.open() && opened.file() == wanted) return opened;
    reasons += opened.open() ? "another file" : std::strerror(errno);
  }
  acre::descriptor given(
      descriptor_server::request(shared.server, proof_for_server(secret, shared.server)));
  if (given.open() && given.file() == wanted) return given;
  reasons += std::string("; its socket: ") + (given.open() ? "another file" : std::strerror(errno));
  const bool has_ended = ::access(("/proc/" + std::to_string(shared.process)).c_str(), F_OK) != 0 &&
                         errno == ENOENT && ::access("/proc/self", F_OK) == 0;
  throw error("shared memory of the node",
              "the memory of the node's first rank, process " + std::to_string(shared.process) +
                  ", cannot be opened (" + reasons + ")",
              has_ended ? "that process has ended during the start of the job, or is in another "
                          "container"
                        : "ranks of a node must share /proc or a network namespace; "
                          "ACRE_RANKS_PER_NODE=1 avoids shared memory");
}

void smp_memory::open(const ticket& shared, std::size_t bytes, const secret_key& secret) {
  if (made_.file() == file_identity{shared.device, shared.inode}) {
    file_ = &made_;
  } else {
    opened_ = open_of(shared, secret);
    file_ = &opened_;
  }
  page_bytes_ = page_bytes_of(file_->get());
  if (::ftruncate(file_->get(), static_cast<off_t>(bytes)) != 0) {
    fail("cannot reserve " + format_size(bytes), "ftruncate", smaller);
  }
  bytes_ = bytes;
}

std::byte* smp_memory::map() {
  std::byte* const address = reserve(bytes_);
  map_over(address, 0, bytes_);
  return address;
}

std::byte* smp_memory::reserve(std::size_t bytes, std::byte* wanted) {
  void* reserved = ::mmap(wanted, bytes + huge_page, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    fail("cannot map " + format_size(bytes), "mmap", smaller);
  }
  auto* const first = static_cast<std::byte*>(reserved);
  auto* const start = reinterpret_cast<std::byte*>(
      round_up(reinterpret_cast<std::uintptr_t>(first), std::uintptr_t{huge_page}));
  std::byte* const end = start + round_up(bytes, largest_page_bytes);
  if (start != first) ::munmap(first, static_cast<std::size_t>(start - first));
  std::byte* const last = first + bytes + huge_page;
  if (end < last) ::munmap(end, static_cast<std::size_t>(last - end));
  mapped_.emplace_back(start, end);
  return start;
}

void* smp_memory::map(std::byte* address, std::uint64_t offset, std::size_t bytes, int flags) {
  const int promise = page_bytes_ == largest_page_bytes ? MAP_NORESERVE : 0;
  return ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | promise | flags, file_->get(),
                static_cast<off_t>(offset));
}

void smp_memory::map_over(std::byte* address, std::uint64_t offset, std::size_t bytes) {
  if (map(address, offset, bytes, MAP_FIXED) == MAP_FAILED) {
    fail("cannot map " + format_size(bytes), "mmap", smaller);
  }
  pieces_.push_back({address, offset, bytes});
}

bool smp_memory::map_where_free(std::byte* address, std::uint64_t offset, std::size_t bytes) {
  void* const mapped = map(address, offset, bytes, MAP_FIXED_NOREPLACE);
  if (mapped == MAP_FAILED) return false;
  if (mapped != address) {
    ::munmap(mapped, bytes);
    return false;
  }
  mapped_.emplace_back(address, bytes);
  pieces_.push_back({address, offset, bytes});
  return true;
}

void smp_memory::map_copy_over(std::byte* address, std::uint64_t offset,
                               std::size_t bytes) const noexcept {
  if (!file_->is_intact()) return;
  (void)::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED,
               file_->get(), static_cast<off_t>(offset));
}

void smp_memory::map_copies() const noexcept {
  if (page_bytes_ != largest_page_bytes) return;
  for (const piece& each : pieces_) map_copy_over(each.address, each.offset, each.bytes);
}

std::uint64_t host_fingerprint() {
  return fingerprint(host_name() + boot_id() + name_space("pid") + name_space("user"));
}

}  // namespace acre::fabric
