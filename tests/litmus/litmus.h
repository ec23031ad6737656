// SPDX-License-Identifier: BSD-3-Clause
// ORDER(name, order, weaker) is `order`, or `weaker` if compiled with -DWEAKEN_name=~,~ (`run`).
#pragma once

#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed
#define acquire memory_order_acquire
#define release memory_order_release
#define acq_rel memory_order_acq_rel
#define seq_cst memory_order_seq_cst

#define load atomic_load_explicit
#define store atomic_store_explicit
#define exchange atomic_exchange_explicit
#define fetch_add atomic_fetch_add_explicit
#define fetch_sub atomic_fetch_sub_explicit
#define compare_exchange atomic_compare_exchange_strong_explicit
#define fence atomic_thread_fence

#define assume __VERIFIER_assume

#define ORDER(name, order, weaker) THIRD_OF(WEAKEN_##name, weaker, order, ~)
#define THIRD_OF(...) THIRD(__VA_ARGS__)
#define THIRD(first, second, third, ...) third

#define THREADS(...)                                                     \
  do {                                                                   \
    void* (*const starts[])(void*) = {__VA_ARGS__};                      \
    pthread_t threads[sizeof starts / sizeof starts[0]];                 \
    for (unsigned long i = 0; i < sizeof starts / sizeof starts[0]; ++i) \
      pthread_create(&threads[i], 0, starts[i], (void*)i);               \
    for (unsigned long i = 0; i < sizeof starts / sizeof starts[0]; ++i) \
      pthread_join(threads[i], 0);                                       \
  } while (0)
