// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/share.hpp>

#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>

#include <apps/genome/inflate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <sys/stat.h>

namespace acre::genome {
namespace {

/// 64 narrow counters, vectorised and emptied before overflow.
std::uint64_t count_lines(std::string_view text) {
  constexpr std::size_t lanes = 64;
  constexpr std::size_t rounds = 255;
  std::uint64_t lines = 0;
  while (text.size() >= lanes) {
    std::array<std::uint8_t, lanes> counters{};
    const auto here = std::min(rounds, text.size() / lanes);
    for (std::size_t round = 0; round < here; ++round) {
      const char* const row = text.data() + round * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        counters[lane] = static_cast<std::uint8_t>(counters[lane] + (row[lane] == '\n'));
      }
    }
    for (const auto counter : counters) lines += counter;
    text.remove_prefix(here * lanes);
  }
  return lines + static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

std::size_t last_line(std::string_view text) {
  const auto* const newline = static_cast<const char*>(::memrchr(text.data(), '\n', text.size()));
  return newline == nullptr ? 0 : static_cast<std::size_t>(newline - text.data()) + 1;
}

std::string last_letters(std::string_view text, record_parser::start begins, unsigned k) {
  std::string letters;
  while (letters.size() + 1 < k) {
    const auto begin = last_line(text);
    auto line = text.substr(begin);
    const bool continued = begin == 0 && begins == record_parser::start::sequence;
    if (line.starts_with('>') && !continued) break;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto wanted = std::min<std::size_t>(k - 1 - letters.size(), line.size());
    letters.insert(0, line.substr(line.size() - wanted));
    if (begin == 0) break;
    text = text.substr(0, begin - 1);
  }
  return letters;
}

/// Holes of incomplete copies are zeros; text has no zeros.
void refuse_zeros(std::string_view text, std::size_t from, const text_origin& origin) {
  const auto zero = text.find('\0', from);
  if (zero == std::string_view::npos) return;
  fail_at(origin, count_lines(text.substr(0, zero)), "the text contains a byte 0",
          "the file is incomplete or not a text: copy or create it again");
}

std::string head_of(const input_file& file, std::size_t bytes) {
  std::string head(bytes, '\0');
  head.resize(file.read_at(0, head));
  return head;
}

class text_stream {
 public:
  explicit text_stream(input_file file) : file_(std::move(file)) {
    // A pipe's magic bytes can be read only once.
    head_.resize(2);
    head_.resize(file_.read(head_));
    if (looks_like_gzip(head_)) {
      inflater_.emplace([this](std::span<char> into) { return read_raw(into); });
    }
  }

  [[nodiscard]] std::string warning() const { return inflater_ ? inflater_->warning() : ""; }

  std::size_t read(std::span<char> into) {
    return inflater_ ? inflater_->read(into) : read_raw(into);
  }

  [[nodiscard]] std::uint64_t position() const noexcept {
    return inflater_ ? inflater_->compressed_bytes() : raw_bytes_;
  }

 private:
  std::size_t read_raw(std::span<char> into) {
    const auto first = std::min(head_.size(), into.size());
    std::copy_n(head_.begin(), first, into.begin());
    head_.erase(0, first);
    const auto bytes = first + file_.read(into.subspan(first));
    raw_bytes_ += bytes;
    return bytes;
  }

  input_file file_;
  std::string head_;
  std::uint64_t raw_bytes_ = 0;
  std::optional<inflater> inflater_;
};

class text_range {
 public:
  text_range(input_file file, std::uint64_t begin, std::uint64_t end)
      : file_(std::move(file)), begin_(begin), end_(std::max(begin, end)), position_(begin) {}

  std::size_t read(std::span<char> into) {
    const auto bytes = file_.read_at(
        position_, into.first(std::min<std::uint64_t>(into.size(), end_ - position_)));
    position_ += bytes;
    return bytes;
  }

  [[nodiscard]] std::uint64_t position() const noexcept { return position_ - begin_; }

