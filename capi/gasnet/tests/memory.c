/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts, gets and memset in all forms and sizes to all nodes, with guard bytes and every wait. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { slot_bytes = 131072, largest = 100000, guard = 64 };

static gasnet_seginfo_t* segments;
static unsigned char source[largest + 2 * guard];
static unsigned char got[largest + 2 * guard];

static const size_t sizes[] = {0, 1, 7, 8, 9, 16, 17, 1000, largest};
enum { size_count = sizeof sizes / sizeof *sizes };

static unsigned char* slot(gasnet_node_t node) {
  return (unsigned char*)segments[node].addr + (size_t)gasnet_mynode() * slot_bytes;
}
static unsigned char* slot_here_of(gasnet_node_t writer) {
  return (unsigned char*)segments[gasnet_mynode()].addr + (size_t)writer * slot_bytes;
}

static unsigned char byte_at(size_t i, unsigned round, gasnet_node_t writer) {
  return (unsigned char)(i * 7 + i / 251 + round * 31 + writer * 101 + 1);
}
static void fill(unsigned char* bytes, size_t number, unsigned round, gasnet_node_t writer) {
  for (size_t i = 0; i < number; ++i) bytes[i] = byte_at(i, round, writer);
}
static void check_bytes(const unsigned char* bytes, size_t number, unsigned round,
                        gasnet_node_t writer) {
  for (size_t i = 0; i < number; ++i) CHECK(bytes[i] == byte_at(i, round, writer));
}
static void check_all(const unsigned char* bytes, size_t number, unsigned char value) {
  for (size_t i = 0; i < number; ++i) CHECK(bytes[i] == value);
}

static void sync_one(gasnet_handle_t handle, unsigned how) {
  switch (how % 4) {
    case 0:
      gasnet_wait_syncnb(handle);
      return;
    case 1:
      while (gasnet_try_syncnb(handle) == GASNET_ERR_NOT_READY) gasnet_AMPoll();
      return;
    case 2:
      gasnet_wait_syncnb_all(&handle, 1);
      break;
    default:
      while (gasnet_try_syncnb_some(&handle, 1) == GASNET_ERR_NOT_READY) gasnet_AMPoll();
  }
  CHECK(handle == GASNET_INVALID_HANDLE);
}
static void sync_counted(unsigned how, void (*wait)(void), int (*try)(void)) {
  switch (how % 4) {
    case 0:
      wait();
      return;
    case 1:
      while (try() == GASNET_ERR_NOT_READY) continue;
      return;
    case 2:
      gasnet_wait_syncnbi_all();
      return;
    default:
      while (gasnet_try_syncnbi_all() == GASNET_ERR_NOT_READY) continue;
  }
}
static void sync_puts(unsigned how) {
  sync_counted(how, gasnet_wait_syncnbi_puts, gasnet_try_syncnbi_puts);
}
static void sync_gets(unsigned how) {
  sync_counted(how, gasnet_wait_syncnbi_gets, gasnet_try_syncnbi_gets);
}

enum { forms = 6 };

