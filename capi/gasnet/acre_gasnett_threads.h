/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of gasnet_tools.h: POSIX locks and condition variables under GASNet's names. */
#ifndef ACRE_GASNETT_THREADS_H
#define ACRE_GASNETT_THREADS_H

typedef pthread_mutex_t gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define gasnett_mutex_init(mutex) ((void)pthread_mutex_init((mutex), NULL))
#define gasnett_mutex_destroy(mutex) pthread_mutex_destroy(mutex)
#define gasnett_mutex_destroy_ignoreerr(mutex) ((void)pthread_mutex_destroy(mutex))
#define gasnett_mutex_lock(mutex) ((void)pthread_mutex_lock(mutex))
#define gasnett_mutex_unlock(mutex) ((void)pthread_mutex_unlock(mutex))
#define gasnett_mutex_trylock(mutex) pthread_mutex_trylock(mutex)
#define gasnett_mutex_assertlocked(mutex) ((void)0)
#define gasnett_mutex_assertunlocked(mutex) ((void)0)

typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER
#define gasnett_cond_init(condition) ((void)pthread_cond_init((condition), NULL))
#define gasnett_cond_destroy(condition) ((void)pthread_cond_destroy(condition))
#define gasnett_cond_signal(condition) ((void)pthread_cond_signal(condition))
#define gasnett_cond_broadcast(condition) ((void)pthread_cond_broadcast(condition))
#define gasnett_cond_wait(condition, mutex) ((void)pthread_cond_wait((condition), (mutex)))

/* Present only if the C library exposes POSIX read-write locks. */
#ifdef PTHREAD_RWLOCK_INITIALIZER
typedef pthread_rwlock_t gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define gasnett_rwlock_init(lock) ((void)pthread_rwlock_init((lock), NULL))
#define gasnett_rwlock_destroy(lock) ((void)pthread_rwlock_destroy(lock))
#define gasnett_rwlock_rdlock(lock) ((void)pthread_rwlock_rdlock(lock))
#define gasnett_rwlock_wrlock(lock) ((void)pthread_rwlock_wrlock(lock))
#define gasnett_rwlock_tryrdlock(lock) pthread_rwlock_tryrdlock(lock)
#define gasnett_rwlock_trywrlock(lock) pthread_rwlock_trywrlock(lock)
#define gasnett_rwlock_unlock(lock) ((void)pthread_rwlock_unlock(lock))
#define gasnett_rwlock_assertlocked(lock) ((void)0)
#define gasnett_rwlock_assertrdlocked(lock) ((void)0)
#define gasnett_rwlock_assertwrlocked(lock) ((void)0)
#define gasnett_rwlock_assertunlocked(lock) ((void)0)
#endif

#endif
