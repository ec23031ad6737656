// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/binsparse/detail/binsparse_input.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/on_first.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/layout/blocked.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace acre::matrix_files {
namespace {

constexpr const char* load_binsparse_call = "load_binsparse";
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

struct run {
  std::uint64_t major;
  std::uint64_t count;
};

bool has_sign(const std::string& type) { return type.starts_with("int"); }
std::string number_text(std::uint64_t number, const std::string& type) {
  if (has_sign(type)) return std::to_string(static_cast<std::int64_t>(number));
  return std::to_string(number);
}

std::string without_order(const std::string& type) { return type.substr(0, type.find(' ')); }
bool is_as_said(const std::string& said, const std::string& found) {
  if (said == "bint8") return found == "uint8" || found == "int8";
  return said == found;
}

}  // namespace

binsparse_input::binsparse_input(const team& members, const std::string& path,
                                 const std::string& group, const site& where)
    : members_(members), path_(path), group_(group), where_(where) {
  while (group_.ends_with('/')) group_.pop_back();
  if (!group_.empty() && !group_.starts_with('/')) group_ = "/" + group_;
  const std::string text = global::on_first(members, load_binsparse_call, where, [&] {
    const hdf5_value value = hdf5_attribute(path_, path_of(""), "binsparse", site{});
    if (const auto* found = std::get_if<std::string>(&value)) return *found;
    throw error(load_binsparse_call, path_ + ": the attribute \"binsparse\" is not text",
                "store it as a string");
  });
  header_ = binsparse_header_of(text, path_ + ": " + path_of(""));
  pointed_ = global::on_first(members, load_binsparse_call, where, [&] {
    const std::uint64_t parts = header_.is_complex ? 2 : 1;
    if (header_.entries > nowhere / 2) {
      throw error(load_binsparse_call, path_ + " has more entries than a file can hold",
                  "the file may be damaged");
    }
    std::uint64_t pointed = header_.majors();
    if (header_.has_pointers() && header_.has_indices_0()) {
      const auto rows = hdf5_info(path_, path_of("indices_0"));
      pointed = rows && rows->extents.size() == 1 ? rows->extents[0] : 0;
    }
    check_dataset("values", header_.values, header_.is_iso ? parts : parts * header_.entries);
    check_dataset("indices_1", header_.indices_1, header_.entries);
    if (header_.has_indices_0()) {
      check_dataset("indices_0", header_.indices_0,
                    header_.has_pointers() ? pointed : header_.entries);
    }
    if (header_.has_pointers()) {
      if (pointed == nowhere)
        throw error(load_binsparse_call, path_ + " has too many rows", "the file may be damaged");
      check_dataset("pointers_to_1", header_.pointers_to_1, pointed + 1);
    }
    if (header_.has_fill) check_dataset("fill_value", "", parts);
    if (header_.entries != 0 && header_.has_pointers() && pointed == 0) {
      throw error(load_binsparse_call,
                  path_ + ": " + path_of("pointers_to_1") + " has no rows, but the matrix has " +
                      std::to_string(header_.entries) + " entries",
                  "the file may be damaged");
    }
    return pointed;
  });
  const layout::blocked shares(header_.entries, members_.size());
  first_ = shares.index_of({.member = members_.rank(), .offset = 0});
  count_ = shares.local_size(members_.rank());
  if (!header_.has_fill || read_one("fill_value") == std::complex<long double>()) return;
  throw error(load_binsparse_call,
              path_ + ": " + path_of("fill_value") + " is not 0: absent entries have a value" +
                  describe_place(where),
              "absent entries of Acre's sparse matrices are 0");
}

std::string binsparse_input::path_of(const std::string& name) const {
  if (name.empty()) return group_.empty() ? "/" : group_;
  return group_ + "/" + name;
}

void binsparse_input::check_dataset(const std::string& name, const std::string& type,
                                    std::uint64_t elements) {
  const std::string what = path_ + ": " + path_of(name);
  const auto found = hdf5_info(path_, path_of(name));
  // Some writers omit empty datasets.
  if (!found && header_.entries == 0) return;
  if (!found) {
    throw error(load_binsparse_call, what + " is missing, or not a dataset",
                "the format in the attribute \"binsparse\" requires it");
  }
  if (found->extents.size() != 1 || found->extents[0] != elements) {
    throw error(load_binsparse_call,
                what + " has " +
                    (found->extents.empty() ? "1 element without an extent"
                                            : layout::extents_text(found->extents) + " elements") +
                    ", but the attribute \"binsparse\" requires " + std::to_string(elements),
                "check that the file is complete");
  }
  if (elements == 0 || type.empty() || is_as_said(type, without_order(found->type))) return;
  throw error(load_binsparse_call,
              what + " has elements of type " + found->type +
                  ", but the attribute \"binsparse\" requires " + type,
              "the file may be damaged");
}

