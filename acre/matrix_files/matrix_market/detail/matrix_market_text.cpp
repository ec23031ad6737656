// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/matrix_market/detail/matrix_market_text.hpp>

#include <acre/base/error.hpp>
#include <acre/base/in_quotes.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/cut.hpp>
#include <acre/matrix_files/matrix_market/detail/mirrored_entries.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <new>
#include <utility>

namespace acre::matrix_files {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t most_of_line = std::size_t{1} << 16;
constexpr std::size_t most_of_header = std::size_t{16} << 20;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 40;
}  // namespace

market_share::market_share(global::team_file& file, market_numbers numbers)
    : file_(file), source_(file), numbers_(numbers) {}

void market_share::throw_no_negative(std::string_view text) {
  throw base::bad_line{
      "the negative of " + in_quotes(text) + " is out of the range of the requested type",
      "load it with a larger type"};
}

bool market_share::read_more() {
  if (read_to_ >= source_.bytes()) return false;
  buffer_.erase(0, at_);
  begin_of_buffer_ += at_;
  at_ = 0;
  const std::size_t before = buffer_.size();
  const std::size_t more = std::min<std::uint64_t>(piece_bytes, source_.bytes() - read_to_);
  buffer_.resize(before + more);
  source_.read(read_to_, std::as_writable_bytes(std::span(buffer_).subspan(before)));
  read_to_ += more;
  return file_.is_good();
}

std::optional<std::string_view> market_share::next_text() {
  if (begin_of_buffer_ + at_ >= end_) return std::nullopt;
  std::size_t from = at_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', from);
    if (end != std::string::npos) {
      const std::string_view text(buffer_.data() + at_, end - at_);
      at_ = end + 1;
      ++lines_;
      return text;
    }
    const std::size_t unfinished = buffer_.size() - at_;
    if (unfinished > most_of_line) {
      ++lines_;
      throw base::bad_line{"the line is longer than " + std::to_string(most_of_line) + " bytes",
                           "the file may be damaged"};
    }
    if (!read_more()) break;
    from = unfinished;
  }
  const std::string_view last(buffer_.data() + at_, buffer_.size() - at_);
  at_ = buffer_.size();
  if (last.empty()) return std::nullopt;
  ++lines_;
  return last;
}

void market_share::read_header() {
  end_ = std::min<std::uint64_t>(source_.bytes(), most_of_header);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string_view banner = next_text().value_or(std::string_view());
  if (banner.starts_with(byte_order_mark)) banner.remove_prefix(byte_order_mark.size());
  base::read_market_banner(banner, header_);
  if (header_.field == base::market_field::complex && numbers_ == market_numbers::real) {
    throw base::bad_line{"entries are complex, but the requested type is real",
                         "load it with std::complex<double>"};
  }
  for (;;) {
    const auto text = next_text();
    if (!text) {
      throw base::bad_line{"the file ends before its size line", "the file may be truncated"};
    }
    if (base::is_market_comment(*text)) continue;
    base::read_market_sizes(*text, header_);
    break;
  }
  if (header_.rows > most_rows || header_.columns > std::numeric_limits<column_t>::max()) {
    throw base::bad_line{"a matrix of " + std::to_string(header_.rows) + " rows and " +
                             std::to_string(header_.columns) + " columns is too large",
                         "use at most 2^40 rows and 2^32 - 1 columns"};
  }
  header_lines_ = lines_;
  header_bytes_ = begin_of_buffer_ + at_;
}

/// Cuts bytes equally; a line belongs to its first byte's owner.
void market_share::read_lines() {
  const std::uint64_t all = source_.bytes() - header_bytes_;
  const team& members = file_.members();
  const layout::balanced_cut cut(all, members.size());
  const std::uint64_t begin = header_bytes_ + cut.first(members.rank());
  end_ = header_bytes_ + cut.first(std::uint64_t{members.rank()} + 1);
  lines_ = 0;
  buffer_.clear();
  at_ = 0;
  begin_of_buffer_ = read_to_ = begin;
  if (begin == header_bytes_ || begin == end_) return;
  begin_of_buffer_ = read_to_ = begin - 1;
  std::size_t from = 0;
  while (read_more()) {
    const std::size_t end = buffer_.find('\n', from);
    if (end != std::string::npos) {
      at_ = end + 1;
      return;
    }
    at_ = buffer_.size();
    from = 0;
    if (begin_of_buffer_ + at_ >= end_) return;
  }
  at_ = buffer_.size();
}