 private:
  input_file file_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t position_;
};

struct line_begin {
  std::uint64_t offset = 0;
  bool is_known = true;
};
line_begin line_before(const input_file& file, std::uint64_t offset) {
  std::array<char, 1 << 16> block;
  const std::uint64_t first = offset - std::min<std::uint64_t>(offset, longest_header);
  while (offset > first) {
    const auto bytes = std::min<std::uint64_t>(offset - first, block.size());
    const auto got = file.read_at(offset - bytes, std::span(block).first(bytes));
    const auto begin = last_line({block.data(), got});
    if (begin > 0) return {offset - bytes + begin};
    offset -= bytes;
  }
  return {first, first == 0};
}

std::uint64_t size_of_mark(const input_file& file) {
  return head_of(file, byte_order_mark.size()) == byte_order_mark ? byte_order_mark.size() : 0;
}

char byte_at(const input_file& file, std::uint64_t offset) {
  char byte = 0;
  static_cast<void>(file.read_at(offset, std::span(&byte, 1)));
  return byte;
}

}  // namespace

input inspect(const std::string& path) {
  const bool is_own = path == "-" || own_descriptor(path).has_value();
  // Opening and closing a pipe would kill its writer.
  struct stat status{};
  if (!is_own && ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
    return {.path = path, .of_first_rank = true, .consumed = true, .identity = identity_of(status)};
  }
  const input_file file(path);
  input found{.path = path,
              .bytes = file.size(),
              .of_first_rank = is_own || !file.is_regular(),
              .consumed = file.is_consumed(),
              .empty = file.is_regular() && file.size() == 0,
              .identity = file.identity()};
  if (!file.is_regular() || found.empty) return found;
  const auto head = head_of(file, 256);
  const bool is_plain = !looks_like_gzip(head);
  if (is_plain) {
    static_cast<void>(format_of(head, {.file = path}));
    refuse_zeros(head, 0, {.file = path});
  }
  found.divisible = is_plain && !found.of_first_rank;
  return found;
}

std::vector<piece> share_of(std::span<const input> inputs, std::uint32_t rank,
                            std::uint32_t ranks) {
  std::vector<piece> pieces;

  std::uint64_t total = 0;
  for (const input& file : inputs) total += file.divisible ? file.bytes : 0;
  const auto border = [&](std::uint64_t of) {
    return total / ranks * of + total % ranks * of / ranks;
  };
  const auto begin = border(rank);
  const auto end = border(rank + std::uint64_t{1});
  std::uint64_t file_begin = 0;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].divisible) continue;
    const auto file_end = file_begin + inputs[i].bytes;
    const auto from = std::max(begin, file_begin);
    const auto to = std::min(end, file_end);
    if (from < to) pieces.push_back({i, from - file_begin, to - file_begin});
    file_begin = file_end;
  }

  std::vector<std::uint32_t> streams;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].divisible && !inputs[i].of_first_rank) streams.push_back(i);
  }
  std::ranges::sort(streams, [&](std::uint32_t a, std::uint32_t b) {
    return inputs[a].bytes != inputs[b].bytes ? inputs[a].bytes > inputs[b].bytes : a < b;
  });
  const auto readers = std::min<std::uint64_t>(ranks, streams.size());
  std::vector<std::uint64_t> loads(readers, 0);
  for (const auto i : streams) {
    const auto least = std::ranges::min_element(loads);
    *least += std::max<std::uint64_t>(inputs[i].bytes, 1);
    const auto reader = static_cast<std::uint64_t>(least - loads.begin());
    if (reader * ranks / readers == rank) pieces.push_back({i, 0, inputs[i].bytes});
  }
  for (std::uint32_t i = 0; rank == 0 && i < inputs.size(); ++i) {
    if (inputs[i].of_first_rank) pieces.push_back({i, 0, inputs[i].bytes});
  }
  return pieces;
}

namespace detail {

namespace {

class byte_reader {
 public:
  explicit byte_reader(const input_file& file) : file_(file) {}

  void seek(std::uint64_t offset) {
    if (offset >= begin_ && offset <= begin_ + have_) {
      at_ = offset - begin_;
    } else {
      begin_ = offset;
      have_ = at_ = 0;
    }
  }
  [[nodiscard]] std::uint64_t position() const { return begin_ + at_; }

