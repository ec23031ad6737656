// SPDX-License-Identifier: BSD-3-Clause
// Checks arguments before a routine acts. An invalid one ends the job with a line that names
// routine, argument (as in the OpenSHMEM specification), value and valid range:
//
//   acre: rank 0 on node c0: shmem_int_put: pe is 4, but PEs are 0 to 3
#pragma once

#include "shmem.h"
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace acre::shmem {

class arguments {
 public:
  explicit arguments(const char* routine);
  [[nodiscard]] static arguments of_any_thread(const char* routine);

  [[nodiscard]] std::size_t bytes(std::size_t nelems, std::size_t size,
                                  std::size_t stride = 1) const;
  [[nodiscard]] std::size_t parts(std::size_t each, rank_t members) const;
  void stride(const char* name, std::ptrdiff_t stride, std::size_t nelems) const;

  void pe(int pe) const;
  void member(const char* name, int pe, const acre::team& members) const;

  void symmetric(const char* name, const void* address, std::size_t bytes) const;
  template <class T>
  void symmetric_word(const char* name, const T* address) const {
    symmetric(name, address, sizeof(T));
    aligned(name, address, alignof(T));
  }
  void local(const char* name, const void* address, std::size_t bytes) const;

  void apart(const char* name, const void* object, std::size_t bytes, const char* other_name,
             const void* other, std::size_t other_bytes) const;
  void apart_or_same(const char* name, const void* object, const char* other_name,
                     const void* other, std::size_t bytes) const;

  void comparison(int cmp) const;
  void signal_operation(int sig_op) const;
  void alignment(std::size_t alignment) const;

  void context(shmem_ctx_t ctx) const;
  void context_or_invalid(shmem_ctx_t ctx) const;
  /// Checks `pe` as a number in the context's team.
  void context(shmem_ctx_t ctx, int pe) const;
  void context_options(long options) const;
  void team_or_invalid(shmem_team_t team) const;
  void no_private_context(const acre_shmem_team& team) const;
  void config(const shmem_team_config_t* config, long mask) const;
  /// Checks that the team, of either kind, is valid with this PE as a member.
  const acre::team& members(shmem_team_t team) const;
  const acre::team& members(const acre::team& active_set) const;
  void work_array(const char* name, const long* p_sync) const;

  /// A collective's argument that must agree on all members; objects by their offset.
  struct shared {
    const char* name;
    std::uint64_t value;
    bool is_object = false;
    template <std::integral T>
    shared(const char* its_name, T its_value)
        : name(its_name), value(static_cast<std::uint64_t>(its_value)) {}
    /// An object of zero bytes equals any.
    shared(const char* its_name, const void* symmetric_object, std::size_t bytes);
    [[nodiscard]] bool agrees_with(std::uint64_t other) const noexcept;
  };
  void alike(const acre::team& members, std::initializer_list<shared> what = {}) const;

  void alike_in(shmem_team_t team, std::initializer_list<shared> what) const;

  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  arguments() = default;
  void aligned(const char* name, const void* address, std::size_t alignment) const;
  const char* routine_ = nullptr;
};

}  // namespace acre::shmem