static void put_by(unsigned form, gasnet_node_t node, void* dest, void* from, size_t bytes,
                   unsigned how) {
  gasnet_handle_t handle;
  switch (form) {
    case 0:
      gasnet_put(node, dest, from, bytes);
      memset(from, 0xEE, bytes);
      return;
    case 1:
      gasnet_put_bulk(node, dest, from, bytes);
      memset(from, 0xEE, bytes);
      return;
    case 2:
      handle = gasnet_put_nb(node, dest, from, bytes);
      memset(from, 0xEE, bytes);
      sync_one(handle, how);
      return;
    case 3:
      sync_one(gasnet_put_nb_bulk(node, dest, from, bytes), how);
      return;
    case 4:
      gasnet_put_nbi(node, dest, from, bytes);
      memset(from, 0xEE, bytes);
      sync_puts(how);
      return;
    default:
      gasnet_put_nbi_bulk(node, dest, from, bytes);
      sync_puts(how);
  }
}
static void get_by(unsigned form, void* dest, gasnet_node_t node, void* from, size_t bytes,
                   unsigned how) {
  switch (form) {
    case 0:
      gasnet_get(dest, node, from, bytes);
      return;
    case 1:
      gasnet_get_bulk(dest, node, from, bytes);
      return;
    case 2:
      sync_one(gasnet_get_nb(dest, node, from, bytes), how);
      return;
    case 3:
      sync_one(gasnet_get_nb_bulk(dest, node, from, bytes), how);
      return;
    case 4:
      gasnet_get_nbi(dest, node, from, bytes);
      sync_gets(how);
      return;
    default:
      gasnet_get_nbi_bulk(dest, node, from, bytes);
      sync_gets(how);
  }
}
static void set_by(unsigned form, gasnet_node_t node, void* dest, int value, size_t bytes,
                   unsigned how) {
  switch (form % 3) {
    case 0:
      gasnet_memset(node, dest, value, bytes);
      return;
    case 1:
      sync_one(gasnet_memset_nb(node, dest, value, bytes), how);
      return;
    default:
      gasnet_memset_nbi(node, dest, value, bytes);
      sync_puts(how);
  }
}

static void check_form(unsigned form, size_t bytes, unsigned round) {
  const size_t shift = guard + round % 9; /* unaligned */
  for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) {
    const gasnet_node_t node = (gasnet_mynode() + i) % gasnet_nodes();
    unsigned char* const there = slot(node) + shift;
    set_by(form, node, there - guard, 0xAA, bytes + 2 * guard, round);
    fill(source, bytes, round, gasnet_mynode());
    put_by(form, node, there, source, bytes, round);
    memset(got, 0x55, bytes + 2 * guard);
    get_by(form, got + guard, node, there, bytes, round / 2);
    check_all(got, guard, 0x55);
    check_bytes(got + guard, bytes, round, gasnet_mynode());
    check_all(got + guard + bytes, guard, 0x55);
  }
  barrier();
  for (gasnet_node_t writer = 0; writer < gasnet_nodes(); ++writer) {
    const unsigned char* const here = slot_here_of(writer) + shift;
    check_all(here - guard, guard, 0xAA);
    check_bytes(here, bytes, round, writer);
    check_all(here + bytes, guard, 0xAA);
  }
  barrier();
}

static void check_values(void) {
  const gasnet_register_value_t value = 0x8796A5B4C3D2E1F0u + gasnet_mynode();
  for (size_t bytes = 1; bytes <= SIZEOF_GASNET_REGISTER_VALUE_T; ++bytes) {
    const gasnet_register_value_t kept = bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      unsigned char* const there = slot(node) + guard;
      for (unsigned form = 0; form < 3; ++form) {
        gasnet_memset(node, there - 8, 0x77, 24);
        if (form == 0) gasnet_put_val(node, there, value, bytes);
        if (form == 1) sync_one(gasnet_put_nb_val(node, there, value, bytes), (unsigned)bytes);
        if (form == 2) {
          gasnet_put_nbi_val(node, there, value, bytes);
          sync_puts((unsigned)bytes);
        }
        CHECK(gasnet_get_val(node, there, bytes) == kept);
        CHECK(gasnet_wait_syncnb_valget(gasnet_get_nb_val(node, there, bytes)) == kept);
        CHECK(gasnet_get_val(node, there - 1, 1) == 0x77);
        CHECK(gasnet_get_val(node, there + bytes, 1) == 0x77);
      }
    }
  }
  enum { many = 300 };
  gasnet_valget_handle_t values[many];
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    for (unsigned i = 0; i < many; ++i) gasnet_put_nbi_val(node, slot(node) + 4 * i, i * i, 4);
    gasnet_wait_syncnbi_puts();
    for (unsigned i = 0; i < many; ++i) values[i] = gasnet_get_nb_val(node, slot(node) + 4 * i, 4);
    for (unsigned i = many; i-- > 0;) CHECK(gasnet_wait_syncnb_valget(values[i]) == i * i);
  }
  barrier();
}

enum { outstanding = 3000, part = 24 };

