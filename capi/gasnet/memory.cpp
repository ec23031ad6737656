// SPDX-License-Identifier: BSD-3-Clause
// The extended API: puts, gets, memset, and their completion.
//
// Accesses to a neighbour's memory are loads and stores, complete at once. Network puts and gets
// with a handle complete individually; the provider counts those without (also in access regions),
// puts and gets apart. memset completes at return.
#include <memory>

#include "checking.hpp"
#include "failure.hpp"
#include "polling.hpp"
#include "state.hpp"
#include "waiting.hpp"
#include <acre/runtime/completion.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

using acre_gasnet_record = acre::runtime::awaited<acre::fabric::operation>;

struct acre_gasnet_value {
  acre_gasnet_record operation;
  gasnet_register_value_t value;
};

namespace acre::gasnet {
namespace {

using acre::runtime::counted;

[[gnu::always_inline]] inline void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t)) {
    std::memcpy(to, from, sizeof(std::uint64_t));
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}
/// GASNet orders blocking puts, and gets before later reads. x86-64 does so itself.
[[gnu::always_inline]] inline void order_after([[maybe_unused]] std::memory_order order) noexcept {
#if !defined(__x86_64__)
  std::atomic_thread_fence(order);
#endif
}
[[gnu::always_inline]] inline void copy_out(const place& there, const void* from,
                                            std::size_t bytes) {
  runtime::count(counted::direct_put);
  runtime::count(counted::direct_put_bytes, bytes);
  copy(there.address(), from, bytes);
  order_after(std::memory_order_release);
}
[[gnu::always_inline]] inline void copy_in(void* to, const place& there, std::size_t bytes) {
  runtime::count(counted::direct_get);
  runtime::count(counted::direct_get_bytes, bytes);
  copy(to, there.address(), bytes);
  order_after(std::memory_order_acquire);
}

runtime::remote_address remote(const place& there) noexcept {
  return {there.rank(), fabric::segment_region, there.offset()};
}

using record = acre_gasnet_record;

gasnet_handle_t handle_of(record&& started) noexcept {
  return static_cast<gasnet_handle_t>(std::move(started).to_handle());
}

gasnet_handle_t counted_operations() noexcept {
  static char all;
  return reinterpret_cast<gasnet_handle_t>(&all);
}

bool is_done(gasnet_handle_t handle) {
  if (handle == GASNET_INVALID_HANDLE) return true;
  if (handle == counted_operations()) return runtime::network_is_quiet();
  return record::is_done(handle);
}
void release(gasnet_handle_t handle) noexcept {
  if (handle != counted_operations()) static_cast<void>(record::from_handle(handle));
}

void put_blocking(const char* call, gasnet_node_t node, void* dest, const void* src,
                  std::size_t bytes) {
  const at_work here;
  check(call, node, dest, bytes);
  if (bytes == 0) return;
  const place there(node, dest);
  if (there.is_here()) return copy_out(there, src, bytes);
  or_fail(call, [&] { runtime::put_remote(remote(there), src, bytes); });
}
/// @tparam Far  copies from another node
template <void (*Far)(runtime::remote_address, void*, std::size_t)>
void get_bytes(const char* call, void* dest, gasnet_node_t node, const void* src,
               std::size_t bytes) {
  const at_work here;
  check(call, node, src, bytes);
  if (bytes == 0) return;
  const place there(node, src);
  if (there.is_here()) return copy_in(dest, there, bytes);
  or_fail(call, [&] { Far(remote(there), dest, bytes); });
}
void get_blocking(const char* call, void* dest, gasnet_node_t node, const void* src,
                  std::size_t bytes) {
  get_bytes<runtime::get_remote>(call, dest, node, src, bytes);
}

void put_value(const char* call, gasnet_node_t node, void* dest, gasnet_register_value_t value,
               std::size_t bytes) {
  const at_work here;
  check(call, node, dest, bytes);
  const place there(node, dest);
  if (there.is_here()) return copy_out(there, &value, bytes);
  or_fail(call, [&] { runtime::put_remote_value(remote(there), &value, bytes); });
}
gasnet_register_value_t get_value(const char* call, gasnet_node_t node, const void* src,
                                  std::size_t bytes) {
  const at_work here;
  check(call, node, src, bytes);
  gasnet_register_value_t value = 0;
  const place there(node, src);
  if (there.is_here()) {
    copy_in(&value, there, bytes);
  } else {
    or_fail(call, [&] { runtime::get_remote_value(remote(there), &value, bytes); });
  }
  return value;
}