  [[nodiscard]] int peek() {
    if (at_ == have_ && !refill()) return -1;
    return static_cast<unsigned char>(block_[at_]);
  }
  [[nodiscard]] int next() {
    const int byte = peek();
    at_ += byte < 0 ? 0 : 1;
    return byte;
  }
  [[nodiscard]] bool skip_line(std::uint64_t most) {
    for (const std::uint64_t first = position(); position() - first <= most;) {
      if (peek() < 0) return false;
      const void* const newline = std::memchr(block_.data() + at_, '\n', have_ - at_);
      if (newline != nullptr) {
        at_ = static_cast<std::size_t>(static_cast<const char*>(newline) - block_.data()) + 1;
        return true;
      }
      at_ = have_;
    }
    return false;
  }

 private:
  bool refill() {
    begin_ += have_;
    at_ = 0;
    have_ = file_.read_at(begin_, block_);
    return have_ > 0;
  }

  const input_file& file_;
  std::array<char, std::size_t{1} << 16> block_;
  std::uint64_t begin_ = 0;
  std::size_t have_ = 0;
  std::size_t at_ = 0;
};

/// Strictly parses a record, which `@` or the end of file must follow.
/// @return sequence length; empty if invalid
std::optional<std::uint64_t> strict_record(byte_reader& text) {
  const auto is_base = [](int each) {
    return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z') || each == '-' ||
           each == '.' || each == '*' || each == '?';
  };
  const auto is_line_end = [](int each) { return each == '\n' || each == '\r'; };

  if (text.peek() != '@' || !text.skip_line(longest_header)) return std::nullopt;
  if (text.peek() == '+') return std::nullopt;
  std::uint64_t letters = 0;
  for (bool line_begins = true; !line_begins || text.peek() != '+';) {
    const int each = text.next();
    line_begins = each == '\n';
    letters += is_base(each) ? 1 : 0;
    if ((!is_base(each) && !is_line_end(each)) || letters > longest_record) return std::nullopt;
  }
  if (!text.skip_line(longest_header)) return std::nullopt;
  for (std::uint64_t left = letters; left > 0;) {
    const int each = text.next();
    if (is_line_end(each)) continue;
    if (each < '!' || each > '~') return std::nullopt;
    --left;
  }
  if (letters > 0 && text.peek() >= 0 && !is_line_end(text.peek())) return std::nullopt;
  while (is_line_end(text.peek())) static_cast<void>(text.next());
  if (text.peek() >= 0 && text.peek() != '@') return std::nullopt;
  return letters;
}

std::uint64_t parsed_cut(const input_file& file, std::uint64_t offset) try {
  std::string text;
  for (std::size_t window = offset + (std::size_t{1} << 16);; window *= 2) {
    text.resize(window);
    text.resize(file.read_at(0, text));
    const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    record_parser parser(text_format::fastq, {.file = file.path()});
    const auto records = std::string_view(text).substr(mark);
    const std::uint64_t end = mark + parser.whole_records(records, offset - std::min(mark, offset));
    if (end >= offset) return end;
    if (text.size() < window || window > longest_record) return file.size();
  }
} catch (const error&) {
  return file.size();  // the previous range's reader reports it
}

}  // namespace

cut_place cut_fastq(const input_file& file, std::uint64_t offset, std::uint64_t parsed) {
  if (offset == 0 || offset >= file.size()) return {.offset = std::min(offset, file.size())};
  if (offset < parsed) return {.offset = parsed_cut(file, offset)};
  // Quality lines may resemble records, and a false record may end at a real one. But sequences
  // contain no headers, so parsing from a false record soon reaches real ones. Hence several
  // consecutive records are required, and a cut `doubt` bytes after the first.
  constexpr unsigned enough = 4;
  constexpr std::uint64_t doubt = 4096;
  byte_reader text(file);
  text.seek(offset - 1);
  while (text.skip_line(longest_record)) {
    const std::uint64_t line = text.position();
    std::optional<std::uint64_t> cut;
    for (unsigned records = 0; records < enough || !cut;) {
      const auto letters = strict_record(text);
      if (!letters || text.peek() < 0) break;
      records += *letters > 0 ? 1 : 0;
      if (!cut && text.position() >= line + doubt) cut = text.position();
      if (records >= enough && cut) return {.offset = *cut};
    }
    if (text.peek() < 0) break;
    text.seek(line);
  }
  return {.offset = file.size()};
}

cut_place cut_fasta(const input_file& file, std::uint64_t offset, unsigned k) {
  const std::uint64_t mark = size_of_mark(file);
  if (offset <= mark) return {};
  if (offset >= file.size()) return {.offset = file.size()};
  const auto is_header = [&](const line_begin& line) {
    return line.is_known && byte_at(file, line.offset == 0 ? mark : line.offset) == '>';
  };
  // Keep CR LF together.
  while (offset > 0 && byte_at(file, offset - 1) == '\r') --offset;
  auto line = line_before(file, offset);
  if (is_header(line)) return {.offset = line.offset};

  std::string letters;
  const std::size_t wanted = std::max(k - 1, 1U);
  auto end = offset;
  while (true) {
    std::string part(std::min<std::uint64_t>(wanted + 2, end - line.offset), '\0');
    part.resize(file.read_at(end - part.size(), part));
    if (part.ends_with('\n')) part.pop_back();
    if (part.ends_with('\r')) part.pop_back();
    const auto more = std::min(wanted - letters.size(), part.size());
    letters.insert(0, part.substr(part.size() - more));
    if (letters.size() == wanted || line.offset == 0) break;
    end = line.offset;
    line = line_before(file, end - 1);
    if (!is_header(line)) continue;
    if (letters.empty()) return {.offset = line.offset};
    break;
  }
  letters.erase(0, letters.size() - std::min<std::size_t>(letters.size(), k - 1));
  return {.offset = offset, .carry = letters, .begins = record_parser::start::sequence};
}

}  // namespace detail