std::uint64_t market_share::count_entries() {
  std::uint64_t entries = 0;
  while (const auto text = next_text()) entries += base::is_market_comment(*text) ? 0 : 1;
  return entries;
}

std::optional<base::market_entry> market_share::next() {
  while (const auto text = next_text()) {
    if (base::is_market_comment(*text)) continue;
    const base::market_entry entry = base::read_market_entry(*text, header_, first_ + found_);
    ++found_;
    if (base::is_in_upper_triangle(entry, header_)) ++above_;
    return entry;
  }
  return std::nullopt;
}

void market_share::read_all(const std::function<void()>& read) {
  if (!source_.open()) {
    throw error(
        "load_matrix_market",
        file_.path() + ": the gzip data is damaged or incomplete" + describe_place(file_.where()),
        "check it with: gzip -t");
  }
  std::optional<base::bad_line> wrong;
  try {
    read_header();
  } catch (const base::bad_line& found) {
    wrong = found;
  }
  file_.agree();
  if (wrong) {
    throw error("load_matrix_market",
                file_.path() + ", line " + std::to_string(lines_) + ": " + wrong->problem +
                    describe_place(file_.where()),
                wrong->advice);
  }
  try {
    read_lines();
    if (header_.layout == base::market_layout::array) {
      first_ = count_entries();
      read_lines();
    }
  } catch (const base::bad_line& found) {
    wrong = found;
  }
  if (header_.layout == base::market_layout::array) {
    first_ = file_.members().exclusive_scan(first_, 0, op::sum, file_.where());
  }
  try {
    if (!wrong) read();
  } catch (const base::bad_line& found) {
    wrong = found;
  } catch (const std::bad_alloc&) {
    wrong =
        base::bad_line{"the entries exceed this member's memory", "load the file with more ranks"};
  }
  file_.agree();
  agree(wrong);
}

void market_share::agree(const std::optional<base::bad_line>& mine) {
  struct part {
    std::uint64_t lines;
    std::uint64_t entries;
    std::uint64_t above;
    bool is_wrong;
  };
  const team& members = file_.members();
  const auto parts =
      members.allgather(part{lines_, found_, above_, mine.has_value()}, file_.where());
  std::uint64_t lines = header_lines_;
  std::uint64_t entries = 0;
  std::uint64_t above = 0;
  for (rank_t member = 0; member < members.size(); ++member) {
    const part& each = parts[member];
    lines += each.lines;
    entries += each.entries;
    above += each.above;
    if (!each.is_wrong) continue;
    const std::string problem = members.broadcast(mine ? mine->problem : "", member);
    const std::string advice = members.broadcast(mine ? mine->advice : "", member);
    throw error("load_matrix_market",
                file_.path() + ", line " + std::to_string(lines) + ": " + problem +
                    describe_place(file_.where()),
                advice);
  }
  if (entries == header_.entries) return warn_of_upper_triangle(above);
  throw error("load_matrix_market",
              file_.path() + ", line " + std::to_string(header_lines_) + ": there should be " +
                  std::to_string(header_.entries) + " entries, but " + std::to_string(entries) +
                  " follow" + describe_place(file_.where()),
              entries < header_.entries ? "the file may be truncated" : "");
}

void market_share::warn_of_upper_triangle(std::uint64_t entries) const {
  if (entries == 0 || !file_.is_first()) return;
  std::fprintf(stderr,
               "acre: load_matrix_market: warning: %s has %llu entries above the diagonal of a "
               "symmetric matrix: each is used for both triangles\n",
               file_.path().c_str(), static_cast<unsigned long long>(entries));
}

void check_market_type(const market_share& lines, bool is_integer, bool is_unsigned) {
  const base::market_header& header = lines.header();
  if (is_integer && header.field == base::market_field::real) {
    throw base::bad_line{"entries are real, but the requested type is an integer",
                         "load it with double"};
  }
  if (is_unsigned && header.symmetry == base::market_symmetry::skew) {
    throw base::bad_line{"a skew-symmetric matrix has negative entries",
                         "load it with a signed type"};
  }
}

std::string market_head(base::market_field field, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t entries, base::market_symmetry symmetry) {
  constexpr std::array fields{"pattern", "integer", "real", "complex"};
  return std::string("%%MatrixMarket matrix coordinate ") +
         fields[static_cast<std::size_t>(field)] + " " + market_symmetry_name(symmetry) + "\n" +
         std::to_string(rows) + " " + std::to_string(columns) + " " + std::to_string(entries) +
         "\n";
}

}  // namespace acre::matrix_files
