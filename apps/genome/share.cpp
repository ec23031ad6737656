#include <apps/genome/share.hpp>

#include <acre/base/error.hpp>

#include <apps/genome/inflate.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <sys/stat.h>

namespace acre::genome {
namespace {

/// Newlines in a text: 64 narrow counters side by side, which the compiler keeps in vectors,
/// emptied before they overflow.
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

/// Where the line begins that `text` ends in.
std::size_t last_line(std::string_view text) {
  const auto* const newline = static_cast<const char*>(::memrchr(text.data(), '\n', text.size()));
  return newline == nullptr ? 0 : static_cast<std::size_t>(newline - text.data()) + 1;
}

/// The last k - 1 letters of the sequence that a FASTA text ends in.
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

/// The first bytes of a file.
std::string head_of(const input_file& file, std::size_t bytes) {
  std::string head(bytes, '\0');
  head.resize(file.read_at(0, head));
  return head;
}

/// A file that must be read from its begin: a gzip file, or a pipe with or without gzip.
class text_stream {
 public:
  explicit text_stream(input_file file) : file_(std::move(file)) {
    // The first two bytes tell; a pipe gives them only once.
    head_.resize(2);
    head_.resize(file_.read(head_));
    if (looks_like_gzip(head_)) {
      inflater_.emplace([this](std::span<char> into) { return read_raw(into); });
    }
  }

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

/// A range of bytes of a plain file.
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

/// The offset of the first byte of the line that the byte before `offset` or its end lies in.
std::uint64_t line_before(const input_file& file, std::uint64_t offset) {
  std::array<char, 1 << 16> block;
  while (offset > 0) {
    const auto bytes = std::min<std::uint64_t>(offset, block.size());
    const auto got = file.read_at(offset - bytes, std::span(block).first(bytes));
    const auto begin = last_line({block.data(), got});
    if (begin > 0) return offset - bytes + begin;
    offset -= bytes;
  }
  return 0;
}

char byte_at(const input_file& file, std::uint64_t offset) {
  char byte = 0;
  static_cast<void>(file.read_at(offset, std::span(&byte, 1)));
  return byte;
}

}  // namespace

input inspect(const std::string& path) {
  // To open a pipe and close it again would end the program that writes to it.
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return {.path = path};
  const input_file file(path);
  input found{.path = path, .bytes = file.size()};
  if (!file.is_regular()) return found;
  const auto head = head_of(file, 256);
  found.divisible = !looks_like_gzip(head);
  if (found.divisible) static_cast<void>(format_of(head, {.file = path}));
  return found;
}

std::vector<piece> share_of(std::span<const input> inputs, std::uint32_t rank,
                            std::uint32_t ranks) {
  std::vector<piece> pieces;

  // Divisible files, end to end; this rank's range of them.
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

  // Indivisible files, whole.
  std::vector<std::uint32_t> streams;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].divisible) streams.push_back(i);
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
  return pieces;
}

namespace detail {

cut_place cut_fastq(const input_file& file, std::uint64_t offset) {
  if (offset == 0 || offset >= file.size()) return {.offset = std::min(offset, file.size())};
  // A record begins at a line that starts with @, two lines above one that starts with +. A
  // line of quality may start with @ too, but two lines below it stand bases: never a +.
  std::string text;
  for (std::size_t window = std::size_t{1} << 16;; window *= 4) {
    text.resize(window);
    text.resize(file.read_at(offset - 1, text));
    // Line beginnings: this, the next, the one after.
    std::array<std::size_t, 3> lines{};
    const auto next_line = [&](std::size_t from) {
      const auto newline = from == std::string::npos ? from : text.find('\n', from);
      return newline == std::string::npos || newline + 1 == text.size() ? std::string::npos
                                                                        : newline + 1;
    };
    for (lines[0] = next_line(0); lines[0] != std::string::npos; lines[0] = lines[1]) {
      lines[1] = next_line(lines[0]);
      lines[2] = next_line(lines[1]);
      if (lines[2] == std::string::npos) break;
      if (text[lines[0]] == '@' && text[lines[2]] == '+') return {.offset = offset - 1 + lines[0]};
    }
    if (text.size() < window) return {.offset = file.size()};
  }
}

cut_place cut_fasta(const input_file& file, std::uint64_t offset, unsigned k) {
  if (offset == 0 || offset >= file.size()) return {.offset = std::min(offset, file.size())};
  // Not between a carriage return and its newline.
  while (offset > 0 && byte_at(file, offset - 1) == '\r') --offset;
  auto line = line_before(file, offset);
  if (byte_at(file, line) == '>') return {.offset = line};

  std::string letters;
  const std::size_t wanted = std::max(k - 1, 1U);
  auto end = offset;
  while (true) {
    // Two more than needed: the line's own end may be among them.
    std::string part(std::min<std::uint64_t>(wanted + 2, end - line), '\0');
    part.resize(file.read_at(end - part.size(), part));
    if (part.ends_with('\n')) part.pop_back();
    if (part.ends_with('\r')) part.pop_back();
    const auto more = std::min(wanted - letters.size(), part.size());
    letters.insert(0, part.substr(part.size() - more));
    if (letters.size() == wanted || line == 0) break;
    end = line;
    line = line_before(file, end - 1);
    if (byte_at(file, line) != '>') continue;
    if (letters.empty()) return {.offset = line};
    break;
  }
  letters.erase(0, letters.size() - std::min<std::size_t>(letters.size(), k - 1));
  return {.offset = offset, .carry = letters, .begins = record_parser::start::sequence};
}

}  // namespace detail

