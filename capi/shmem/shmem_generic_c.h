/* SPDX-License-Identifier: BSD-3-Clause */
/* C11 generics: shmem_put(dest, …) becomes shmem_int_put for an int *dest, and shmem_put(ctx, dest,
 * …) shmem_ctx_int_put. Included by shmem.h. */
#ifndef ACRE_SHMEM_GENERIC_C_H
#define ACRE_SHMEM_GENERIC_C_H

/* Selected for unsupported types: no call matches it, so the compiler reports its name. */
struct acre_shmem_no_routine_for_this_type;
void acre_shmem_no_routine_for_this_type(struct acre_shmem_no_routine_for_this_type*);

#define ACRE_SHMEM_FIRST(...) ACRE_SHMEM_FIRST_OF(__VA_ARGS__, 0)
#define ACRE_SHMEM_FIRST_OF(first, ...) first
#define ACRE_SHMEM_SECOND(...) ACRE_SHMEM_SECOND_OF(__VA_ARGS__, 0, 0)
#define ACRE_SHMEM_SECOND_OF(first, second, ...) second

#define ACRE_SHMEM_CASE(NAME, TYPE, ROUTINE)      \
  TYPE* : shmem_##NAME##_##ROUTINE,               \
          const TYPE* : shmem_##NAME##_##ROUTINE, \
                        volatile TYPE* : shmem_##NAME##_##ROUTINE,
#define ACRE_SHMEM_CTX_CASE(NAME, TYPE, ROUTINE) \
  TYPE* : shmem_ctx_##NAME##_##ROUTINE, const TYPE* : shmem_ctx_##NAME##_##ROUTINE,

/* Selects by the first argument's type; after a context, by the second's. */
#define ACRE_SHMEM_SELECT(TYPES, ROUTINE, ...)                                               \
  _Generic((ACRE_SHMEM_FIRST(__VA_ARGS__)),                                                  \
      shmem_ctx_t: _Generic((ACRE_SHMEM_SECOND(__VA_ARGS__)),                                \
          TYPES(ACRE_SHMEM_CTX_CASE, ROUTINE) default: acre_shmem_no_routine_for_this_type), \
      TYPES(ACRE_SHMEM_CASE, ROUTINE) default: acre_shmem_no_routine_for_this_type)(__VA_ARGS__)
#define ACRE_SHMEM_SELECT_FIRST(TYPES, ROUTINE, ...) \
  _Generic((ACRE_SHMEM_FIRST(__VA_ARGS__)),          \
      TYPES(ACRE_SHMEM_CASE, ROUTINE) default: acre_shmem_no_routine_for_this_type)(__VA_ARGS__)
#define ACRE_SHMEM_SELECT_SECOND(TYPES, ROUTINE, ...) \
  _Generic((ACRE_SHMEM_SECOND(__VA_ARGS__)),          \
      TYPES(ACRE_SHMEM_CASE, ROUTINE) default: acre_shmem_no_routine_for_this_type)(__VA_ARGS__)