static void sync_several(gasnet_handle_t* handles, size_t number, unsigned how) {
  switch (how % 4) {
    case 0:
      gasnet_wait_syncnb_all(handles, number);
      break;
    case 1:
      while (gasnet_try_syncnb_all(handles, number) == GASNET_ERR_NOT_READY) continue;
      break;
    default:
      for (size_t left = number; left != 0;) {
        if (how % 4 == 2) {
          gasnet_wait_syncnb_some(handles, number);
        } else if (gasnet_try_syncnb_some(handles, number) == GASNET_ERR_NOT_READY) {
          continue;
        }
        size_t now = 0;
        for (size_t i = 0; i < number; ++i) now += handles[i] != GASNET_INVALID_HANDLE;
        CHECK(now < left);
        left = now;
      }
  }
  for (size_t i = 0; i < number; ++i) CHECK(handles[i] == GASNET_INVALID_HANDLE);
  /* An empty set is complete for "all" and "some". */
  CHECK(gasnet_try_syncnb_all(handles, number) == GASNET_OK);
  CHECK(gasnet_try_syncnb_some(handles, number) == GASNET_OK);
  gasnet_wait_syncnb_some(handles, number);
  CHECK(gasnet_try_syncnb_all(NULL, 0) == GASNET_OK);
  gasnet_wait_syncnb_all(NULL, 0);
}

static void check_many(void) {
  static gasnet_handle_t handles[outstanding];
  for (unsigned how = 0; how < 4; ++how) {
    fill(source, outstanding * part, how, gasnet_mynode());
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      for (size_t i = 0; i < outstanding; ++i) {
        handles[i] = i % 7 == 3
                         ? GASNET_INVALID_HANDLE
                         : gasnet_put_nb_bulk(node, slot(node) + part * i, source + part * i, part);
      }
      for (size_t i = 3; i < outstanding; i += 7) {
        gasnet_put_nbi(node, slot(node) + part * i, source + part * i, part);
      }
      size_t open = 0;
      for (size_t i = 0; i < outstanding; ++i) {
        if (handles[i] != GASNET_INVALID_HANDLE) handles[open++] = handles[i];
      }
      sync_several(handles, open, how);
      sync_puts(how);
      memset(got, 0, sizeof got);
      for (size_t i = 0; i < outstanding; ++i) {
        handles[i] = gasnet_get_nb(got + part * i, node, slot(node) + part * i, part);
      }
      open = 0;
      for (size_t i = 0; i < outstanding; ++i) {
        if (handles[i] != GASNET_INVALID_HANDLE) handles[open++] = handles[i];
      }
      sync_several(handles, open, how + 1);
      check_bytes(got, outstanding * part, how, gasnet_mynode());
      memset(got, 0, sizeof got);
      for (size_t i = 0; i < outstanding; ++i) {
        gasnet_get_nbi(got + part * i, node, slot(node) + part * i, part);
      }
      sync_gets(how);
      check_bytes(got, outstanding * part, how, gasnet_mynode());
    }
    barrier();
    for (gasnet_node_t writer = 0; writer < gasnet_nodes(); ++writer) {
      check_bytes(slot_here_of(writer), outstanding * part, how, writer);
    }
    barrier();
  }
}