[[nodiscard]] bool is_copied_at_once(std::size_t bytes) noexcept {
  return bytes <= runtime::world.conduit->offers().max_inject;
}

enum class source : std::uint8_t { until_return, until_done };

gasnet_handle_t put_with_handle(const char* call, gasnet_node_t node, void* dest, const void* src,
                                std::size_t bytes, source kept) {
  const at_work here;
  check(call, node, dest, bytes);
  if (bytes == 0) return GASNET_INVALID_HANDLE;
  const place there(node, dest);
  if (there.is_here()) {
    copy_out(there, src, bytes);
    return GASNET_INVALID_HANDLE;
  }
  return or_fail(call, [&]() -> gasnet_handle_t {
    if (kept == source::until_done) {
      return handle_of(record(0, [&](fabric::operation& done, std::byte*) {
        runtime::put_remote(remote(there), src, bytes, done);
      }));
    }
    // A put with a completion of its own may keep its source after return on some conduits, so
    // small data is copied.
    if (is_copied_at_once(bytes)) {
      return handle_of(record(bytes, [&](fabric::operation& done, std::byte* copied) {
        std::memcpy(copied, src, bytes);
        runtime::put_remote(remote(there), copied, bytes, done);
      }));
    }
    runtime::put_remote(remote(there), src, bytes);
    return GASNET_INVALID_HANDLE;
  });
}
gasnet_handle_t get_with_handle(const char* call, void* dest, gasnet_node_t node, const void* src,
                                std::size_t bytes) {
  const at_work here;
  check(call, node, src, bytes);
  if (bytes == 0) return GASNET_INVALID_HANDLE;
  const place there(node, src);
  if (there.is_here()) {
    copy_in(dest, there, bytes);
    return GASNET_INVALID_HANDLE;
  }
  return or_fail(call, [&] {
    return handle_of(record(0, [&](fabric::operation& done, std::byte*) {
      runtime::get_remote(remote(there), dest, bytes, done);
    }));
  });
}

[[gnu::noinline]] void put_large_counted(const char* call, gasnet_node_t node, void* dest,
                                         const void* src, std::size_t bytes, bool bulk) {
  if (bytes == 0) return;
  const place there(node, dest);
  or_fail(call, [&] {
    if (bulk || is_copied_at_once(bytes)) {
      runtime::put_remote_nbi(remote(there), src, bytes);
    } else {
      runtime::put_remote(remote(there), src, bytes);
    }
  });
}
enum class counted_put : std::uint8_t { copied, bulk, value };
constexpr const char* name_of(counted_put form) noexcept {
  switch (form) {
    case counted_put::copied:
      return "gasnet_put_nbi";
    case counted_put::bulk:
      return "gasnet_put_nbi_bulk";
    case counted_put::value:
      return "gasnet_put_nbi_val";
  }
  __builtin_unreachable();
}

/// Catches exceptions of small puts here; a handler around the put costs instructions.
template <counted_put Form>
[[gnu::noinline, gnu::cold]] void retry_small_or_fail(ssize_t result, runtime::remote_address there,
                                                      const void* src, std::size_t bytes) {
  or_fail(name_of(Form), [&] { runtime::retry_put_small(result, there, src, bytes); });
}
template <counted_put Form>
[[gnu::always_inline]] inline void put_counted(gasnet_node_t node, void* dest, const void* src,
                                               std::size_t bytes) {
  const at_work here;
  check(name_of(Form), node, dest, bytes);
  const place there(node, dest);
  if (there.is_here()) {
    copy_out(there, src, bytes);
  } else if (bytes - 1 < fabric::direct_line::smallest_inject)
      [[likely]] {  // zero bytes wrap around to the largest number
    runtime::put_remote_small_nbi<fabric::segment_region, &retry_small_or_fail<Form>>(
        node, there.offset(), src, bytes);
  } else {
    put_large_counted(name_of(Form), node, dest, src, bytes, Form == counted_put::bulk);
  }
}
void get_counted(const char* call, void* dest, gasnet_node_t node, const void* src,
                 std::size_t bytes) {
  get_bytes<runtime::get_remote_nbi>(call, dest, node, src, bytes);
}

