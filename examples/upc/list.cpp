// SPDX-License-Identifier: BSD-3-Clause
// A list in shared memory that all threads extend: pointers to shared, allocation by one thread.
#include <acre_upc_memory.h>
#include <cstdio>

namespace upc = acre::upc;

struct node {
  int value;
  upc::shared_pointer<node, 0> next;  // shared [] struct node *next
};

int main(int argc, char** argv) {
  const upc::program run(argc, argv);
  const auto head = upc::all_alloc<upc::shared_pointer<node, 0>>(1);
  const auto locks = upc::all_alloc<upc::lock_pointer>(1);
  if (upc::mythread() == 0) {
    head[0] = {};
    locks[0] = upc::global_lock_alloc();  // upc_global_lock_alloc()
  }
  upc::barrier();

  const upc::lock_pointer lock = locks[0];
  for (int i = 0; i < 3; ++i) {
    const auto made = upc::alloc<node>(1);  // upc_alloc(sizeof(struct node)), at this thread
    lock.acquire();
    *made = node{static_cast<int>(upc::mythread()) * 10 + i, *head};
    upc::strict(*head) = made;  // others read the node if they read this pointer
    lock.release();
  }
  upc::barrier();

  int count = 0;
  int sum = 0;
  for (upc::shared_pointer<node, 0> each = *head; each; ++count) {
    const node value = *each;
    sum += value.value;
    each = value.next;
  }
  if (upc::mythread() == 0) std::printf("%d nodes, sum %d\n", count, sum);
  upc::barrier();
  if (upc::mythread() == 0) {
    for (upc::shared_pointer<node, 0> each = *head; each;) {
      const node value = *each;
      upc::free(each);
      each = value.next;
    }
    upc::lock_free(lock);
  }
  return count == 3 * static_cast<int>(upc::threads()) ? 0 : 1;
}
