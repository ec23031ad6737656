// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include "context.hpp"
#include "failure.hpp"
#include "heap_block.hpp"
#include "session.hpp"
#include <acre/runtime/memory.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <limits>

namespace acre::shmem {
namespace {

struct byte_range {
  std::uintptr_t begin;
  std::uintptr_t end;

  byte_range(const void* address, std::size_t bytes)
      : begin(reinterpret_cast<std::uintptr_t>(address)), end(begin + bytes) {}
  explicit byte_range(std::span<const std::byte> bytes) : byte_range(bytes.data(), bytes.size()) {}

  [[nodiscard]] bool contains(const void* address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= begin && at < end;
  }
  [[nodiscard]] bool overlaps(const byte_range& other) const noexcept {
    return begin < other.end && other.begin < end;
  }
};

std::string text_of(const void* address) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%p", address);
  return text.data();
}

std::string numbers_below(std::size_t count) { return "0 to " + std::to_string(count - 1); }

byte_range static_data() { return byte_range(runtime::static_data_pages()); }

/// Symmetric memory around an address: static data, a block of the heap, or the whole heap if
/// another interface allocated it.
struct piece {
  std::string name;
  byte_range bytes;
};
std::optional<piece> symmetric_piece(const void* address) {
  if (const byte_range all = static_data(); all.contains(address)) return piece{"static data", all};
  if (const auto block = heap_block_around(address)) {
    return piece{"its block of the symmetric heap", byte_range(*block)};
  }
  if (!runtime::in_symmetric_heap(address)) return std::nullopt;
  if (runtime::symmetric_blocks() <= heap_blocks()) return std::nullopt;
  // Blocks that C++ allocated are unknown here. The symmetric heap is the segment's lower half.
  const auto& world = runtime::world;
  return piece{"the symmetric heap", {world.segment, world.segment_bytes / 2}};
}

}  // namespace

void fail_outside_session(const char* routine) {
  if (the_session.now == stage::finalized) fail(routine, "called after shmem_finalize");
  if (the_session.now == stage::in_child) {
    fail(routine, "called in a child process, which fork() created from PE " +
                      std::to_string(runtime::world.rank) + " and which is not a PE");
  }
  fail(routine, "called before shmem_init");
}

arguments::arguments(const char* routine) : routine_(routine) {
  require_session(routine);
  const bool others_may_call = the_session.thread_level >= SHMEM_THREAD_SERIALIZED;
  if (!others_may_call && std::this_thread::get_id() != the_session.main_thread) {
    refuse("called by another thread than shmem_init, but the thread level is " +
           std::string(the_session.thread_level == SHMEM_THREAD_SINGLE ? "SHMEM_THREAD_SINGLE"
                                                                       : "SHMEM_THREAD_FUNNELED"));
  }
}

arguments arguments::of_any_thread(const char* routine) {
  require_session(routine);
  arguments its;
  its.routine_ = routine;
  return its;
}

void arguments::refuse(const std::string& problem) const { fail(routine_, problem); }

std::size_t arguments::bytes(std::size_t nelems, std::size_t size, std::size_t stride) const {
  if (nelems == 0) return 0;
  std::size_t elements = 0;
  std::size_t total = 0;
  const bool is_too_much = __builtin_mul_overflow(nelems - 1, stride, &elements) ||
                           __builtin_add_overflow(elements, 1, &elements) ||
                           __builtin_mul_overflow(elements, size, &total) ||
                           total > std::size_t{std::numeric_limits<std::ptrdiff_t>::max()};
  if (is_too_much) {
    refuse("the number of elements is " + std::to_string(nelems) + " of " + std::to_string(size) +
           (size == 1 ? " byte" : " bytes") +
           (stride == 1 ? "" : ", " + std::to_string(stride) + " from each other") +
           ": the size overflows");
  }
  return total;
}

std::size_t arguments::parts(std::size_t each, rank_t members) const {
  return bytes(members, each);
}

