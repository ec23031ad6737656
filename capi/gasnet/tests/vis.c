/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector, indexed and strided puts and gets in all forms, to all nodes. Each node owns a part of
 * every segment; bytes between the pieces must stay. */
#include "check.h"

#include <gasnet_vis.h>

enum { part_bytes = 65536, pieces = 24, forms = 3 };

static unsigned char local[part_bytes];
static unsigned char back[part_bytes];

static unsigned char* part(gasnet_node_t node, gasnet_node_t writer) {
  return (unsigned char*)segment_of(node) + (size_t)writer * part_bytes;
}
static unsigned char byte_at(size_t i, unsigned salt) {
  return (unsigned char)((i * 13 + i / 200 + salt * 37) % 255 + 1);
}
static void fill(unsigned salt) {
  for (size_t i = 0; i < part_bytes; ++i) local[i] = byte_at(i, salt);
  memset(back, 0, sizeof back);
}

/* Runs CALL##_bulk, _nb_bulk or _nbi_bulk with the arguments, and completes it. */
#define RUN(CALL, form, ...)                                          \
  do {                                                                \
    if ((form) == 0) {                                                \
      CALL##_bulk(__VA_ARGS__);                                       \
    } else if ((form) == 1) {                                         \
      gasnet_handle_t handle = CALL##_nb_bulk(__VA_ARGS__);           \
      while (gasnet_try_syncnb(handle) != GASNET_OK) gasnet_AMPoll(); \
    } else {                                                          \
      CALL##_nbi_bulk(__VA_ARGS__);                                   \
      gasnet_wait_syncnbi_all();                                      \
    }                                                                 \
  } while (0)

/* Pieces of 0, 1, 2, … bytes there, in the opposite cut here. */
static void vectors(gasnet_node_t node, unsigned form) {
  gasnet_memvec_t there[pieces], here[pieces], got[pieces];
  unsigned char* const remote = part(node, gasnet_mynode());
  size_t offset = 0, from = 0;
  const unsigned salt = form + 3 * node;
  fill(salt);
  gasnet_memset(node, remote, 0xee, part_bytes);
  for (size_t i = 0; i < pieces; ++i) {
    there[i].addr = remote + offset;
    there[i].len = i * 5;
    here[i].addr = local + from;
    here[i].len = (pieces - 1 - i) * 5;
    got[i].addr = back + from;
    got[i].len = here[i].len;
    offset += i * 5 + 3;
    from += here[i].len;
  }
  RUN(gasnet_putv, form, node, pieces, there, pieces, here);
  unsigned char* const copy = malloc(part_bytes);
  gasnet_get(copy, node, remote, part_bytes);
  size_t expected = 0;
  for (size_t i = 0, at = 0; i < pieces; ++i, at += 3) {
    for (size_t k = 0; k < i * 5; ++k) CHECK(copy[at++] == byte_at(expected++, salt));
    for (size_t k = 0; k < 3; ++k) CHECK(copy[at + k] == 0xee);
  }
  CHECK(expected == from);
  RUN(gasnet_getv, form, pieces, got, node, pieces, there);
  CHECK(memcmp(back, local, from) == 0);
  CHECK(back[from] == 0);
  free(copy);
}

/* 12 pieces of 100 bytes there are 24 of 50 bytes here. */
static void indexed(gasnet_node_t node, unsigned form) {
  void *there[pieces / 2], *here[pieces], *got[pieces];
  unsigned char* const remote = part(node, gasnet_mynode());
  const unsigned salt = form + 5 * node + 1;
  fill(salt);
  for (size_t i = 0; i < pieces / 2; ++i) there[i] = remote + (pieces / 2 - 1 - i) * 130;
  for (size_t i = 0; i < pieces; ++i) {
    here[i] = local + i * 70;
    got[i] = back + i * 70;
  }
  RUN(gasnet_puti, form, node, pieces / 2, there, 100, pieces, here, 50);
  unsigned char piece[100];
  for (size_t i = 0; i < pieces / 2; ++i) {
    gasnet_get(piece, node, there[i], sizeof piece);
    CHECK(memcmp(piece, here[2 * i], 50) == 0 && memcmp(piece + 50, here[2 * i + 1], 50) == 0);
  }
  RUN(gasnet_geti, form, pieces, got, 50, node, pieces / 2, there, 100);
  for (size_t i = 0; i < pieces; ++i) {
    CHECK(memcmp(got[i], here[i], 50) == 0 && back[i * 70 + 50] == 0);
  }
}

/* A box of 3 x 4 x 5 rows of 6 bytes; there without gaps in the two inner dimensions if `dense`. */
static void strided(gasnet_node_t node, unsigned form, int dense) {
  unsigned char* const remote = part(node, gasnet_mynode());
  const size_t count[] = {6, 5, 4, 3};
  const size_t there[] = {dense ? 6 : 8, dense ? 30 : 50, 300};
  const size_t here[] = {dense ? 6 : 10, dense ? 30 : 70, 400};
  const unsigned salt = form + 7 * node + (dense ? 2 : 4);
  fill(salt);
  gasnet_memset(node, remote, 0xee, part_bytes);
  RUN(gasnet_puts, form, node, remote, there, local, here, count, 3);
  unsigned char* const copy = malloc(part_bytes);
  unsigned char* const expected = malloc(part_bytes);
  memset(expected, 0xee, part_bytes);
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 4; ++y)
      for (size_t x = 0; x < 5; ++x)
        memcpy(expected + x * there[0] + y * there[1] + z * there[2],
               local + x * here[0] + y * here[1] + z * here[2], 6);
  gasnet_get(copy, node, remote, part_bytes);
  CHECK(memcmp(copy, expected, part_bytes) == 0);
  RUN(gasnet_gets, form, back, here, node, remote, there, count, 3);
  size_t copied = 0;
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 4; ++y)
      for (size_t x = 0; x < 5; ++x)
        for (size_t b = 0; b < 6; ++b, ++copied) {
          const size_t at = x * here[0] + y * here[1] + z * here[2] + b;
          CHECK(back[at] == local[at]);
        }
  for (size_t i = 0; i < part_bytes; ++i) copied -= back[i] != 0 ? 1 : 0;
  CHECK(copied == 0);
  free(copy);
  free(expected);
}

static void nothing(gasnet_node_t node) {
  const size_t none[] = {8, 0}, stride[] = {8}, row[] = {0};
  gasnet_putv_bulk(node, 0, NULL, 0, NULL);
  gasnet_geti_bulk(0, NULL, 8, node, 0, NULL, 8);
  gasnet_puts_bulk(node, part(node, gasnet_mynode()), stride, local, stride, none, 1);
  gasnet_gets_bulk(back, NULL, node, part(node, gasnet_mynode()), NULL, row, 0);
}

int main(void) {
  CHECK(gasnet_init(NULL, NULL) == GASNET_OK);
  CHECK(gasnet_attach(NULL, 0, (uintptr_t)gasnet_nodes() * part_bytes, 0) == GASNET_OK);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    for (unsigned form = 0; form < forms; ++form) {
      vectors(node, form);
      indexed(node, form);
      strided(node, form, 0);
      strided(node, form, 1);
    }
    nothing(node);
  }
  barrier();
  gasnet_exit(0);
}
