/* Every routine of OpenSHMEM 1.5 with a name of its own: included twice, once with
 * ACRE_SHMEM(put) naming shmem_put and once naming pshmem_put. No include guard, on purpose.
 *
 * Families are lists (shmem_types.h); of each routine with a context there is a form without. */

/* --- set-up and query ------------------------------------------------------------------ */

void ACRE_SHMEM(init)(void);
void ACRE_SHMEM(finalize)(void);
void ACRE_SHMEM(global_exit)(int status) ACRE_SHMEM_NORETURN;
int ACRE_SHMEM(my_pe)(void);
int ACRE_SHMEM(n_pes)(void);
int ACRE_SHMEM(pe_accessible)(int pe);
int ACRE_SHMEM(addr_accessible)(const void* addr, int pe);
void* ACRE_SHMEM(ptr)(const void* dest, int pe);
void ACRE_SHMEM(info_get_version)(int* major, int* minor);
void ACRE_SHMEM(info_get_name)(char* name);
int ACRE_SHMEM(init_thread)(int requested, int* provided);
void ACRE_SHMEM(query_thread)(int* provided);
void ACRE_SHMEM(query_initialized)(int* initialized);
void ACRE_SHMEM(pcontrol)(int level, ...);

/* --- memory ---------------------------------------------------------------------------- */

void* ACRE_SHMEM(malloc)(size_t size);
void ACRE_SHMEM(free)(void* ptr);
void* ACRE_SHMEM(realloc)(void* ptr, size_t size);
void* ACRE_SHMEM(align)(size_t alignment, size_t size);
void* ACRE_SHMEM(malloc_with_hints)(size_t size, long hints);
void* ACRE_SHMEM(calloc)(size_t count, size_t size);

/* --- teams and contexts ------------------------------------------------------------------ */

int ACRE_SHMEM(team_my_pe)(shmem_team_t team);
int ACRE_SHMEM(team_n_pes)(shmem_team_t team);
int ACRE_SHMEM(team_get_config)(shmem_team_t team, long config_mask, shmem_team_config_t* config);
int ACRE_SHMEM(team_translate_pe)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int ACRE_SHMEM(team_split_strided)(shmem_team_t parent_team, int start, int stride, int size,
                                   const shmem_team_config_t* config, long config_mask,
                                   shmem_team_t* new_team);
int ACRE_SHMEM(team_split_2d)(shmem_team_t parent_team, int xrange,
                              const shmem_team_config_t* xaxis_config, long xaxis_mask,
                              shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                              long yaxis_mask, shmem_team_t* yaxis_team);
void ACRE_SHMEM(team_destroy)(shmem_team_t team);
int ACRE_SHMEM(team_create_ctx)(shmem_team_t team, long options, shmem_ctx_t* ctx);
int ACRE_SHMEM(ctx_create)(long options, shmem_ctx_t* ctx);
void ACRE_SHMEM(ctx_destroy)(shmem_ctx_t ctx);
int ACRE_SHMEM(ctx_get_team)(shmem_ctx_t ctx, shmem_team_t* team);

/* --- order ------------------------------------------------------------------------------- */

void ACRE_SHMEM(fence)(void);
void ACRE_SHMEM(ctx_fence)(shmem_ctx_t ctx);
void ACRE_SHMEM(quiet)(void);
void ACRE_SHMEM(ctx_quiet)(shmem_ctx_t ctx);