void set_memory(const char* call, gasnet_node_t node, void* dest, int val, std::size_t bytes) {
  const at_work here;
  check(call, node, dest, bytes);
  if (bytes == 0) return;
  const place there(node, dest);
  if (there.is_here()) {
    std::memset(there.address(), val, bytes);
    return;
  }
  or_fail(call, [&] {
    constexpr std::size_t piece = std::size_t{1} << 16;
    auto filled = std::make_unique<std::vector<unsigned char>>(std::min(bytes, piece),
                                                               static_cast<unsigned char>(val));
    try {
      for (std::size_t done = 0; done < bytes; done += filled->size()) {
        runtime::put_remote_nbi({there.rank(), fabric::segment_region, there.offset() + done},
                                filled->data(), std::min(filled->size(), bytes - done));
      }
      runtime::await_puts();
    } catch (...) {
      // A peer failed; the network may still read these bytes.
      static_cast<void>(filled.release());
      throw;
    }
  });
}

bool ask_all_are_complete() { return runtime::ask_network_is_quiet(); }

/// @param ask  of the kinds to wait for
[[gnu::noinline, gnu::cold]] void wait_for_counted(const char* call, bool (&ask)()) {
  wait(call, [&] { return runtime::network_is_quiet() || ask(); });
}
[[gnu::always_inline]] inline void wait_counted(const char* call, bool (&ask)()) {
  const at_work here;
  check_attached(call);
  if (runtime::network_is_quiet() || runtime::ask_network_is_quiet()) return;
  wait_for_counted(call, ask);
}
int try_counted(const char* call, bool (&ask)()) {
  const at_work here;
  check_attached(call);
  if (runtime::network_is_quiet() || ask()) return GASNET_OK;
  poll(call);
  return runtime::network_is_quiet() || ask() ? GASNET_OK : GASNET_ERR_NOT_READY;
}

gasnet_valget_handle_t start_value(const char* call, gasnet_node_t node, const void* src,
                                   std::size_t bytes) {
  const at_work here;
  check(call, node, src, bytes);
  const place there(node, src);
  return or_fail(call, [&] {
    auto made = std::make_unique<acre_gasnet_value>();
    if (there.is_here()) {
      copy_in(&made->value, there, bytes);
    } else {
      made->operation =
          record(sizeof(made->value), [&](fabric::operation& done, std::byte* copied) {
            std::memset(copied, 0, sizeof(made->value));
            runtime::get_remote(remote(there), copied, bytes, done);
          });
    }
    return made.release();
  });
}
gasnet_register_value_t take_value(const char* call, gasnet_valget_handle_t handle) {
  const std::unique_ptr<acre_gasnet_value> taken(handle);
  if (!taken->operation) return taken->value;
  wait(call, [&] { return taken->operation.is_done(); });
  std::memcpy(&taken->value, taken->operation.room(), sizeof(taken->value));
  return taken->value;
}

struct harvest {
  std::size_t done = 0;
  std::size_t left = 0;
};
harvest reap(gasnet_handle_t* handles, std::size_t count) {
  harvest all;
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] == GASNET_INVALID_HANDLE) continue;
    if (!is_done(handles[i])) {
      ++all.left;
      continue;
    }
    release(handles[i]);
    handles[i] = GASNET_INVALID_HANDLE;
    ++all.done;
  }
  return all;
}
bool some_done(const harvest& all) noexcept { return all.done != 0 || all.left == 0; }
bool all_done(const harvest& all) noexcept { return all.left == 0; }

template <class Enough>
int try_several(const char* call, gasnet_handle_t* handles, std::size_t count, Enough enough) {
  const at_work here;
  const harvest now = reap(handles, count);
  if (enough(now)) return GASNET_OK;
  poll(call);
  harvest later = reap(handles, count);
  later.done += now.done;
  return enough(later) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

}  // namespace
}  // namespace acre::gasnet

using namespace acre::gasnet;

extern "C" {

void gasnet_put(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  put_blocking("gasnet_put", node, dest, src, nbytes);
}
void gasnet_put_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  put_blocking("gasnet_put_bulk", node, dest, src, nbytes);
}
void gasnet_get(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  get_blocking("gasnet_get", dest, node, src, nbytes);
}
void gasnet_get_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  get_blocking("gasnet_get_bulk", dest, node, src, nbytes);
}
void gasnet_memset(gasnet_node_t node, void* dest, int val, size_t nbytes) {
  set_memory("gasnet_memset", node, dest, val, nbytes);
}

gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  return put_with_handle("gasnet_put_nb", node, dest, src, nbytes, source::until_return);
}
gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  return put_with_handle("gasnet_put_nb_bulk", node, dest, src, nbytes, source::until_done);
}
gasnet_handle_t gasnet_get_nb(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  return get_with_handle("gasnet_get_nb", dest, node, src, nbytes);
}
gasnet_handle_t gasnet_get_nb_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  return get_with_handle("gasnet_get_nb_bulk", dest, node, src, nbytes);
}
gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void* dest, int val, size_t nbytes) {
  set_memory("gasnet_memset_nb", node, dest, val, nbytes);
  return GASNET_INVALID_HANDLE;
}