#define ACRE_SHMEM_CALL_RMA(ROUTINE, ...) \
  ACRE_SHMEM_SELECT(ACRE_SHMEM_BASIC_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_EXTENDED_AMO(ROUTINE, ...) \
  ACRE_SHMEM_SELECT(ACRE_SHMEM_BASIC_EXTENDED_AMO_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_AMO(ROUTINE, ...) \
  ACRE_SHMEM_SELECT(ACRE_SHMEM_BASIC_AMO_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_BITWISE(ROUTINE, ...) \
  ACRE_SHMEM_SELECT(ACRE_SHMEM_BASIC_BITWISE_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_SYNC(ROUTINE, ...) \
  ACRE_SHMEM_SELECT_FIRST(ACRE_SHMEM_BASIC_SYNC_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_COLLECTIVE(ROUTINE, ...) \
  ACRE_SHMEM_SELECT_SECOND(ACRE_SHMEM_BASIC_TYPES, ROUTINE, __VA_ARGS__)
#define ACRE_SHMEM_CALL_REDUCE(KIND, ROUTINE, ...) \
  ACRE_SHMEM_SELECT_SECOND(ACRE_SHMEM_BASIC_##KIND##_REDUCE_TYPES, ROUTINE, __VA_ARGS__)

#define shmem_put(...) ACRE_SHMEM_CALL_RMA(put, __VA_ARGS__)
#define shmem_get(...) ACRE_SHMEM_CALL_RMA(get, __VA_ARGS__)
#define shmem_put_nbi(...) ACRE_SHMEM_CALL_RMA(put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) ACRE_SHMEM_CALL_RMA(get_nbi, __VA_ARGS__)
#define shmem_p(...) ACRE_SHMEM_CALL_RMA(p, __VA_ARGS__)
#define shmem_g(...) ACRE_SHMEM_CALL_RMA(g, __VA_ARGS__)
#define shmem_iput(...) ACRE_SHMEM_CALL_RMA(iput, __VA_ARGS__)
#define shmem_iget(...) ACRE_SHMEM_CALL_RMA(iget, __VA_ARGS__)
#define shmem_put_signal(...) ACRE_SHMEM_CALL_RMA(put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) ACRE_SHMEM_CALL_RMA(put_signal_nbi, __VA_ARGS__)

#define shmem_atomic_fetch(...) ACRE_SHMEM_CALL_EXTENDED_AMO(atomic_fetch, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) ACRE_SHMEM_CALL_EXTENDED_AMO(atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_set(...) ACRE_SHMEM_CALL_EXTENDED_AMO(atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) ACRE_SHMEM_CALL_EXTENDED_AMO(atomic_swap, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) ACRE_SHMEM_CALL_EXTENDED_AMO(atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) ACRE_SHMEM_CALL_AMO(atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) ACRE_SHMEM_CALL_AMO(atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) ACRE_SHMEM_CALL_AMO(atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) ACRE_SHMEM_CALL_AMO(atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_inc(...) ACRE_SHMEM_CALL_AMO(atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) ACRE_SHMEM_CALL_AMO(atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) ACRE_SHMEM_CALL_AMO(atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_add(...) ACRE_SHMEM_CALL_AMO(atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) ACRE_SHMEM_CALL_BITWISE(atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_or(...) ACRE_SHMEM_CALL_BITWISE(atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) ACRE_SHMEM_CALL_BITWISE(atomic_fetch_xor_nbi, __VA_ARGS__)
#define shmem_atomic_xor(...) ACRE_SHMEM_CALL_BITWISE(atomic_xor, __VA_ARGS__)

#define shmem_wait_until(...) ACRE_SHMEM_CALL_SYNC(wait_until, __VA_ARGS__)
#define shmem_wait_until_all(...) ACRE_SHMEM_CALL_SYNC(wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) ACRE_SHMEM_CALL_SYNC(wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) ACRE_SHMEM_CALL_SYNC(wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) ACRE_SHMEM_CALL_SYNC(wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) ACRE_SHMEM_CALL_SYNC(wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) ACRE_SHMEM_CALL_SYNC(wait_until_some_vector, __VA_ARGS__)
#define shmem_test(...) ACRE_SHMEM_CALL_SYNC(test, __VA_ARGS__)
#define shmem_test_all(...) ACRE_SHMEM_CALL_SYNC(test_all, __VA_ARGS__)
#define shmem_test_any(...) ACRE_SHMEM_CALL_SYNC(test_any, __VA_ARGS__)
#define shmem_test_some(...) ACRE_SHMEM_CALL_SYNC(test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) ACRE_SHMEM_CALL_SYNC(test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) ACRE_SHMEM_CALL_SYNC(test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) ACRE_SHMEM_CALL_SYNC(test_some_vector, __VA_ARGS__)

#define shmem_broadcast(...) ACRE_SHMEM_CALL_COLLECTIVE(broadcast, __VA_ARGS__)
#define shmem_collect(...) ACRE_SHMEM_CALL_COLLECTIVE(collect, __VA_ARGS__)
#define shmem_fcollect(...) ACRE_SHMEM_CALL_COLLECTIVE(fcollect, __VA_ARGS__)
#define shmem_alltoall(...) ACRE_SHMEM_CALL_COLLECTIVE(alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) ACRE_SHMEM_CALL_COLLECTIVE(alltoalls, __VA_ARGS__)

#define shmem_and_reduce(...) ACRE_SHMEM_CALL_REDUCE(BITS, and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) ACRE_SHMEM_CALL_REDUCE(BITS, or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) ACRE_SHMEM_CALL_REDUCE(BITS, xor_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) ACRE_SHMEM_CALL_REDUCE(ORDER, min_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) ACRE_SHMEM_CALL_REDUCE(ORDER, max_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) ACRE_SHMEM_CALL_REDUCE(SUM, sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) ACRE_SHMEM_CALL_REDUCE(SUM, prod_reduce, __VA_ARGS__)

/* Team, or active set (deprecated). */
#define shmem_sync(...)                                                                          \
  _Generic((ACRE_SHMEM_FIRST(__VA_ARGS__)), shmem_team_t: shmem_team_sync, default: shmem_sync)( \
      __VA_ARGS__)

#define shmem_fetch(...) shmem_atomic_fetch(__VA_ARGS__)
#define shmem_set(...) shmem_atomic_set(__VA_ARGS__)
#define shmem_cswap(...) shmem_atomic_compare_swap(__VA_ARGS__)
#define shmem_swap(...) shmem_atomic_swap(__VA_ARGS__)
#define shmem_finc(...) shmem_atomic_fetch_inc(__VA_ARGS__)
#define shmem_inc(...) shmem_atomic_inc(__VA_ARGS__)
#define shmem_fadd(...) shmem_atomic_fetch_add(__VA_ARGS__)
#define shmem_add(...) shmem_atomic_add(__VA_ARGS__)

#endif
