/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-generic routines of OpenSHMEM 1.5. Included twice, without guard: ACRE_SHMEM(put) names
 * shmem_put, then pshmem_put; ACRE_SHMEM_OLD(shmalloc) names shmalloc, then pshmalloc. */

#define ACRE_SHMEM_DECLARE(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS) \
  RESULT ACRE_SHMEM(NAME) PARAMETERS;
#define ACRE_SHMEM_DECLARE_WITH_CTX(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS) \
  RESULT ACRE_SHMEM(NAME) PARAMETERS;                                                      \
  RESULT ACRE_SHMEM(ctx_##NAME)(shmem_ctx_t ctx, ACRE_SHMEM_INSIDE PARAMETERS);

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

void* ACRE_SHMEM(malloc)(size_t size);
void ACRE_SHMEM(free)(void* ptr);
void* ACRE_SHMEM(realloc)(void* ptr, size_t size);
void* ACRE_SHMEM(align)(size_t alignment, size_t size);
void* ACRE_SHMEM(malloc_with_hints)(size_t size, long hints);
void* ACRE_SHMEM(calloc)(size_t count, size_t size);

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

void ACRE_SHMEM(fence)(void);
void ACRE_SHMEM(ctx_fence)(shmem_ctx_t ctx);
void ACRE_SHMEM(quiet)(void);
void ACRE_SHMEM(ctx_quiet)(shmem_ctx_t ctx);

ACRE_SHMEM_RMA(ACRE_SHMEM_DECLARE_WITH_CTX)
ACRE_SHMEM_AMO(ACRE_SHMEM_DECLARE_WITH_CTX)

uint64_t ACRE_SHMEM(signal_fetch)(const uint64_t* sig_addr);
uint64_t ACRE_SHMEM(signal_wait_until)(uint64_t* sig_addr, int cmp, uint64_t cmp_value);
ACRE_SHMEM_SYNC(ACRE_SHMEM_DECLARE)

void ACRE_SHMEM(barrier_all)(void);
void ACRE_SHMEM(sync_all)(void);
int ACRE_SHMEM(team_sync)(shmem_team_t team);

ACRE_SHMEM_COLLECTIVES(ACRE_SHMEM_DECLARE)
#define ACRE_SHMEM_DECLARE_REDUCE(NAME, TYPE, OP)                                          \
  int ACRE_SHMEM(NAME##_##OP##_reduce)(shmem_team_t team, TYPE * dest, const TYPE* source, \
                                       size_t nreduce);
ACRE_SHMEM_REDUCTIONS(ACRE_SHMEM_DECLARE_REDUCE)
#undef ACRE_SHMEM_DECLARE_REDUCE

void ACRE_SHMEM(set_lock)(long* lock);
void ACRE_SHMEM(clear_lock)(long* lock);
int ACRE_SHMEM(test_lock)(long* lock);

void ACRE_SHMEM(barrier)(int PE_start, int logPE_stride, int PE_size, long* pSync);
void ACRE_SHMEM(sync)(int PE_start, int logPE_stride, int PE_size, long* pSync);

#define ACRE_SHMEM_DECLARE_SET(BITS)                                                             \
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
ACRE_SHMEM_DECLARE_SET(32)
ACRE_SHMEM_DECLARE_SET(64)
#undef ACRE_SHMEM_DECLARE_SET

#define ACRE_SHMEM_DECLARE_REDUCE(NAME, TYPE, OP)                                                \
  void ACRE_SHMEM(NAME##_##OP##_to_all)(TYPE * dest, const TYPE* source, int nreduce,            \
                                        int PE_start, int logPE_stride, int PE_size, TYPE* pWrk, \
                                        long* pSync);
ACRE_SHMEM_OLD_REDUCTIONS(ACRE_SHMEM_DECLARE_REDUCE)
#undef ACRE_SHMEM_DECLARE_REDUCE

ACRE_SHMEM_OLD_AMO(ACRE_SHMEM_DECLARE)
#define ACRE_SHMEM_DECLARE_WAIT(NAME, TYPE, A) \
  void ACRE_SHMEM(NAME##_wait)(TYPE * ivar, TYPE cmp_value);
ACRE_SHMEM_OLD_WAIT_TYPES(ACRE_SHMEM_DECLARE_WAIT, )
#undef ACRE_SHMEM_DECLARE_WAIT
void ACRE_SHMEM(wait)(long* ivar, long cmp_value);
void ACRE_SHMEM(wait_until)(long* ivar, int cmp, long cmp_value);

void ACRE_SHMEM(set_cache_inv)(void);
void ACRE_SHMEM(set_cache_line_inv)(void* dest);
void ACRE_SHMEM(clear_cache_inv)(void);
void ACRE_SHMEM(clear_cache_line_inv)(void* dest);
void ACRE_SHMEM(udcflush)(void);
void ACRE_SHMEM(udcflush_line)(void* dest);

void ACRE_SHMEM_OLD(start_pes)(int npes);
int ACRE_SHMEM_OLD(_my_pe)(void);
int ACRE_SHMEM_OLD(_num_pes)(void);
void* ACRE_SHMEM_OLD(shmalloc)(size_t size);
void ACRE_SHMEM_OLD(shfree)(void* ptr);
void* ACRE_SHMEM_OLD(shrealloc)(void* ptr, size_t size);
void* ACRE_SHMEM_OLD(shmemalign)(size_t alignment, size_t size);

#undef ACRE_SHMEM_DECLARE_WITH_CTX
#undef ACRE_SHMEM_DECLARE