void binsparse_input::throw_other_type() const {
  std::string type = header_.is_complex ? "complex[" + header_.values + "]" : header_.values;
  if (header_.is_iso) type = "iso[" + type + "]";
  if (header_.symmetry == binsparse_symmetry::skew) type += ", and their negatives";
  throw error(load_binsparse_call,
              path_ + ": " + path_of("values") + " has values of type " + type +
                  ", which the requested type cannot hold" + describe_place(where_),
              "load it with a type that holds all values; acre::present ignores the values");
}

void binsparse_input::together(const std::string& name, const std::function<void()>& part) {
  std::optional<binsparse_fault> mine;
  const auto no_room = [&] {
    mine = {0, "and the following elements exceed this member's memory",
            "load the file with more ranks"};
  };
  global::succeed_together(members_, load_binsparse_call, where_, [&] {
    try {
      part();
    } catch (const binsparse_fault& found) {
      mine = found;
    } catch (const std::bad_alloc&) {
      no_room();
    } catch (const std::length_error&) {
      no_room();
    }
  });
  const std::vector<std::uint64_t> all = members_.allgather(mine ? mine->at : nowhere, where_);
  const auto first = std::ranges::min_element(all);
  if (*first == nowhere) return;
  const auto member = static_cast<rank_t>(first - all.begin());
  const auto [problem, advice] = members_.broadcast(
      mine ? std::pair(mine->problem, mine->advice) : std::pair<std::string, std::string>(), member,
      where_);
  throw error(load_binsparse_call,
              path_ + ": " + path_of(name) + "[" + std::to_string(*first) + "] " + problem +
                  describe_place(where_),
              advice);
}

void binsparse_input::read(const std::string& name, std::uint64_t first, const hdf5_type& type,
                           std::span<std::byte> to) {
  const std::uint64_t end = to.empty() ? 0 : first + to.size() / type.bytes;
  const std::uint64_t needed = members_.allreduce(end, op::max, where_);
  if (needed == 0) return;
  in_call(load_binsparse_call, [&] {
    hdf5_input data(members_, path_, path_of(name), type, where_);
    if (data.extents().size() != 1 || data.extents()[0] < needed) {
      throw error(load_binsparse_call, path_ + ": " + path_of(name) + " has changed during loading",
                  "do not change a file while it is loaded");
    }
    data.read_run(to.empty() ? 0 : first, to);
  });
}

std::complex<long double> binsparse_input::read_one(const std::string& name) {
  long double parts[2] = {};
  const std::size_t count = header_.is_complex ? 2 : 1;
  read(name, 0, hdf5_type_of<long double>(), std::as_writable_bytes(std::span(parts).first(count)));
  return {parts[0], parts[1]};
}

std::vector<std::uint32_t> binsparse_input::numbers(const std::string& name) {
  const auto count = global::on_first(members_, load_binsparse_call, where_, [&] {
    const auto found = hdf5_info(path_, path_of(name));
    if (found && found->extents.size() == 1) return found->extents[0];
    throw error(load_binsparse_call,
                path_ + ": " + path_of(name) + " is not a dataset of one dimension",
                "store it in one dimension");
  });
  std::vector<std::uint32_t> all;
  together(name, [&] { all.resize(count); });
  read(name, 0, hdf5_type_of<std::uint32_t>(), std::as_writable_bytes(std::span(all)));
  return all;
}

std::vector<std::uint64_t> binsparse_input::read_indices(const std::string& name,
                                                         const std::string& type,
                                                         std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> indices;
  together(name, [&] { indices.resize(count); });
  // Negative indices become larger than any extent.
  read(name, first, has_sign(type) ? hdf5_type_of<std::int64_t>() : hdf5_type_of<std::uint64_t>(),
       std::as_writable_bytes(std::span(indices)));
  return indices;
}