chunk_source::chunk_source(const input& from, const piece& part, unsigned k, std::size_t size)
    : size_(size), k_(k), origin_{.file = from.path}, file_(part.file) {
  if (from.divisible) open_range(from, part);
  // Pipes may be written one after the other.
}

void chunk_source::open_range(const input& from, const piece& part) {
  input_file file(from.path);
  if (file.size() != from.bytes) {
    throw error("read_sequences",
                shown_name(from.path) + ": the file has " + std::to_string(file.size()) +
                    " bytes here, but had " + std::to_string(from.bytes) +
                    " when rank 0 checked it",
                "wait until it is written, and use a file that is the same on all nodes");
  }
  const auto head = head_of(file, 256);
  format_ = format_of(head, origin_);
  format_known_ = true;
  const auto cut = [&](std::uint64_t offset) {
    return format_ == text_format::fastq ? detail::cut_fastq(file, offset)
                                         : detail::cut_fasta(file, offset, k_);
  };
  auto begin = cut(part.begin);
  const auto end = cut(part.end).offset;
  carry_ = std::move(begin.carry);
  begins_ = begin.begins;
  line_begins_ = begins_ == record_parser::start::record || byte_at(file, begin.offset - 1) == '\n';
  origin_.offset = begin.offset;
  origin_.first_line = begin.offset == 0 ? 1 : 0;

  const auto range = std::make_shared<text_range>(std::move(file), begin.offset, end);
  read_ = [range](std::span<char> into) { return range->read(into); };
  input_position_ = [range] { return range->position(); };
}

void chunk_source::open_stream() {
  const auto stream = std::make_shared<text_stream>(input_file(origin_.file));
  read_ = [stream](std::span<char> into) { return stream->read(into); };
  input_position_ = [stream] { return stream->position(); };
  warning_ = [stream] { return stream->warning(); };
}

std::size_t chunk_source::fill(std::string& text, std::size_t have) {
  try {
    while (have < text.size()) {
      const auto got = read_(std::span(text).subspan(have));
      at_end_ = got == 0;
      if (at_end_) break;
      have += got;
      const auto read = std::string_view(text).substr(0, have);
      if (!begun_ && read.find('\0') != read.npos) static_cast<void>(format_of(read, origin_));
      refuse_zeros(read, have - got, origin_);
    }
  } catch (const damaged_gzip& damage) {
    fail_at(origin_, count_lines(std::string_view(text).substr(0, have)), damage.problem(),
            damage.advice());
  }
  return have;
}

