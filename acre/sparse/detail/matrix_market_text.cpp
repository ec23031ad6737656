#include <acre/sparse/detail/matrix_market_text.hpp>

#include <acre/base/error.hpp>
#include <acre/sparse/csr_rows.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace acre::detail {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t most_of_line = std::size_t{1} << 16;
constexpr std::size_t most_of_header = std::size_t{16} << 20;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 40;
constexpr std::string_view blanks = " \t\r\f\v";

/// Bytes that control a terminal, and 0, which ends the text of an exception, are question marks.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown(text.substr(0, most));
  std::ranges::replace_if(shown, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }, '?');
  return "\"" + shown + (text.size() > most ? "…\"" : "\"");
}

/// Takes the next word from a text; none is left where it is empty.
std::string_view word_of(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(blanks), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string lower_word_of(std::string_view& text) {
  std::string word(word_of(text));
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

std::uint64_t count_of(std::string_view& text, const char* what) {
  const std::string_view word = word_of(text);
  if (word.empty()) throw bad_line{std::string("the line ends before ") + what, ""};
  std::uint64_t count = 0;
  const char* const end = word.data() + word.size();
  const auto [behind, problem] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (problem == std::errc::result_out_of_range) {
    throw bad_line{quoted(word) + " is too large for " + what, ""};
  }
  if (problem != std::errc() || behind != end) {
    throw bad_line{quoted(word) + " is not " + what, "a whole number, without a sign"};
  }
  return count;
}

void expect_end(std::string_view text) {
  const std::string_view more = word_of(text);
  if (!more.empty()) throw bad_line{"the line goes on with " + quoted(more), ""};
}

void read_symmetry(std::string_view& line, market_header& header) {
  const std::string symmetry = lower_word_of(line);
  if (symmetry == "general") {
    header.symmetry = market_symmetry::general;
  } else if (symmetry == "symmetric") {
    header.symmetry = market_symmetry::symmetric;
  } else if (symmetry == "skew-symmetric" && header.field != market_field::pattern) {
    header.symmetry = market_symmetry::skew;
  } else if (symmetry == "hermitian" && header.field == market_field::complex) {
    header.symmetry = market_symmetry::hermitian;
  } else {
    throw bad_line{"the symmetry is " + quoted(symmetry),
                   "matrices that are general, symmetric, of numbers skew-symmetric, or of complex "
                   "ones hermitian, can be read"};
  }
}

/// The first line of all.
void read_banner(std::string_view line, market_numbers numbers, market_header& header) {
  if (lower_word_of(line) != "%%matrixmarket") {
    throw bad_line{"the file does not begin with %%MatrixMarket", ""};
  }
  if (lower_word_of(line) != "matrix") throw bad_line{"this is no matrix", ""};
  const std::string layout = lower_word_of(line);
  if (layout != "coordinate") {
    throw bad_line{"the layout is " + quoted(layout), "sparse matrices are coordinate"};
  }
  const std::string field = lower_word_of(line);
  if (field == "pattern") {
    header.field = market_field::pattern;
  } else if (field == "integer") {
    header.field = market_field::integer;
  } else if (field == "real" || field == "double") {
    header.field = market_field::real;
  } else if (field == "complex" && numbers == market_numbers::complex) {
    header.field = market_field::complex;
  } else {
    throw bad_line{"entries are " + quoted(field),
                   field == "complex" ? "real numbers are wanted"
                                      : "those that are numbers or pattern can be read"};
  }
  read_symmetry(line, header);
  expect_end(line);
}

void read_sizes(std::string_view line, market_header& header) {
  header.rows = count_of(line, "the number of rows");
  header.columns = count_of(line, "the number of columns");
  header.entries = count_of(line, "the number of entries");
  expect_end(line);
  if (header.rows > most_rows || header.columns > std::numeric_limits<column_t>::max()) {
    throw bad_line{"a matrix of " + std::to_string(header.rows) + " rows and " +
                       std::to_string(header.columns) + " columns is too large",
                   "columns have 32 bits, rows 40"};
  }
  if (header.symmetry != market_symmetry::general && header.rows != header.columns) {
    throw bad_line{"a symmetric matrix has as many columns as rows", ""};
  }
}

}  // namespace

market_share::market_share(team_file& file, market_numbers numbers)
    : file_(file), numbers_(numbers) {}

void market_share::throw_no_number(std::string_view text) {
  if (text.empty()) throw bad_line{"the line ends before the value", ""};
  throw bad_line{quoted(text) + " is no finite number of the kind that is wanted", ""};
}

void market_share::throw_out_of_range(std::string_view text) {
  throw bad_line{quoted(text) + " is out of the range of the numbers that are wanted", ""};
}

void market_share::throw_no_negative(std::string_view text) {
  throw bad_line{
      "the negative of " + quoted(text) + " is out of the range of the numbers that are wanted",
      "load it as a larger type"};
}

bool market_share::read_more() {
  if (read_to_ >= file_.bytes()) return false;
  buffer_.erase(0, at_);
  begin_of_buffer_ += at_;
  at_ = 0;
  const std::size_t before = buffer_.size();
  const std::size_t more = std::min<std::uint64_t>(piece_bytes, file_.bytes() - read_to_);
  buffer_.resize(before + more);
  file_.read(read_to_, std::as_writable_bytes(std::span(buffer_).subspan(before)));
  read_to_ += more;
  return file_.is_good();
}

/// The next line that begins before end_.
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
      throw bad_line{"the line is longer than " + std::to_string(most_of_line) + " bytes", ""};
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
  end_ = std::min<std::uint64_t>(file_.bytes(), most_of_header);
  const auto banner = next_text();
  read_banner(banner ? *banner : std::string_view(), numbers_, header_);
  for (;;) {
    const auto text = next_text();
    if (!text) throw bad_line{"the file ends before it says how large the matrix is", ""};
    std::string_view rest = *text;
    const std::string_view first = word_of(rest);
    if (first.empty() || first.starts_with('%')) continue;
    read_sizes(*text, header_);
    break;
  }
  header_.lines = lines_;
  header_.bytes = begin_of_buffer_ + at_;
}

