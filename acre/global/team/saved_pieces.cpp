// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/saved_pieces.hpp>

#include <acre/base/error.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/base/type_name.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <utility>

namespace acre::global {

namespace {

constexpr record_file_kind file_kind{.magic = {'\x89', 'A', 'C', 'R', 'E', 'C', 'O', 'N'},
                                     .format = 1};

const std::string& require_same_file(const char* call, const team& members,
                                     const saved_container& content, const std::string& path,
                                     const site& where) {
  common_call mine(call, where);
  mine.with_identity("the path", base::hash_bytes(path));
  mine.with_identity("the container", base::hash_bytes(content.container + content.elements));
  require_same_call(members, mine);
  if (path.empty()) throw error(call, "the file name is empty");
  return path;
}

std::string named(const saved_container& content) {
  return content.container + " of " + content.elements;
}

}  // namespace

saved_container description_of(const std::type_info& container, const std::type_info& first,
                               const std::type_info& second) {
  const std::string name = base::readable_name(container);
  return {.container = name.substr(0, name.find('<')),
          .elements = base::readable_name(first) + ", " + base::readable_name(second)};
}

std::span<std::byte> saved_pieces::room_for(std::size_t bytes) {
  const std::size_t begin = content_.size();
  const std::size_t begin_of_piece = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2];
  const bool is_full = begin != begin_of_piece && begin - begin_of_piece + bytes > piece_bytes;
  if (ends_.empty() || is_full) ends_.push_back(begin);
  content_.resize(begin + bytes);
  ends_.back() = content_.size();
  return std::span(content_).subspan(begin);
}

void saved_pieces::write(const team& members, saved_container description, const std::string& path,
                         const site& where) const {
  const runtime::failures_held until_all_have_come;
  require_same_file("checkpoint", members, description, path, where);
  struct share {
    std::uint64_t items;
    std::uint64_t pieces;
    std::uint64_t bytes;
  };
  const auto all = members.allgather(share{items_, ends_.size(), content_.size()}, where);
  share before{};
  share sum{};
  for (rank_t member = 0; member < all.size(); ++member) {
    if (member == members.rank()) before = sum;
    sum.items += all[member].items;
    sum.pieces += all[member].pieces;
    sum.bytes += all[member].bytes;
  }
  description.items = sum.items;
  description.pieces = sum.pieces;
  description.index = end_of_description(serialized_size(description));
  const std::uint64_t begin = description.index + sum.pieces * sizeof(record_entry);
  team_file file = create_record_file(members, path, file_kind, serialize(description),
                                      begin + sum.bytes, "checkpoint", where);
  record_index_writer index(file);
  std::size_t begin_of_piece = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const auto piece = std::span(content_).subspan(begin_of_piece, ends_[i] - begin_of_piece);
    const std::uint64_t number = before.pieces + i;
    record_entry entry{.offset = begin + before.bytes + begin_of_piece, .bytes = piece.size()};
    entry.check = check_of_record(0, number, entry, piece);
    index.add(description.index + number * sizeof entry, entry);
    begin_of_piece = ends_[i];
  }
  index.flush();
  file.write(begin + before.bytes, content_);
  file.finish();
}

saved_file::saved_file(const team& members, const saved_container& expected,
                       const std::string& path, const site& where)
    : file_(team_file::open(members, require_same_file("restore", members, expected, path, where),
                            "restore", where)) {
  const runtime::failures_held until_all_have_come;
  run_together(members, "restore", where, [&] {
    const std::vector<std::byte> description = read_description(file_, file_kind);
    reader from(description);
    from.read_into(content_);
    if (content_.container != expected.container || content_.elements != expected.elements) {
      throw error("restore",
                  path + " contains a " + named(content_) + ", and not a " + named(expected),
                  "restore a container of the type that was written");
    }
    const std::uint64_t end = file_.bytes();
    if (content_.index > end || content_.pieces > (end - content_.index) / sizeof(record_entry)) {
      throw damaged_file(file_, "it is too short for its index");
    }
  });
}

std::vector<std::vector<std::byte>> saved_file::read(std::uint64_t first,
                                                     std::uint64_t last) const {
  std::vector<std::vector<std::byte>> pieces;
  for (std::uint64_t number = first; number < last; ++number) {
    pieces.push_back(read_record(file_, content_.index, 0, number, [&] {
      return "piece " + std::to_string(number) + " of " + std::to_string(content_.pieces);
    }));
  }
  return pieces;
}

std::vector<std::vector<std::byte>> saved_file::read_share() const {
  const team& members = file_.members();
  const auto begin_of = [&](std::uint64_t member) {
    return content_.pieces * member / members.size();
  };
  return read(begin_of(members.rank()), begin_of(members.rank() + std::uint64_t{1}));
}

}  // namespace acre::global
