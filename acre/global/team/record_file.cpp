// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/record_file.hpp>

#include <acre/base/checksum.hpp>

#include <algorithm>

namespace acre::global {

namespace {

constexpr std::uint32_t our_order = 0x01020304;

error no_checkpoint(const std::string& path, const std::string& why) {
  return {"restore", path + " is not a readable checkpoint: " + why,
          "name a file that checkpoint() of this version of Acre wrote, on a machine of this byte "
          "order"};
}

record_file_begin read_begin(const team_file& file, const record_file_kind& kind) {
  record_file_begin begin;
  if (!file.has(0, std::as_writable_bytes(std::span(&begin, 1))) || begin.magic != kind.magic) {
    throw no_checkpoint(file.path(), "its header is unknown");
  }
  if (begin.byte_order != our_order) {
    throw no_checkpoint(file.path(), "it was written by a machine of another byte order");
  }
  if (begin.format != kind.format) {
    throw no_checkpoint(file.path(), "it has format " + std::to_string(begin.format) +
                                         ", but this version of Acre reads format " +
                                         std::to_string(kind.format));
  }
  return begin;
}

}  // namespace

std::uint64_t check_of_record(std::size_t part, std::size_t number, const record_entry& entry,
                              std::span<const std::byte> content) {
  const std::array<std::uint64_t, 4> who{part, number, entry.offset, entry.bytes};
  base::checksum sum;
  sum.add_object(who);
  sum.add(content);
  return sum.sum();
}

team_file create_record_file(const team& members, const std::string& path,
                             const record_file_kind& kind, std::span<const std::byte> description,
                             std::uint64_t bytes, const char* call, const site& where) {
  std::vector<std::byte> padded(description.begin(), description.end());
  padded.resize(round_up(padded.size(), std::size_t{8}));
  record_file_begin begin{.magic = kind.magic,
                          .byte_order = our_order,
                          .format = kind.format,
                          .bytes = bytes,
                          .description = padded.size()};
  begin.check = check_of(begin, padded);
  team_file file = team_file::create(members, path, call, where);
  if (file.is_first()) {
    file.reserve(0, bytes);
    file.write(0, std::as_bytes(std::span(&begin, 1)));
    file.write(sizeof begin, padded);
  }
  file.share();
  return file;
}

std::vector<std::byte> read_description(const team_file& file, const record_file_kind& kind) {
  const record_file_begin begin = read_begin(file, kind);
  if (begin.bytes != file.bytes()) {
    throw damaged_file(file, "it has " + std::to_string(file.bytes()) + " bytes instead of " +
                                 std::to_string(begin.bytes));
  }
  std::vector<std::byte> description(std::min<std::uint64_t>(begin.description, file.bytes()));
  if (!file.has(sizeof begin, description) || check_of(begin, description) != begin.check) {
    throw damaged_file(file, "the checksum of its header is wrong");
  }
  return description;
}

error damaged_file(const team_file& file, const std::string& what) {
  return {"restore", file.path() + " is damaged: " + what,
          "copy it again completely, or use an earlier checkpoint"};
}

void record_index_writer::add(std::size_t at, const record_entry& entry) {
  if (at != begin_ + run_.size() * sizeof entry) flush();
  if (run_.empty()) begin_ = at;
  run_.push_back(entry);
}
void record_index_writer::flush() {
  if (!run_.empty()) file_.write(begin_, std::as_bytes(std::span(run_)));
  run_.clear();
}

record_flaw try_read_record(const team_file& file, std::size_t index, std::size_t part,
                            std::size_t number, std::vector<std::byte>& content) {
  record_entry entry;
  if (!file.has(index + number * sizeof entry, std::as_writable_bytes(std::span(&entry, 1)))) {
    return record_flaw::no_entry;
  }
  const std::uint64_t end = file.bytes();
  if (entry.offset > end || entry.bytes > end - entry.offset) return record_flaw::misplaced;
  const std::uint64_t padded =
      std::min(round_up(entry.bytes, std::uint64_t{8}), end - entry.offset);
  content.resize(padded);
  if (!file.has(entry.offset, content)) return record_flaw::unreadable;
  const auto padding = content.begin() + static_cast<std::ptrdiff_t>(entry.bytes);
  const bool is_padded =
      std::all_of(padding, content.end(), [](std::byte b) { return b == std::byte{0}; });
  content.erase(padding, content.end());
  return is_padded && check_of_record(part, number, entry, content) == entry.check
             ? record_flaw::none
             : record_flaw::wrong;
}

error damaged_record(const team_file& file, record_flaw flaw, const std::string& record) {
  switch (flaw) {
    case record_flaw::no_entry:
      return damaged_file(file, "the index entry of " + record + " cannot be read");
    case record_flaw::misplaced:
      return damaged_file(
          file, "the checksum of " + record + " is wrong, or its record is not in the file");
    case record_flaw::unreadable:
      return damaged_file(file, record + " cannot be read");
    default:
      return damaged_file(file, "the checksum of " + record + " is wrong");
  }
}

std::pair<std::string, std::string> text_of_exception() {
  try {
    throw;
  } catch (const error& failed) {
    return {failed.problem(), failed.advice()};
  } catch (const std::exception& failed) {
    const std::string what = failed.what();
    return {what.empty() ? "an exception without a text" : what, ""};
  } catch (...) {
    return {"an exception that is not a std::exception", ""};
  }
}

void throw_if_said(const team& members, const char* call, const site& where,
                   const std::pair<std::string, std::string>& said) {
  const auto all = members.allgather(said, where);
  for (rank_t member = 0; member < all.size(); ++member) {
    if (all[member].first.empty()) continue;
    throw error(call,
                all[member].first + " (rank " + std::to_string(members.world_rank(member)) + ")" +
                    describe_place(where),
                all[member].second);
  }
}

}  // namespace acre::global