chunk_source::chunk_source(const input& from, const piece& part, unsigned k, std::size_t size)
    : size_(size), k_(k), origin_{.file = from.path}, file_(part.file) {
  if (from.divisible) {
    open_range(from, part);
  } else {
    open_stream();
  }
}

void chunk_source::open_range(const input& from, const piece& part) {
  input_file file(from.path);
  format_ = format_of(head_of(file, 256), origin_);
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
}

/// Reads until `text` is full, or the file is at its end; returns how much of it is text.
std::size_t chunk_source::fill(std::string& text, std::size_t have) {
  try {
    while (have < text.size()) {
      const auto got = read_(std::span(text).subspan(have));
      at_end_ = got == 0;
      if (at_end_) break;
      have += got;
    }
  } catch (const damaged_gzip& damage) {
    fail_at(origin_, count_lines(std::string_view(text).substr(0, have)), damage.problem(),
            damage.advice());
  }
  return have;
}

/// Finds out what the text is, now that its first bytes are there.
void chunk_source::begin_text(chunk& out, std::size_t have) {
  const auto text = std::string_view(out.text).substr(0, have);
  if (!format_known_) format_ = format_of(text, origin_);
  format_known_ = true;
  if (line_begins_ && have > carry_.size() && text[carry_.size()] == '>' &&
      format_ == text_format::fasta) {
    begins_ = record_parser::start::record;
  }
}

/// How much of a text, of which there is more to come, can be parsed without the rest.
chunk_source::part_of_text chunk_source::whole_records(std::string_view whole) const {
  if (format_ == text_format::fastq) {
    const auto lines = count_lines(whole);
    if (lines < 4) return {};
    for (auto extra = lines % 4 + 1; extra > 0; --extra) whole = whole.substr(0, whole.rfind('\n'));
    return {whole.size() + 1, lines - lines % 4};
  }
  while (whole.ends_with('\r')) whole.remove_suffix(1);
  // Not behind a header that no letter follows.
  const auto line = last_line(whole.substr(0, whole.find_last_not_of("\r\n") + 1));
  const bool continued = line == 0 && begins_ == record_parser::start::sequence;
  if (line < whole.size() && whole[line] == '>' && !continued) whole = whole.substr(0, line);
  return {whole.size(), origin_.first_line > 0 ? count_lines(whole) : 0};
}

/// Ends the chunk after its part, and keeps what the next one begins with.
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

bool chunk_source::next(chunk& out) {
  if (at_end_) return false;
  std::size_t have = carry_.size() + rest_.size();
  out.text.replace(0, std::min(have, out.text.size()), carry_ + rest_);
  part_of_text whole;
  for (auto room = std::max(size_, 2 * have); !at_end_ && whole.bytes <= carry_.size(); room *= 2) {
    out.text.resize(room);
    have = fill(out.text, have);
    begin_text(out, have);
    if (begins_ == record_parser::start::record && !carry_.empty()) {
      out.text.erase(0, carry_.size());
      have -= carry_.size();
      carry_.clear();
    }
    // The last chunk is whatever is left, and nobody asks for the lines in it.
    whole = at_end_ ? part_of_text{have, 0} : whole_records({out.text.data(), have});
  }
  if (whole.bytes <= carry_.size()) return false;
  cut_off(out, have, whole);
  return true;
}

}  // namespace acre::genome