std::size_t chunk_source::begin_file(std::string_view text) {
  begun_ = !text.empty();
  if (!format_known_) format_ = format_of(text, origin_);
  format_known_ = true;
  const auto ends_in_cr = [&] { return text.find('\r') < text.size() - 1; };
  if (origin_.offset == 0 && text.find('\n') == std::string_view::npos && ends_in_cr()) {
    fail_at(origin_, 0, "lines end in CR alone, as on early Macintoshes",
            "convert the file: tr '\\r' '\\n' < FILE");
  }
  const bool is_marked = origin_.offset == 0 && text.starts_with(byte_order_mark);
  return is_marked ? byte_order_mark.size() : 0;
}

std::size_t chunk_source::begin_text(chunk& out, std::size_t have) {
  if (!begun_) {
    const std::size_t mark = begin_file(std::string_view(out.text).substr(0, have));
    out.text.erase(0, mark);
    have -= mark;
  }
  if (format_ != text_format::fasta || !line_begins_ || have <= carry_.size()) return have;
  const auto text = std::string_view(out.text).substr(0, have);
  const auto line = text.substr(carry_.size());
  if (line.starts_with('>')) begins_ = record_parser::start::record;
  // The parser would append this line to the carried letters.
  if (line.starts_with('@') && begins_ == record_parser::start::sequence) {
    fail_mixed(origin_, 0, line);
  }
  if (begins_ == record_parser::start::record && !carry_.empty()) {
    out.text.erase(0, carry_.size());
    have -= carry_.size();
    carry_.clear();
  }
  return have;
}

chunk_source::part_of_text chunk_source::whole_records(std::string_view whole) const {
  if (format_ == text_format::fastq) {
    record_parser parser(format_, origin_);
    const auto bytes = parser.whole_records(whole, whole.size());
    return {bytes, parser.lines()};
  }
  while (whole.ends_with('\r')) whole.remove_suffix(1);
  const auto line = last_line(whole.substr(0, whole.find_last_not_of("\r\n") + 1));
  const bool continued = line == 0 && begins_ == record_parser::start::sequence;
  if (line < whole.size() && whole[line] == '>' && !continued) whole = whole.substr(0, line);
  return {whole.size(), origin_.first_line > 0 ? count_lines(whole) : 0};
}

void chunk_source::cut_off(chunk& out, std::size_t have, const part_of_text& whole) {
  rest_.assign(out.text, whole.bytes, have - whole.bytes);
  out.text.resize(whole.bytes);
  out.origin = {.file = file_,
                .format = format_,
                .begins = begins_,
                .carried = carry_.size(),
                .first_line = origin_.first_line,
                .offset = origin_.offset,
                .input_bytes = input_position_() - reported_};
  reported_ += out.origin.input_bytes;

  origin_.offset += whole.bytes - carry_.size();
  if (origin_.first_line > 0) origin_.first_line += whole.lines;
  if (format_ == text_format::fasta) {
    carry_ = last_letters(out.text, begins_, k_);
    line_begins_ = out.text.ends_with('\n');
    begins_ = record_parser::start::sequence;
  }
}

void chunk_source::fail_too_long() const {
  const bool is_fastq = format_ == text_format::fastq;
  fail_at(origin_, 0,
          fmt::format("a {} has more than {} MiB", is_fastq ? "FASTQ record" : "header line",
                      (is_fastq ? longest_record : longest_header) >> 20),
          is_fastq ? "check for a missing line with +; use FASTA for sequences of this length"
                   : "check that it is a text file, and write a line >name before each sequence");
}

bool chunk_source::next(chunk& out) {
  if (at_end_) return false;
  if (!read_) open_stream();
  std::size_t have = carry_.size() + rest_.size();
  out.text.replace(0, std::min(have, out.text.size()), carry_ + rest_);
  part_of_text whole;
  for (auto room = std::max(size_, 2 * have); !at_end_ && whole.bytes <= carry_.size(); room *= 2) {
    if (have > (format_ == text_format::fastq ? longest_record : longest_header)) fail_too_long();
    out.text.resize(room);
    have = begin_text(out, fill(out.text, have));
    whole = at_end_ ? part_of_text{have, 0} : whole_records({out.text.data(), have});
  }
  if (whole.bytes <= carry_.size()) return false;
  cut_off(out, have, whole);
  return true;
}

}  // namespace acre::genome