/* --- remote memory access ------------------------------------------------------------------ */

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                                                          \
  void ACRE_SHMEM(NAME##_put)(TYPE * dest, const TYPE* source, size_t nelems, int pe);             \
  void ACRE_SHMEM(ctx_##NAME##_put)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,              \
                                    size_t nelems, int pe);                                        \
  void ACRE_SHMEM(NAME##_get)(TYPE * dest, const TYPE* source, size_t nelems, int pe);             \
  void ACRE_SHMEM(ctx_##NAME##_get)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,              \
                                    size_t nelems, int pe);                                        \
  void ACRE_SHMEM(NAME##_put_nbi)(TYPE * dest, const TYPE* source, size_t nelems, int pe);         \
  void ACRE_SHMEM(ctx_##NAME##_put_nbi)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,          \
                                        size_t nelems, int pe);                                    \
  void ACRE_SHMEM(NAME##_get_nbi)(TYPE * dest, const TYPE* source, size_t nelems, int pe);         \
  void ACRE_SHMEM(ctx_##NAME##_get_nbi)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,          \
                                        size_t nelems, int pe);                                    \
  void ACRE_SHMEM(NAME##_p)(TYPE * dest, TYPE value, int pe);                                      \
  void ACRE_SHMEM(ctx_##NAME##_p)(shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe);               \
  TYPE ACRE_SHMEM(NAME##_g)(const TYPE* source, int pe);                                           \
  TYPE ACRE_SHMEM(ctx_##NAME##_g)(shmem_ctx_t ctx, const TYPE* source, int pe);                    \
  void ACRE_SHMEM(NAME##_iput)(TYPE * dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst,      \
                               size_t nelems, int pe);                                             \
  void ACRE_SHMEM(ctx_##NAME##_iput)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,             \
                                     ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);         \
  void ACRE_SHMEM(NAME##_iget)(TYPE * dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst,      \
                               size_t nelems, int pe);                                             \
  void ACRE_SHMEM(ctx_##NAME##_iget)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,             \
                                     ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);         \
  void ACRE_SHMEM(NAME##_put_signal)(TYPE * dest, const TYPE* source, size_t nelems,               \
                                     uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);     \
  void ACRE_SHMEM(ctx_##NAME##_put_signal)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,       \
                                           size_t nelems, uint64_t* sig_addr, uint64_t signal,     \
                                           int sig_op, int pe);                                    \
  void ACRE_SHMEM(NAME##_put_signal_nbi)(TYPE * dest, const TYPE* source, size_t nelems,           \
                                         uint64_t* sig_addr, uint64_t signal, int sig_op, int pe); \
  void ACRE_SHMEM(ctx_##NAME##_put_signal_nbi)(shmem_ctx_t ctx, TYPE * dest, const TYPE* source,   \
                                               size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                                               int sig_op, int pe);
ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE

/* SUFFIX is what follows put and get: a number of bits, or mem for bytes. */
#define ACRE_SHMEM_DECLARE_UNTYPED(SUFFIX, BYTES)                                                  \
  void ACRE_SHMEM(put##SUFFIX)(void* dest, const void* source, size_t nelems, int pe);             \
  void ACRE_SHMEM(ctx_put##SUFFIX)(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, \
                                   int pe);                                                        \
  void ACRE_SHMEM(get##SUFFIX)(void* dest, const void* source, size_t nelems, int pe);             \
  void ACRE_SHMEM(ctx_get##SUFFIX)(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, \
                                   int pe);                                                        \
  void ACRE_SHMEM(put##SUFFIX##_nbi)(void* dest, const void* source, size_t nelems, int pe);       \
  void ACRE_SHMEM(ctx_put##SUFFIX##_nbi)(shmem_ctx_t ctx, void* dest, const void* source,          \
                                         size_t nelems, int pe);                                   \
  void ACRE_SHMEM(get##SUFFIX##_nbi)(void* dest, const void* source, size_t nelems, int pe);       \
  void ACRE_SHMEM(ctx_get##SUFFIX##_nbi)(shmem_ctx_t ctx, void* dest, const void* source,          \
                                         size_t nelems, int pe);                                   \
  void ACRE_SHMEM(put##SUFFIX##_signal)(void* dest, const void* source, size_t nelems,             \
                                        uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);  \
  void ACRE_SHMEM(ctx_put##SUFFIX##_signal)(shmem_ctx_t ctx, void* dest, const void* source,       \
                                            size_t nelems, uint64_t* sig_addr, uint64_t signal,    \
                                            int sig_op, int pe);                                   \
  void ACRE_SHMEM(put##SUFFIX##_signal_nbi)(void* dest, const void* source, size_t nelems,         \
                                            uint64_t* sig_addr, uint64_t signal, int sig_op,       \
                                            int pe);                                               \
  void ACRE_SHMEM(ctx_put##SUFFIX##_signal_nbi)(shmem_ctx_t ctx, void* dest, const void* source,   \
                                                size_t nelems, uint64_t* sig_addr,                 \
                                                uint64_t signal, int sig_op, int pe);
ACRE_SHMEM_SIZES(ACRE_SHMEM_DECLARE_UNTYPED)
ACRE_SHMEM_DECLARE_UNTYPED(mem, 1)
#undef ACRE_SHMEM_DECLARE_UNTYPED

#define ACRE_SHMEM_DECLARE_STRIDED(BITS, BYTES)                                                   \
  void ACRE_SHMEM(iput##BITS)(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,       \
                              size_t nelems, int pe);                                             \
  void ACRE_SHMEM(ctx_iput##BITS)(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, \
                                  ptrdiff_t sst, size_t nelems, int pe);                          \
  void ACRE_SHMEM(iget##BITS)(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,       \
                              size_t nelems, int pe);                                             \
  void ACRE_SHMEM(ctx_iget##BITS)(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, \
                                  ptrdiff_t sst, size_t nelems, int pe);
ACRE_SHMEM_SIZES(ACRE_SHMEM_DECLARE_STRIDED)
#undef ACRE_SHMEM_DECLARE_STRIDED

/* --- atomic memory operations ---------------------------------------------------------------- */

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                                                      \
  TYPE ACRE_SHMEM(NAME##_atomic_fetch)(const TYPE* source, int pe);                            \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_fetch)(shmem_ctx_t ctx, const TYPE* source, int pe);     \
  void ACRE_SHMEM(NAME##_atomic_fetch_nbi)(TYPE * fetch, const TYPE* source, int pe);          \
  void ACRE_SHMEM(ctx_##NAME##_atomic_fetch_nbi)(shmem_ctx_t ctx, TYPE * fetch,                \
                                                 const TYPE* source, int pe);                  \
  void ACRE_SHMEM(NAME##_atomic_set)(TYPE * dest, TYPE value, int pe);                         \
  void ACRE_SHMEM(ctx_##NAME##_atomic_set)(shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe);  \
  TYPE ACRE_SHMEM(NAME##_atomic_swap)(TYPE * dest, TYPE value, int pe);                        \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_swap)(shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe); \
  void ACRE_SHMEM(NAME##_atomic_swap_nbi)(TYPE * fetch, TYPE * dest, TYPE value, int pe);      \
  void ACRE_SHMEM(ctx_##NAME##_atomic_swap_nbi)(shmem_ctx_t ctx, TYPE * fetch, TYPE * dest,    \
                                                TYPE value, int pe);
ACRE_SHMEM_EXTENDED_AMO_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                                                        \
  TYPE ACRE_SHMEM(NAME##_atomic_compare_swap)(TYPE * dest, TYPE cond, TYPE value, int pe);       \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_compare_swap)(shmem_ctx_t ctx, TYPE * dest, TYPE cond,     \
                                                    TYPE value, int pe);                         \
  void ACRE_SHMEM(NAME##_atomic_compare_swap_nbi)(TYPE * fetch, TYPE * dest, TYPE cond,          \
                                                  TYPE value, int pe);                           \
  void ACRE_SHMEM(ctx_##NAME##_atomic_compare_swap_nbi)(                                         \
      shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, TYPE cond, TYPE value, int pe);                \
  TYPE ACRE_SHMEM(NAME##_atomic_fetch_inc)(TYPE * dest, int pe);                                 \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_fetch_inc)(shmem_ctx_t ctx, TYPE * dest, int pe);          \
  void ACRE_SHMEM(NAME##_atomic_fetch_inc_nbi)(TYPE * fetch, TYPE * dest, int pe);               \
  void ACRE_SHMEM(ctx_##NAME##_atomic_fetch_inc_nbi)(shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, \
                                                     int pe);                                    \
  void ACRE_SHMEM(NAME##_atomic_inc)(TYPE * dest, int pe);                                       \
  void ACRE_SHMEM(ctx_##NAME##_atomic_inc)(shmem_ctx_t ctx, TYPE * dest, int pe);                \
  TYPE ACRE_SHMEM(NAME##_atomic_fetch_add)(TYPE * dest, TYPE value, int pe);                     \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_fetch_add)(shmem_ctx_t ctx, TYPE * dest, TYPE value,       \
                                                 int pe);                                        \
  void ACRE_SHMEM(NAME##_atomic_fetch_add_nbi)(TYPE * fetch, TYPE * dest, TYPE value, int pe);   \
  void ACRE_SHMEM(ctx_##NAME##_atomic_fetch_add_nbi)(shmem_ctx_t ctx, TYPE * fetch, TYPE * dest, \
                                                     TYPE value, int pe);                        \
  void ACRE_SHMEM(NAME##_atomic_add)(TYPE * dest, TYPE value, int pe);                           \
  void ACRE_SHMEM(ctx_##NAME##_atomic_add)(shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe);
ACRE_SHMEM_AMO_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE

#define ACRE_SHMEM_DECLARE_BITS(NAME, TYPE, OP)                                                   \
  TYPE ACRE_SHMEM(NAME##_atomic_fetch_##OP)(TYPE * dest, TYPE value, int pe);                     \
  TYPE ACRE_SHMEM(ctx_##NAME##_atomic_fetch_##OP)(shmem_ctx_t ctx, TYPE * dest, TYPE value,       \
                                                  int pe);                                        \
  void ACRE_SHMEM(NAME##_atomic_fetch_##OP##_nbi)(TYPE * fetch, TYPE * dest, TYPE value, int pe); \
  void ACRE_SHMEM(ctx_##NAME##_atomic_fetch_##OP##_nbi)(shmem_ctx_t ctx, TYPE * fetch,            \
                                                        TYPE * dest, TYPE value, int pe);         \
  void ACRE_SHMEM(NAME##_atomic_##OP)(TYPE * dest, TYPE value, int pe);                           \
  void ACRE_SHMEM(ctx_##NAME##_atomic_##OP)(shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe);
#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)  \
  ACRE_SHMEM_DECLARE_BITS(NAME, TYPE, and) \
  ACRE_SHMEM_DECLARE_BITS(NAME, TYPE, or)  \
  ACRE_SHMEM_DECLARE_BITS(NAME, TYPE, xor)
ACRE_SHMEM_BITWISE_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE
#undef ACRE_SHMEM_DECLARE_BITS

/* --- signals and point-to-point synchronisation ------------------------------------------------
 */

uint64_t ACRE_SHMEM(signal_fetch)(const uint64_t* sig_addr);
uint64_t ACRE_SHMEM(signal_wait_until)(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                                                         \
  void ACRE_SHMEM(NAME##_wait_until)(TYPE * ivar, int cmp, TYPE cmp_value);                       \
  void ACRE_SHMEM(NAME##_wait_until_all)(TYPE * ivars, size_t nelems, const int* status, int cmp, \
                                         TYPE cmp_value);                                         \
  size_t ACRE_SHMEM(NAME##_wait_until_any)(TYPE * ivars, size_t nelems, const int* status,        \
                                           int cmp, TYPE cmp_value);                              \
  size_t ACRE_SHMEM(NAME##_wait_until_some)(TYPE * ivars, size_t nelems, size_t* indices,         \
                                            const int* status, int cmp, TYPE cmp_value);          \
  void ACRE_SHMEM(NAME##_wait_until_all_vector)(TYPE * ivars, size_t nelems, const int* status,   \
                                                int cmp, TYPE* cmp_values);                       \
  size_t ACRE_SHMEM(NAME##_wait_until_any_vector)(TYPE * ivars, size_t nelems, const int* status, \
                                                  int cmp, TYPE* cmp_values);                     \
  size_t ACRE_SHMEM(NAME##_wait_until_some_vector)(TYPE * ivars, size_t nelems, size_t* indices,  \
                                                   const int* status, int cmp, TYPE* cmp_values); \
  int ACRE_SHMEM(NAME##_test)(TYPE * ivar, int cmp, TYPE cmp_value);                              \
  int ACRE_SHMEM(NAME##_test_all)(TYPE * ivars, size_t nelems, const int* status, int cmp,        \
                                  TYPE cmp_value);                                                \
  size_t ACRE_SHMEM(NAME##_test_any)(TYPE * ivars, size_t nelems, const int* status, int cmp,     \
                                     TYPE cmp_value);                                             \
  size_t ACRE_SHMEM(NAME##_test_some)(TYPE * ivars, size_t nelems, size_t* indices,               \
                                      const int* status, int cmp, TYPE cmp_value);                \
  int ACRE_SHMEM(NAME##_test_all_vector)(TYPE * ivars, size_t nelems, const int* status, int cmp, \
                                         TYPE* cmp_values);                                       \
  size_t ACRE_SHMEM(NAME##_test_any_vector)(TYPE * ivars, size_t nelems, const int* status,       \
                                            int cmp, TYPE* cmp_values);                           \
  size_t ACRE_SHMEM(NAME##_test_some_vector)(TYPE * ivars, size_t nelems, size_t* indices,        \
                                             const int* status, int cmp, TYPE* cmp_values);
ACRE_SHMEM_SYNC_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE

/* --- collectives ---------------------------------------------------------------------------------
 */

void ACRE_SHMEM(barrier_all)(void);
void ACRE_SHMEM(sync_all)(void);
int ACRE_SHMEM(team_sync)(shmem_team_t team);

#define ACRE_SHMEM_DECLARE(PREFIX, TYPE, A)                                             \
  int ACRE_SHMEM(PREFIX##broadcast)(shmem_team_t team, TYPE * dest, const TYPE* source, \
                                    size_t nelems, int root);                           \
  int ACRE_SHMEM(PREFIX##collect)(shmem_team_t team, TYPE * dest, const TYPE* source,   \
                                  size_t nelems);                                       \
  int ACRE_SHMEM(PREFIX##fcollect)(shmem_team_t team, TYPE * dest, const TYPE* source,  \
                                   size_t nelems);                                      \
  int ACRE_SHMEM(PREFIX##alltoall)(shmem_team_t team, TYPE * dest, const TYPE* source,  \
                                   size_t nelems);                                      \
  int ACRE_SHMEM(PREFIX##alltoalls)(shmem_team_t team, TYPE * dest, const TYPE* source, \
                                    ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
#define ACRE_SHMEM_DECLARE_TYPED(NAME, TYPE, A) ACRE_SHMEM_DECLARE(NAME##_, TYPE, A)
ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_DECLARE_TYPED, )
#undef ACRE_SHMEM_DECLARE_TYPED
#undef ACRE_SHMEM_DECLARE
int ACRE_SHMEM(broadcastmem)(shmem_team_t team, void* dest, const void* source, size_t nelems,
                             int root);
int ACRE_SHMEM(collectmem)(shmem_team_t team, void* dest, const void* source, size_t nelems);
int ACRE_SHMEM(fcollectmem)(shmem_team_t team, void* dest, const void* source, size_t nelems);
int ACRE_SHMEM(alltoallmem)(shmem_team_t team, void* dest, const void* source, size_t nelems);
int ACRE_SHMEM(alltoallsmem)(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst,
                             ptrdiff_t sst, size_t nelems);

#define ACRE_SHMEM_DECLARE_REDUCE(NAME, TYPE, OP)                                          \
  int ACRE_SHMEM(NAME##_##OP##_reduce)(shmem_team_t team, TYPE * dest, const TYPE* source, \
                                       size_t nreduce);
ACRE_SHMEM_REDUCTIONS(ACRE_SHMEM_DECLARE_REDUCE)
#undef ACRE_SHMEM_DECLARE_REDUCE

/* --- locks
 * ------------------------------------------------------------------------------------------ */

void ACRE_SHMEM(set_lock)(long* lock);
void ACRE_SHMEM(clear_lock)(long* lock);
int ACRE_SHMEM(test_lock)(long* lock);

/* --- deprecated: active sets, old names, caches
 * --------------------------------------------------------- */

void ACRE_SHMEM(barrier)(int PE_start, int logPE_stride, int PE_size, long* pSync);
void ACRE_SHMEM(sync)(int PE_start, int logPE_stride, int PE_size, long* pSync);

#define ACRE_SHMEM_DECLARE(BITS)                                                                 \
  void ACRE_SHMEM(broadcast##BITS)(void* dest, const void* source, size_t nelems, int PE_root,   \
                                   int PE_start, int logPE_stride, int PE_size, long* pSync);    \
  void ACRE_SHMEM(collect##BITS)(void* dest, const void* source, size_t nelems, int PE_start,    \
                                 int logPE_stride, int PE_size, long* pSync);                    \
  void ACRE_SHMEM(fcollect##BITS)(void* dest, const void* source, size_t nelems, int PE_start,   \
                                  int logPE_stride, int PE_size, long* pSync);                   \
  void ACRE_SHMEM(alltoall##BITS)(void* dest, const void* source, size_t nelems, int PE_start,   \
                                  int logPE_stride, int PE_size, long* pSync);                   \
  void ACRE_SHMEM(alltoalls##BITS)(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, \
                                   size_t nelems, int PE_start, int logPE_stride, int PE_size,   \
                                   long* pSync);
ACRE_SHMEM_DECLARE(32)
ACRE_SHMEM_DECLARE(64)
#undef ACRE_SHMEM_DECLARE

#define ACRE_SHMEM_DECLARE_REDUCE(NAME, TYPE, OP)                                                \
  void ACRE_SHMEM(NAME##_##OP##_to_all)(TYPE * dest, const TYPE* source, int nreduce,            \
                                        int PE_start, int logPE_stride, int PE_size, TYPE* pWrk, \
                                        long* pSync);
ACRE_SHMEM_OLD_REDUCTIONS(ACRE_SHMEM_DECLARE_REDUCE)
#undef ACRE_SHMEM_DECLARE_REDUCE

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                       \
  TYPE ACRE_SHMEM(NAME##_fetch)(const TYPE* source, int pe);    \
  void ACRE_SHMEM(NAME##_set)(TYPE * dest, TYPE value, int pe); \
  TYPE ACRE_SHMEM(NAME##_swap)(TYPE * dest, TYPE value, int pe);
ACRE_SHMEM_OLD_EXTENDED_AMO_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE
#define ACRE_SHMEM_DECLARE(NAME, TYPE, A)                                    \
  TYPE ACRE_SHMEM(NAME##_cswap)(TYPE * dest, TYPE cond, TYPE value, int pe); \
  TYPE ACRE_SHMEM(NAME##_finc)(TYPE * dest, int pe);                         \
  TYPE ACRE_SHMEM(NAME##_fadd)(TYPE * dest, TYPE value, int pe);             \
  void ACRE_SHMEM(NAME##_inc)(TYPE * dest, int pe);                          \
  void ACRE_SHMEM(NAME##_add)(TYPE * dest, TYPE value, int pe);
ACRE_SHMEM_OLD_AMO_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE

#define ACRE_SHMEM_DECLARE(NAME, TYPE, A) void ACRE_SHMEM(NAME##_wait)(TYPE * ivar, TYPE cmp_value);
ACRE_SHMEM_OLD_WAIT_TYPES(ACRE_SHMEM_DECLARE, )
#undef ACRE_SHMEM_DECLARE
void ACRE_SHMEM(wait)(long* ivar, long cmp_value);
void ACRE_SHMEM(wait_until)(long* ivar, int cmp, long cmp_value);
void ACRE_SHMEM(short_wait_until)(short* ivar, int cmp, short cmp_value);

void ACRE_SHMEM(set_cache_inv)(void);
void ACRE_SHMEM(set_cache_line_inv)(void* dest);
void ACRE_SHMEM(clear_cache_inv)(void);
void ACRE_SHMEM(clear_cache_line_inv)(void* dest);
void ACRE_SHMEM(udcflush)(void);
void ACRE_SHMEM(udcflush_line)(void* dest);
