// SPDX-License-Identifier: BSD-3-Clause
// Files of checksummed records of all members (team_file.hpp).
//
// - 64-byte header, description
// - indices, with an entry per record
// - records, 8-byte aligned, zero-padded
//
// Checksums: header with description; each record with its index entry, for any rank to verify.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/record_file_format.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::global {

struct record_file_kind {
  std::array<char, 8> magic;
  std::uint32_t format;
};

/// Zeros if the record is missing.
struct record_entry {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;
};

[[nodiscard]] constexpr std::size_t end_of_description(std::size_t description_bytes) noexcept {
  return sizeof(record_file_begin) + round_up(description_bytes, std::size_t{8});
}

[[nodiscard]] std::uint64_t check_of_record(std::size_t part, std::size_t number,
                                            const record_entry& entry,
                                            std::span<const std::byte> content);

/// @param bytes  of the whole file
[[nodiscard]] team_file create_record_file(const team& members, const std::string& path,
                                           const record_file_kind& kind,
                                           std::span<const std::byte> description,
                                           std::uint64_t bytes, const char* call,
                                           const site& where);

/// @throws acre::error if of another kind, or damaged
[[nodiscard]] std::vector<std::byte> read_description(const team_file& file,
                                                      const record_file_kind& kind);

[[nodiscard]] error damaged_file(const team_file& file, const std::string& what);

class record_index_writer {
 public:
  explicit record_index_writer(team_file& file) noexcept : file_(file) {}
  void add(std::size_t at, const record_entry& entry);
  void flush();

 private:
  team_file& file_;
  std::size_t begin_ = 0;
  std::vector<record_entry> run_;
};

enum class record_flaw : std::uint8_t { none, no_entry, misplaced, unreadable, wrong };
/// @param index  offset of the index
[[nodiscard]] record_flaw try_read_record(const team_file& file, std::size_t index,
                                          std::size_t part, std::size_t number,
                                          std::vector<std::byte>& content);
[[nodiscard]] error damaged_record(const team_file& file, record_flaw flaw,
                                   const std::string& record);

/// Content, empty if missing.
/// @param describe  returns the record's name for errors
/// @throws acre::error if damaged
template <class Describe>
[[nodiscard]] std::vector<std::byte> read_record(const team_file& file, std::size_t index,
                                                 std::size_t part, std::size_t number,
                                                 const Describe& describe) {
  std::vector<std::byte> content;
  const record_flaw flaw = try_read_record(file, index, part, number, content);
  if (flaw != record_flaw::none) throw damaged_record(file, flaw, describe());
  return content;
}

/// Problem and advice of the current exception.
[[nodiscard]] std::pair<std::string, std::string> text_of_exception();
void throw_if_said(const team& members, const char* call, const site& where,
                   const std::pair<std::string, std::string>& said);

/// An exception on one member is thrown on all. Collective. Cost: 1 allgather.
template <class Part>
void run_together(const team& members, const char* call, const site& where, Part&& part) {
  std::pair<std::string, std::string> said;
  try {
    part();
  } catch (...) {
    said = text_of_exception();
  }
  throw_if_said(members, call, where, said);
}

}  // namespace acre::global