void arguments::stride(const char* name, std::ptrdiff_t stride, std::size_t nelems) const {
  if (stride < 1 && nelems != 0) {
    refuse(std::string(name) + " is " + std::to_string(stride) + ", but strides are at least 1");
  }
}

void arguments::pe(int pe) const {
  if (pe < 0 || static_cast<rank_t>(pe) >= size()) {
    refuse("pe is " + std::to_string(pe) + ", but PEs are " + numbers_below(size()));
  }
}

void arguments::member(const char* name, int pe, const acre::team& members) const {
  if (pe < 0 || static_cast<rank_t>(pe) >= members.size()) {
    refuse(std::string(name) + " is " + std::to_string(pe) + ", but PEs of the team are " +
           numbers_below(members.size()));
  }
}

void arguments::comparison(int cmp) const {
  if (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_LE) {
    refuse("cmp is " + std::to_string(cmp) + ", but comparisons are SHMEM_CMP_EQ, NE, GT, GE, " +
           "LT and LE");
  }
}

void arguments::signal_operation(int sig_op) const {
  if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD) {
    refuse("sig_op is " + std::to_string(sig_op) +
           ", but operations are SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD");
  }
}

void arguments::alignment(std::size_t alignment) const {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) {
    refuse("alignment is " + std::to_string(alignment) +
           ", but alignments are powers of two from " + std::to_string(sizeof(void*)));
  }
}

void arguments::symmetric(const char* name, const void* address, std::size_t bytes) const {
  if (bytes == 0) return;
  const auto found = symmetric_piece(address);
  if (!found) {
    refuse(std::string(name) + " is " + text_of(address) +
           ", which is not a symmetric address: neither a static variable of the program nor in a "
           "block of the symmetric heap");
  }
  const std::size_t room = found->bytes.end - reinterpret_cast<std::uintptr_t>(address);
  if (bytes > room) {
    refuse(std::string(name) + " is " + text_of(address) + " with " + std::to_string(bytes) +
           " bytes, but " + found->name + " ends after " + std::to_string(room));
  }
}

void arguments::aligned(const char* name, const void* address, std::size_t alignment) const {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment != 0) {
    refuse(std::string(name) + " is " + text_of(address) + ", but must be a multiple of " +
           std::to_string(alignment));
  }
}

void arguments::local(const char* name, const void* address, std::size_t bytes) const {
  if (address == nullptr && bytes != 0) {
    refuse(std::string(name) + " is null, but has " + std::to_string(bytes) +
           (bytes == 1 ? " byte" : " bytes"));
  }
}

void arguments::apart(const char* name, const void* object, std::size_t bytes,
                      const char* other_name, const void* other, std::size_t other_bytes) const {
  if (byte_range(object, bytes).overlaps(byte_range(other, other_bytes))) {
    refuse(std::string(name) + " is " + text_of(object) + " with " + std::to_string(bytes) +
           " bytes, and overlaps " + other_name + ", " + text_of(other) + " with " +
           std::to_string(other_bytes));
  }
}

void arguments::apart_or_same(const char* name, const void* object, const char* other_name,
                              const void* other, std::size_t bytes) const {
  if (object != other) apart(name, object, bytes, other_name, other, bytes);
}

void arguments::context(shmem_ctx_t ctx) const {
  if (ctx == SHMEM_CTX_DEFAULT) return;
  if (ctx == SHMEM_CTX_INVALID) refuse("ctx is SHMEM_CTX_INVALID");
  if (!is_alive(ctx)) refuse("ctx is invalid or already destroyed");
  if ((ctx->options & SHMEM_CTX_PRIVATE) != 0 && ctx->owner != std::this_thread::get_id()) {
    refuse("ctx was created with SHMEM_CTX_PRIVATE, by another thread");
  }
}

void arguments::context_or_invalid(shmem_ctx_t ctx) const {
  if (ctx != SHMEM_CTX_INVALID) context(ctx);
}