void binsparse_input::check_indices(const std::string& name,
                                    const std::vector<std::uint64_t>& indices, std::uint64_t first,
                                    std::uint64_t end, const char* of) {
  together(name, [&] {
    const auto found =
        std::ranges::find_if(indices, [&](std::uint64_t each) { return each >= end; });
    if (found == indices.end()) return;
    const std::string& type = name == "indices_0" ? header_.indices_0 : header_.indices_1;
    throw binsparse_fault{first + static_cast<std::uint64_t>(found - indices.begin()),
                          "is " + number_text(*found, type) + ", but the matrix has " +
                              std::to_string(end) + " " + of,
                          "indices are counted from 0"};
  });
}

void binsparse_input::read_places() {
  const char* const major = header_.is_by_columns() ? "columns" : "rows";
  const char* const minor = header_.is_by_columns() ? "rows" : "columns";
  if (header_.has_pointers()) {
    unpack_pointers();
  } else {
    majors_ = read_indices("indices_0", header_.indices_0, first_, count_);
    check_indices("indices_0", majors_, first_, header_.majors(), major);
  }
  minors_ = read_indices("indices_1", header_.indices_1, first_, count_);
  check_indices("indices_1", minors_, first_, header_.minors(), minor);
  check_half();
}

/// Reads part of the pointers; sends rows to the entries' readers.
void binsparse_input::unpack_pointers() {
  const layout::blocked rows(pointed_, members_.size());
  const std::uint64_t first = rows.index_of({.member = members_.rank(), .offset = 0});
  const std::uint64_t count = rows.local_size(members_.rank());
  const bool has_some = count != 0 && header_.entries != 0;
  const std::vector<std::uint64_t> pointers =
      header_.entries == 0 && header_.pointers_to_1.empty()
          ? std::vector<std::uint64_t>()
          : read_indices("pointers_to_1", header_.pointers_to_1, first, count == 0 ? 0 : count + 1);
  together("pointers_to_1", [&] {
    const auto fail = [&](std::size_t i, const std::string& but) {
      throw binsparse_fault{
          first + i, "is " + number_text(pointers[i], header_.pointers_to_1) + ", but " + but,
          "pointers must ascend from 0 to the number of entries"};
    };
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      const bool is_last = first + i == pointed_;
      if (first + i == 0 && pointers[i] != 0) fail(i, "it must be 0");
      if (i != 0 && pointers[i] < pointers[i - 1]) {
        fail(i, "the previous one is " + std::to_string(pointers[i - 1]));
      }
      if (pointers[i] > header_.entries || (is_last && pointers[i] != header_.entries)) {
        fail(i, "the matrix has " + std::to_string(header_.entries) + " entries");
      }
    }
  });
  std::vector<std::uint64_t> names;
  if (header_.has_indices_0()) {
    names = read_indices("indices_0", header_.indices_0, first, count);
    check_indices("indices_0", names, first, header_.majors(),
                  header_.is_by_columns() ? "columns" : "rows");
  }
  std::vector<run> runs;
  std::vector<std::size_t> counts(members_.size());
  const layout::blocked shares(header_.entries, members_.size());
  together("pointers_to_1", [&] {
    for (std::size_t i = 0; has_some && i < count; ++i) {
      const std::uint64_t major = names.empty() ? first + i : names[i];
      for (std::uint64_t begin = pointers[i]; begin < pointers[i + 1];) {
        const rank_t owner = shares.place_of(begin).member;
        const auto end = std::min<std::uint64_t>(pointers[i + 1], begin + shares.run_length(begin));
        runs.push_back({major, end - begin});
        ++counts[owner];
        begin = end;
      }
    }
  });
  const auto got =
      members_.alltoallv(std::span<const run>(runs), std::span<const std::size_t>(counts), where_);
  together("pointers_to_1", [&] {
    majors_.reserve(count_);
    for (const run& each : got.values) majors_.insert(majors_.end(), each.count, each.major);
    if (majors_.size() != count_)
      throw binsparse_fault{0, "has changed during loading",
                            "do not change a file while it is loaded"};
  });
}

void binsparse_input::check_half() {
  if (header_.half == binsparse_half::all) return;
  const bool is_lower = header_.half == binsparse_half::lower;
  together("indices_1", [&] {
    for (std::size_t i = 0; i < minors_.size(); ++i) {
      if (is_lower ? rows()[i] >= columns()[i] : rows()[i] <= columns()[i]) continue;
      throw binsparse_fault{first_ + i,
                            "is an entry in row " + std::to_string(rows()[i]) + " and column " +
                                std::to_string(columns()[i]) +
                                ", in the triangle that is not stored",
                            is_lower ? "only the lower triangle may have entries"
                                     : "only the upper triangle may have entries"};
    }
  });
}

}  // namespace acre::matrix_files
