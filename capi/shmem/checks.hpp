// SPDX-License-Identifier: BSD-3-Clause
// Argument checks of libacre-shmem-checked; the fast library omits them.
#pragma once

#include "arguments.hpp"
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

#ifndef ACRE_SHMEM_CHECKS
#define ACRE_SHMEM_CHECKS 0
#endif

namespace acre::shmem {
inline constexpr bool has_checks = ACRE_SHMEM_CHECKS != 0;
}

/// ACRE_SHMEM_CHECK(int_g, its.pe(pe)) checks arguments of shmem_int_g; separate checks by
/// semicolons.
#define ACRE_SHMEM_CHECK(NAME, ...)                   \
  if constexpr (acre::shmem::has_checks) {            \
    const acre::shmem::arguments its("shmem_" #NAME); \
    __VA_ARGS__;                                      \
  }
#define ACRE_SHMEM_CHECK_AS(NAME, ROUTINE, ELEMENT, ARGUMENTS) \
  ACRE_SHMEM_CHECK(NAME, acre::shmem::check::ROUTINE<ELEMENT>(its, ACRE_SHMEM_INSIDE ARGUMENTS))

namespace acre::shmem::check {

#define ACRE_SHMEM_CHECK_LIKE(OTHER, ROUTINE)                            \
  template <class T, class... Arguments>                                 \
  void ROUTINE(const arguments& its, const Arguments&... of_the_other) { \
    OTHER<T>(its, of_the_other...);                                      \
  }

template <class Element>
void put(const arguments& its, const void* dest, const void* source, std::size_t nelems, int pe) {
  const std::size_t bytes = its.bytes(nelems, sizeof(Element));
  its.pe(pe);
  its.symmetric("dest", dest, bytes);
  its.local("source", source, bytes);
  if (pe == static_cast<int>(rank())) its.apart_or_same("dest", dest, "source", source, bytes);
}
template <class Element>
void get(const arguments& its, const void* dest, const void* source, std::size_t nelems, int pe) {
  const std::size_t bytes = its.bytes(nelems, sizeof(Element));
  its.pe(pe);
  its.local("dest", dest, bytes);
  its.symmetric("source", source, bytes);
  if (pe == static_cast<int>(rank())) its.apart_or_same("dest", dest, "source", source, bytes);
}
template <class Element>
void put_signal(const arguments& its, const void* dest, const void* source, std::size_t nelems,
                const std::uint64_t* sig_addr, std::uint64_t, int sig_op, int pe) {
  put<Element>(its, dest, source, nelems, pe);
  its.symmetric_word("sig_addr", sig_addr);
  its.signal_operation(sig_op);
  its.apart("sig_addr", sig_addr, sizeof *sig_addr, "dest", dest,
            its.bytes(nelems, sizeof(Element)));
}
template <class Element>
void iput(const arguments& its, const void* dest, const void* source, std::ptrdiff_t dst,
          std::ptrdiff_t sst, std::size_t nelems, int pe) {
  its.stride("dst", dst, nelems);
  its.stride("sst", sst, nelems);
  its.pe(pe);
  its.symmetric("dest", dest, its.bytes(nelems, sizeof(Element), static_cast<std::size_t>(dst)));
  its.local("source", source, its.bytes(nelems, sizeof(Element), static_cast<std::size_t>(sst)));
}
template <class Element>
void iget(const arguments& its, const void* dest, const void* source, std::ptrdiff_t dst,
          std::ptrdiff_t sst, std::size_t nelems, int pe) {
  its.stride("dst", dst, nelems);
  its.stride("sst", sst, nelems);
  its.pe(pe);
  its.local("dest", dest, its.bytes(nelems, sizeof(Element), static_cast<std::size_t>(dst)));
  its.symmetric("source", source,
                its.bytes(nelems, sizeof(Element), static_cast<std::size_t>(sst)));
}
template <class T>
void p(const arguments& its, const T* dest, T, int pe) {
  its.pe(pe);
  its.symmetric_word("dest", dest);
}
template <class T>
void g(const arguments& its, const T* source, int pe) {
  its.pe(pe);
  its.symmetric_word("source", source);
}

ACRE_SHMEM_CHECK_LIKE(put, put_nbi)
ACRE_SHMEM_CHECK_LIKE(get, get_nbi)
ACRE_SHMEM_CHECK_LIKE(put_signal, put_signal_nbi)

#define ACRE_SHMEM_CHECK_FETCHING(OTHER, ROUTINE)                                              \
  ACRE_SHMEM_CHECK_LIKE(OTHER, ROUTINE)                                                        \
  template <class T, class... Arguments>                                                       \
  void ROUTINE##_nbi(const arguments& its, const T* fetch, const Arguments&... of_the_other) { \
    its.local("fetch", fetch, sizeof(T));                                                      \
    OTHER<T>(its, of_the_other...);                                                            \
  }

template <class T>
void atomic_inc(const arguments& its, const T* dest, int pe) {
  p<T>(its, dest, T{}, pe);
}
template <class T>
void compare_swap(const arguments& its, const T* dest, T, T, int pe) {
  p<T>(its, dest, T{}, pe);
}

ACRE_SHMEM_CHECK_LIKE(p, atomic_set)
ACRE_SHMEM_CHECK_LIKE(p, atomic_add)
ACRE_SHMEM_CHECK_LIKE(p, atomic_and)
ACRE_SHMEM_CHECK_LIKE(p, atomic_or)
ACRE_SHMEM_CHECK_LIKE(p, atomic_xor)
ACRE_SHMEM_CHECK_FETCHING(g, atomic_fetch)
ACRE_SHMEM_CHECK_FETCHING(compare_swap, atomic_compare_swap)
ACRE_SHMEM_CHECK_FETCHING(p, atomic_swap)
ACRE_SHMEM_CHECK_FETCHING(atomic_inc, atomic_fetch_inc)
ACRE_SHMEM_CHECK_FETCHING(p, atomic_fetch_add)
ACRE_SHMEM_CHECK_FETCHING(p, atomic_fetch_and)
ACRE_SHMEM_CHECK_FETCHING(p, atomic_fetch_or)
ACRE_SHMEM_CHECK_FETCHING(p, atomic_fetch_xor)

template <class T>
void wait_until(const arguments& its, const T* ivar, int cmp, T) {
  its.symmetric_word("ivar", ivar);
  its.comparison(cmp);
}
ACRE_SHMEM_CHECK_LIKE(wait_until, test)

template <class T>
void of_many(const arguments& its, const T* ivars, std::size_t nelems, const int*, int cmp, T) {
  its.symmetric("ivars", ivars, its.bytes(nelems, sizeof(T)));
  its.comparison(cmp);
}
template <class T>
void of_many(const arguments& its, const T* ivars, std::size_t nelems, const int* status, int cmp,
             const T* cmp_values) {
  of_many<T>(its, ivars, nelems, status, cmp, T{});
  its.local("cmp_values", cmp_values, its.bytes(nelems, sizeof(T)));
}
template <class T, class Values>
void of_many(const arguments& its, const T* ivars, std::size_t nelems, const std::size_t* indices,
             const int* status, int cmp, Values values) {
  of_many<T>(its, ivars, nelems, status, cmp, values);
  its.local("indices", indices, its.bytes(nelems, sizeof *indices));
}

#define ACRE_SHMEM_CHECK_OF_MANY(ROUTINE) \
  ACRE_SHMEM_CHECK_LIKE(of_many, ROUTINE) \
  ACRE_SHMEM_CHECK_LIKE(of_many, ROUTINE##_vector)
ACRE_SHMEM_CHECK_OF_MANY(wait_until_all)
ACRE_SHMEM_CHECK_OF_MANY(wait_until_any)
ACRE_SHMEM_CHECK_OF_MANY(wait_until_some)
ACRE_SHMEM_CHECK_OF_MANY(test_all)
ACRE_SHMEM_CHECK_OF_MANY(test_any)
ACRE_SHMEM_CHECK_OF_MANY(test_some)

template <class Element, class Team>
void broadcast(const arguments& its, const Team& team, const void* dest, const void* source,
               std::size_t nelems, int root) {
  const acre::team& all = its.members(team);
  const std::size_t bytes = its.bytes(nelems, sizeof(Element));
  its.member("PE_root", root, all);
  its.symmetric("dest", dest, bytes);
  its.symmetric("source", source, bytes);
  its.apart_or_same("dest", dest, "source", source, bytes);
  its.alike(
      all,
      {{"nelems", nelems}, {"PE_root", root}, {"dest", dest, bytes}, {"source", source, bytes}});
}
template <class Element, class Team>
void collect(const arguments& its, const Team& team, const void* dest, const void* source,
             std::size_t nelems) {
  const acre::team& all = its.members(team);
  const std::size_t bytes = its.bytes(nelems, sizeof(Element));
  its.symmetric("source", source, bytes);
  its.alike(all, {{"source", source, bytes}});
  const std::size_t from_all = all.allreduce(bytes);
  its.alike(all, {{"dest", dest, from_all}});
  its.symmetric("dest", dest, from_all);
  its.apart("dest", dest, from_all, "source", source, bytes);
}
template <class Element, class Team>
void fcollect(const arguments& its, const Team& team, const void* dest, const void* source,
              std::size_t nelems) {
  const acre::team& all = its.members(team);
  const std::size_t bytes = its.bytes(nelems, sizeof(Element));
  its.symmetric("dest", dest, its.parts(bytes, all.size()));
  its.symmetric("source", source, bytes);
  its.apart("dest", dest, its.parts(bytes, all.size()), "source", source, bytes);
  its.alike(all, {{"nelems", nelems}, {"dest", dest, bytes}, {"source", source, bytes}});
}
template <class Element, class Team>
void alltoall(const arguments& its, const Team& team, const void* dest, const void* source,
              std::size_t nelems) {
  const acre::team& all = its.members(team);
  const std::size_t bytes = its.parts(its.bytes(nelems, sizeof(Element)), all.size());
  its.symmetric("dest", dest, bytes);
  its.symmetric("source", source, bytes);
  its.apart("dest", dest, bytes, "source", source, bytes);
  its.alike(all, {{"nelems", nelems}, {"dest", dest, bytes}, {"source", source, bytes}});
}
template <class Element, class Team>
void alltoalls(const arguments& its, const Team& team, const void* dest, const void* source,
               std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems) {
  const acre::team& all = its.members(team);
  its.stride("dst", dst, nelems);
  its.stride("sst", sst, nelems);
  const std::size_t elements = its.parts(nelems, all.size());
  const auto bytes = [&](std::ptrdiff_t stride) {
    return its.bytes(elements, sizeof(Element), static_cast<std::size_t>(stride));
  };
  its.symmetric("dest", dest, bytes(dst));
  its.symmetric("source", source, bytes(sst));
  its.alike(all, {{"nelems", nelems},
                  {"dst", dst},
                  {"sst", sst},
                  {"dest", dest, nelems},
                  {"source", source, nelems}});
}
template <class Element, class Team>
void reduce(const arguments& its, const Team& team, const void* dest, const void* source,
            std::size_t nreduce) {
  const acre::team& all = its.members(team);
  const std::size_t bytes = its.bytes(nreduce, sizeof(Element));
  its.symmetric("dest", dest, bytes);
  its.symmetric("source", source, bytes);
  its.apart_or_same("dest", dest, "source", source, bytes);
  its.alike(all, {{"nreduce", nreduce}, {"dest", dest, bytes}, {"source", source, bytes}});
}
}  // namespace acre::shmem::check