void arguments::context(shmem_ctx_t ctx, int pe) const {
  context(ctx);
  if (ctx != SHMEM_CTX_DEFAULT) member("pe", pe, *ctx->team->members);
}

void arguments::context_options(long options) const {
  constexpr long known = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE;
  if ((options & ~known) != 0) {
    refuse("options is " + std::to_string(options) +
           ", but options are SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE");
  }
}

void arguments::team_or_invalid(shmem_team_t team) const {
  if (team != SHMEM_TEAM_INVALID) static_cast<void>(members(team));
}

void arguments::no_private_context(const acre_shmem_team& team) const {
  for (const shmem_ctx_t each : team.contexts) {
    if ((each->options & SHMEM_CTX_PRIVATE) != 0) {
      refuse("the team has a context with SHMEM_CTX_PRIVATE, which must be destroyed first");
    }
  }
}

void arguments::config(const shmem_team_config_t* config, long mask) const {
  if ((mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) {
    refuse("config_mask is " + std::to_string(mask) +
           ", but only SHMEM_TEAM_NUM_CONTEXTS is supported");
  }
  if (mask != 0) local("config", config, sizeof *config);
}

const acre::team& arguments::members(shmem_team_t team) const {
  if (team == SHMEM_TEAM_INVALID) refuse("team is SHMEM_TEAM_INVALID");
  if (!is_alive(team)) refuse("team is invalid or already destroyed");
  return *team->members;
}

const acre::team& arguments::members(const acre::team& active_set) const { return active_set; }

void arguments::work_array(const char* name, const long* p_sync) const {
  symmetric(name, p_sync, SHMEM_SYNC_SIZE * sizeof *p_sync);
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) {
    if (p_sync[i] != SHMEM_SYNC_VALUE) {
      refuse(std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(p_sync[i]) +
             ", but must be initialised to SHMEM_SYNC_VALUE");
    }
  }
}

namespace {
constexpr std::uint64_t any_object = ~std::uint64_t{0};
}

arguments::shared::shared(const char* its_name, const void* object, std::size_t bytes)
    : name(its_name), value(reinterpret_cast<std::uintptr_t>(object)), is_object(true) {
  if (object != nullptr) value -= reinterpret_cast<std::uintptr_t>(runtime::world.window);
  if (bytes == 0) value = any_object;
}

bool arguments::shared::agrees_with(std::uint64_t other) const noexcept {
  return other == value || (is_object && (other == any_object || value == any_object));
}

void arguments::alike(const acre::team& members, std::initializer_list<shared> what) const {
  struct call {
    std::array<char, 40> routine{};
    std::array<std::uint64_t, 5> values{};
  } mine;
  std::strncpy(mine.routine.data(), routine_, mine.routine.size() - 1);
  std::ranges::transform(what, mine.values.begin(), &shared::value);

  const std::vector<call> calls = members.allgather(mine);
  for (rank_t member = 0; member < calls.size(); ++member) {
    const std::string pe = "PE " + std::to_string(members.world_rank(member));
    if (calls[member].routine != mine.routine) {
      refuse("all PEs of the team must call it, but " + pe + " calls " +
             calls[member].routine.data());
    }
    for (std::size_t i = 0; i < what.size(); ++i) {
      const shared& here = what.begin()[i];
      const std::uint64_t value = calls[member].values[i];
      if (here.agrees_with(value)) continue;
      refuse(std::string(here.name) + " must be equal on all PEs of the team, but is " +
             (here.is_object ? "another object" : std::to_string(value)) + " on " + pe +
             (here.is_object ? "" : ", and " + std::to_string(here.value) + " here"));
    }
  }
}

void arguments::alike_in(shmem_team_t team, std::initializer_list<shared> what) const {
  if (team != SHMEM_TEAM_INVALID) alike(members(team), what);
}

}  // namespace acre::shmem