static void check_regions(void) {
  enum { regions = 4, piece = 5000 };
  gasnet_handle_t handles[regions];
  for (unsigned how = 0; how < 4; ++how) {
    fill(source, regions * piece, how + 50, gasnet_mynode());
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      for (unsigned region = 0; region < regions; ++region) {
        gasnet_begin_nbi_accessregion();
        for (size_t i = region * piece; i < (region + 1) * piece; i += piece / 10) {
          gasnet_put_nbi_bulk(node, slot(node) + i, source + i, piece / 10);
        }
        handles[region] = gasnet_end_nbi_accessregion();
      }
      if (how == 3) {
        for (unsigned region = regions; region-- > 0;) sync_one(handles[region], region);
      } else {
        gasnet_wait_syncnb_all(handles, regions);
      }
      memset(got, 0, sizeof got);
      gasnet_begin_nbi_accessregion();
      gasnet_get_nbi_bulk(got, node, slot(node), regions * piece / 2);
      gasnet_get_nbi(got + regions * piece / 2, node, slot(node) + regions * piece / 2,
                     regions * piece / 2);
      gasnet_memset_nbi(node, slot(node) + regions * piece, (int)how + 1, 100);
      gasnet_put_nbi_val(node, slot(node) + regions * piece + 100, how + 2, 1);
      sync_one(gasnet_end_nbi_accessregion(), how);
      check_bytes(got, regions * piece, how + 50, gasnet_mynode());
      CHECK(gasnet_get_val(node, slot(node) + regions * piece + 99, 1) == how + 1);
      CHECK(gasnet_get_val(node, slot(node) + regions * piece + 100, 1) == how + 2);
      gasnet_begin_nbi_accessregion();
      sync_one(gasnet_end_nbi_accessregion(), how);
    }
  }
  barrier();
}

static char state_of(pid_t pid) {
  char name[64], text[512] = "";
  snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
  FILE* file = fopen(name, "r");
  CHECK(file != NULL && fgets(text, sizeof text, file) != NULL);
  fclose(file);
  return strrchr(text, ')')[2];
}

/* A get from a stopped node stays under way; waits for puts do not wait for it. */
static void check_apart(void) {
  const gasnet_node_t stopped = gasnet_nodes() / 2, other = gasnet_nodes() - 1;
  const unsigned value = 7;
  gasnet_put_val(0, slot(0), (gasnet_register_value_t)getpid(), sizeof(pid_t));
  barrier();
  if (gasnet_mynode() == 0 && stopped != 0 && stopped != other) {
    pid_t pid, seen = 0;
    memcpy(&pid, slot_here_of(stopped), sizeof pid);
    gasnet_put_val(stopped, slot(stopped), value, sizeof value);
    kill(pid, SIGSTOP);
    while (state_of(pid) != 'T') usleep(100);
    gasnet_get_nbi(&seen, stopped, slot(stopped), sizeof value);
    for (unsigned i = 1; i < 50; ++i) {
      gasnet_put_nbi_val(other, slot(other), i, sizeof i);
      gasnet_wait_syncnbi_puts();
      CHECK(gasnet_try_syncnbi_puts() == GASNET_OK);
      CHECK(gasnet_get_val(other, slot(other), sizeof i) == i);
    }
    CHECK(seen == (pid_t)value || gasnet_try_syncnbi_gets() == GASNET_ERR_NOT_READY);
    kill(pid, SIGCONT);
    gasnet_wait_syncnbi_gets();
    CHECK(seen == (pid_t)value);
  }
  barrier();
}

static void check_nothing(void) {
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    gasnet_put(node, NULL, source, 0);
    gasnet_put_nbi(node, NULL, source, 0);
    gasnet_put_nbi_bulk(node, NULL, source, 0);
    gasnet_get(got, node, NULL, 0);
    gasnet_get_nbi(got, node, NULL, 0);
    gasnet_memset_nbi(node, NULL, 1, 0);
    CHECK(gasnet_put_nb(node, NULL, source, 0) == GASNET_INVALID_HANDLE);
    CHECK(gasnet_get_nb(got, node, NULL, 0) == GASNET_INVALID_HANDLE);
    gasnet_wait_syncnbi_all();
  }
}

int main(void) {
  CHECK(gasnet_init(NULL, NULL) == GASNET_OK);
  CHECK(gasnet_attach(NULL, 0, gasnet_nodes() * (uintptr_t)slot_bytes, 0) == GASNET_OK);
  segments = malloc(gasnet_nodes() * sizeof *segments);
  CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()) == GASNET_OK);

  unsigned round = 0;
  for (unsigned form = 0; form < forms; ++form) {
    for (unsigned i = 0; i < size_count; ++i) check_form(form, sizes[i], round++);
  }
  check_nothing();
  check_values();
  check_many();
  check_regions();
  check_apart();
  free(segments);
  gasnet_exit(0);
}