/// The bytes behind the header are cut equally; a line is whose first byte is.
void market_share::take_share() {
  const std::uint64_t all = file_.bytes() - header_.bytes;
  const team& members = file_.members();
  const auto cut = [&](std::uint64_t member) {
    return header_.bytes + all / members.size() * member +
           std::min<std::uint64_t>(member, all % members.size());
  };
  const std::uint64_t begin = cut(members.rank());
  end_ = cut(std::uint64_t{members.rank()} + 1);
  lines_ = 0;
  buffer_.clear();
  at_ = 0;
  begin_of_buffer_ = read_to_ = begin;
  if (begin == header_.bytes || begin == end_) return;
  // What is left of the line before is its owner's.
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

std::optional<market_share::line> market_share::next() {
  while (const auto text = next_text()) {
    if (text->find_first_not_of(blanks) == std::string_view::npos) continue;
    ++found_;
    return parsed(*text);
  }
  return std::nullopt;
}

market_share::line market_share::parsed(std::string_view text) const {
  const std::uint64_t row = count_of(text, "the number of a row");
  const std::uint64_t column = count_of(text, "the number of a column");
  line found{row - 1, column - 1, {}, {}};
  if (header_.field != market_field::pattern) found.value = word_of(text);
  if (header_.field == market_field::complex) found.imaginary = word_of(text);
  expect_end(text);
  if (row == 0 || column == 0 || row > header_.rows || column > header_.columns) {
    throw bad_line{
        "there is no place in row " + std::to_string(row) + " and column " + std::to_string(column),
        "the matrix has " + std::to_string(header_.rows) + " rows and " +
            std::to_string(header_.columns) + " columns, which are counted from 1"};
  }
  if (header_.symmetry != market_symmetry::general && column > row) {
    throw bad_line{"the entry lies above the diagonal",
                   "of a symmetric matrix the lower triangle is written"};
  }
  if (header_.symmetry == market_symmetry::skew && column == row) {
    throw bad_line{"the entry lies on the diagonal", "which is 0 in a skew-symmetric matrix"};
  }
  return found;
}

void market_share::read_all(const std::function<void()>& read) {
  std::optional<bad_line> wrong;
  try {
    read_header();
  } catch (const bad_line& found) {
    wrong = found;  // all members read the same
  }
  file_.agree();
  if (wrong) {
    throw error("load_matrix_market",
                file_.path() + ", line " + std::to_string(lines_) + ": " + wrong->problem +
                    describe_place(file_.where()),
                wrong->advice);
  }
  try {
    take_share();
    read();
  } catch (const bad_line& found) {
    wrong = found;
  } catch (const std::bad_alloc&) {
    wrong = bad_line{"it has no room in this member's memory", "read it with more ranks"};
  }
  file_.agree();
  agree(wrong);
}

void market_share::agree(const std::optional<bad_line>& mine) {
  struct part {
    std::uint64_t lines;
    std::uint64_t entries;
    bool is_wrong;
  };
  const team& members = file_.members();
  const auto parts = members.allgather(part{lines_, found_, mine.has_value()}, file_.where());
  std::uint64_t lines = header_.lines;
  std::uint64_t entries = 0;
  for (rank_t member = 0; member < members.size(); ++member) {
    const part& each = parts[member];
    lines += each.lines;
    entries += each.entries;
    if (!each.is_wrong) continue;
    const std::string problem = members.broadcast(mine ? mine->problem : "", member);
    const std::string advice = members.broadcast(mine ? mine->advice : "", member);
    throw error("load_matrix_market",
                file_.path() + ", line " + std::to_string(lines) + ": " + problem +
                    describe_place(file_.where()),
                advice);
  }
  if (entries == header_.entries) return;
  throw error("load_matrix_market",
              file_.path() + ", line " + std::to_string(header_.lines) + ": there should be " +
                  std::to_string(header_.entries) + " entries, and " + std::to_string(entries) +
                  " follow" + describe_place(file_.where()),
              entries < header_.entries ? "the file may not be whole" : "");
}

void check_market_type(const market_share& lines, bool is_integer, bool is_unsigned) {
  const market_header& header = lines.header();
  if (is_integer && header.field == market_field::real) {
    throw bad_line{"entries are real, and integers are wanted", "load it as double"};
  }
  if (is_unsigned && header.symmetry == market_symmetry::skew) {
    throw bad_line{"a skew-symmetric matrix has negative entries",
                   "load it as numbers with a sign"};
  }
}

std::string market_head(market_field field, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t entries, market_symmetry symmetry) {
  constexpr std::array fields{"pattern", "integer", "real", "complex"};
  constexpr std::array symmetries{"general", "symmetric", "skew-symmetric", "hermitian"};
  return std::string("%%MatrixMarket matrix coordinate ") +
         fields[static_cast<std::size_t>(field)] + " " +
         symmetries[static_cast<std::size_t>(symmetry)] + "\n" + std::to_string(rows) + " " +
         std::to_string(columns) + " " + std::to_string(entries) + "\n";
}

void market_text::throw_not_finite() {
  throw error("store_matrix_market", "an entry is infinite, or no number",
              "a file of Matrix Market has finite numbers");
}

}  // namespace acre::detail