void gasnet_put_nbi(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  put_counted<counted_put::copied>(node, dest, src, nbytes);
}
void gasnet_put_nbi_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes) {
  put_counted<counted_put::bulk>(node, dest, src, nbytes);
}
void gasnet_get_nbi(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  get_counted("gasnet_get_nbi", dest, node, src, nbytes);
}
void gasnet_get_nbi_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes) {
  get_counted("gasnet_get_nbi_bulk", dest, node, src, nbytes);
}
void gasnet_memset_nbi(gasnet_node_t node, void* dest, int val, size_t nbytes) {
  set_memory("gasnet_memset_nbi", node, dest, val, nbytes);
}

void gasnet_put_val(gasnet_node_t node, void* dest, gasnet_register_value_t value, size_t nbytes) {
  check_value("gasnet_put_val", nbytes);
  put_value("gasnet_put_val", node, dest, value, nbytes);
}
gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void* dest, gasnet_register_value_t value,
                                  size_t nbytes) {
  check_value("gasnet_put_nb_val", nbytes);
  return put_with_handle("gasnet_put_nb_val", node, dest, &value, nbytes, source::until_return);
}
void gasnet_put_nbi_val(gasnet_node_t node, void* dest, gasnet_register_value_t value,
                        size_t nbytes) {
  check_value("gasnet_put_nbi_val", nbytes);
  put_counted<counted_put::value>(node, dest, &value, nbytes);
}
gasnet_register_value_t gasnet_get_val(gasnet_node_t node, const void* src, size_t nbytes) {
  check_value("gasnet_get_val", nbytes);
  return get_value("gasnet_get_val", node, src, nbytes);
}
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, const void* src, size_t nbytes) {
  check_value("gasnet_get_nb_val", nbytes);
  return start_value("gasnet_get_nb_val", node, src, nbytes);
}
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle) {
  return take_value("gasnet_wait_syncnb_valget", handle);
}

void gasnet_wait_syncnb(gasnet_handle_t handle) {
  wait("gasnet_wait_syncnb", [=] { return is_done(handle); });
  release(handle);
}
int gasnet_try_syncnb(gasnet_handle_t handle) {
  return try_several("gasnet_try_syncnb", &handle, 1, all_done);
}
void gasnet_wait_syncnb_some(gasnet_handle_t* phandle, size_t numhandles) {
  wait("gasnet_wait_syncnb_some", [=] { return some_done(reap(phandle, numhandles)); });
}
int gasnet_try_syncnb_some(gasnet_handle_t* phandle, size_t numhandles) {
  return try_several("gasnet_try_syncnb_some", phandle, numhandles, some_done);
}
void gasnet_wait_syncnb_all(gasnet_handle_t* phandle, size_t numhandles) {
  wait("gasnet_wait_syncnb_all", [=] { return all_done(reap(phandle, numhandles)); });
}
int gasnet_try_syncnb_all(gasnet_handle_t* phandle, size_t numhandles) {
  return try_several("gasnet_try_syncnb_all", phandle, numhandles, all_done);
}

void gasnet_wait_syncnbi_puts(void) {
  wait_counted("gasnet_wait_syncnbi_puts", acre::runtime::ask_puts_are_complete);
}
void gasnet_wait_syncnbi_gets(void) {
  wait_counted("gasnet_wait_syncnbi_gets", acre::runtime::ask_gets_are_complete);
}
void gasnet_wait_syncnbi_all(void) {
  wait_counted("gasnet_wait_syncnbi_all", ask_all_are_complete);
}
int gasnet_try_syncnbi_puts(void) {
  return try_counted("gasnet_try_syncnbi_puts", acre::runtime::ask_puts_are_complete);
}
int gasnet_try_syncnbi_gets(void) {
  return try_counted("gasnet_try_syncnbi_gets", acre::runtime::ask_gets_are_complete);
}
int gasnet_try_syncnbi_all(void) {
  return try_counted("gasnet_try_syncnbi_all", ask_all_are_complete);
}

void gasnet_begin_nbi_accessregion(void) {}
gasnet_handle_t gasnet_end_nbi_accessregion(void) {
  const at_work here;
  return acre::runtime::network_is_quiet() ? GASNET_INVALID_HANDLE : counted_operations();
}
}
