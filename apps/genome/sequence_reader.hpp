// SPDX-License-Identifier: BSD-3-Clause
// Push parser for FASTA and FASTQ text in blocks of any size. Only multi-line and incomplete
// records are copied. FASTQ sequence and quality may be wrapped, so lengths determine the end.
// Blank lines between records are skipped; lines end in LF or CR LF.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace acre::genome {

/// A read or contig; views are valid during the callback.
struct record {
  std::string_view sequence;
  std::string_view quality;
  bool continues = false;
};

enum class text_format : std::uint8_t { fasta, fastq };

/// Maximum FASTA header; limits the search back from a cut.
inline constexpr std::size_t longest_header = std::size_t{16} << 20;
inline constexpr std::size_t longest_record = std::size_t{1} << 30;

struct text_origin {
  std::string file;
  /// First line number; 0: computed on demand.
  std::uint64_t first_line = 1;
  std::uint64_t offset = 0;
};

[[nodiscard]] std::string shown_name(const std::string& path);

/// Detects the format by the first letter after a byte-order mark and blank lines; blank text is
/// FASTA.
/// @throws acre::error if neither
[[nodiscard]] text_format format_of(std::string_view begin, const text_origin& origin);

/// Throws "FILE:LINE: what".
/// @param lines  lines since the origin
[[noreturn]] void fail_at(const text_origin& origin, std::uint64_t lines, std::string_view what,
                          std::string_view advice);

[[noreturn]] void fail_mixed(const text_origin& origin, std::uint64_t lines, std::string_view line);

inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class record_parser {
 public:
  enum class start : std::uint8_t {
    record,
    sequence,
  };

  static bool is_blank(std::string_view text) noexcept {
    return text.find_first_not_of("\r\n") == std::string_view::npos;
  }

  explicit record_parser(text_format format, text_origin origin = {}, start at = start::record)
      : format_(format),
        origin_(std::move(origin)),
        where_(at == start::sequence ? place::sequence : place::between),
        continues_(at == start::sequence),
        line_begins_(at == start::record) {}

  /// Calls `take(const record&)` for each record completed by this block.
  /// @throws acre::error with file and line for invalid text
  template <typename Function>
  void feed(std::string_view block, Function&& take) {
    if (format_ == text_format::fastq) {
      feed_fastq(block, take);
    } else {
      feed_fasta(block, take);
    }
  }

  /// End of the last complete FASTQ record that begins before `until`.
  /// @throws acre::error with file and line for an invalid record
  [[nodiscard]] std::size_t whole_records(std::string_view text, std::size_t until) {
    const auto skip = [](const record&) {};
    const char* const begin = text.data();
    return static_cast<std::size_t>(
        take_fastq(begin, begin + std::min(until, text.size()), begin + text.size(), skip) - begin);
  }
  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

  template <typename Function>
  void finish(Function&& take) {
    if (format_ == text_format::fastq) {
      finish_fastq(take);
    } else {
      finish_fasta(take);
    }
  }

 private:
  enum class place : std::uint8_t { between, header, sequence };

  static const char* find_line_end(const char* from, const char* end) noexcept {
    return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
  }
  static std::string_view line(const char* from, const char* line_end) noexcept {
    if (line_end != from && line_end[-1] == '\r') --line_end;
    return {from, static_cast<std::size_t>(line_end - from)};
  }

  template <typename Function>
  const char* take_fastq(const char* from, const char* until, const char* end, Function& take);
  template <typename Function>
  void feed_fastq(std::string_view block, Function& take);
  template <typename Function>
  void finish_fastq(Function& take);
  template <typename Function>
  void feed_fasta(std::string_view block, Function& take);
  template <typename Function>
  void finish_fasta(Function& take);
  template <typename Function>
  void end_sequence(Function& take);

  struct wrapped_lines {
    std::uint64_t first_quality_line = 0;
    std::size_t first_quality_letters = 0;
    std::uint64_t sequence_lines = 0;
    std::uint64_t last_line = 0;
    bool has_plus = false;
  };
  const char* take_wrapped(const char* from, const char* end, record& taken);
  const char* join_lines(const char* from, const char* end, wrapped_lines& found);
  [[noreturn]] void fail_quality(const wrapped_lines& of) const;
  [[noreturn]] void fail_unfinished(std::string_view rest);
  [[noreturn]] void fail_headless(std::string_view rest) const;
  [[noreturn]] void fail_long_header() const;

  text_format format_;
  text_origin origin_;
  std::uint64_t lines_ = 0;

  std::string pending_;  // incomplete FASTQ record
  std::string wrapped_sequence_;
  std::string wrapped_quality_;

  place where_;
  bool continues_;
  bool line_begins_;
  std::string_view current_line_;
  std::string joined_;
};

template <typename Function>
const char* record_parser::take_fastq(const char* from, const char* until, const char* end,
                                      Function& take) {
  while (from < until) {
    if (*from == '\n' || *from == '\r' || *from == ' ' || *from == '\t') [[unlikely]] {
      lines_ += *from == '\n' ? 1 : 0;
      ++from;
      continue;
    }
    const char* const name_end = find_line_end(from, end);
    if (name_end == nullptr) return from;
    const char* const sequence_end = find_line_end(name_end + 1, end);
    if (sequence_end == nullptr) return from;
    const char* const plus_end = find_line_end(sequence_end + 1, end);
    if (plus_end == nullptr) return from;
    // A one-line quality is as long as its sequence, so its end is known.
    const char* const quality_end = plus_end + (sequence_end - name_end);
    if (*from == '@' && name_end[1] != '+' && name_end[1] != '@' && sequence_end[1] == '+' &&
        quality_end < end && *quality_end == '\n') [[likely]] {
      const auto sequence = line(name_end + 1, sequence_end);
      const auto quality = line(plus_end + 1, quality_end);
      if (sequence.size() == quality.size() &&
          std::memchr(quality.data(), '\n', quality.size()) == nullptr) [[likely]] {
        take(record{.sequence = sequence, .quality = quality});
        lines_ += 4;
        from = quality_end + 1;
        continue;
      }
    }
    record wrapped;
    const char* const wrapped_end = take_wrapped(from, end, wrapped);
    if (wrapped_end == from) return from;
    take(wrapped);
    from = wrapped_end;
  }
  return from;
}

template <typename Function>
void record_parser::feed_fastq(std::string_view block, Function& take) {
  if (!pending_.empty()) {
    pending_.append(block);
    const char* const begin = pending_.data();
    const char* const rest =
        take_fastq(begin, begin + pending_.size(), begin + pending_.size(), take);
    pending_.erase(0, static_cast<std::size_t>(rest - begin));
    return;
  }
  const char* const end = block.data() + block.size();
  pending_.append(take_fastq(block.data(), end, end, take), end);
}

template <typename Function>
void record_parser::finish_fastq(Function& take) {
  if (!is_blank(pending_)) {
    if (pending_.back() != '\n') pending_ += '\n';
    const char* const end = pending_.data() + pending_.size();
    const char* const rest = take_fastq(pending_.data(), end, end, take);
    const std::string_view left(rest, static_cast<std::size_t>(end - rest));
    if (!is_blank(left)) fail_unfinished(left);
  }
  pending_.clear();
}

template <typename Function>
void record_parser::end_sequence(Function& take) {
  std::string_view sequence = joined_.empty() ? current_line_ : std::string_view(joined_);
  if (sequence.ends_with('\r')) sequence.remove_suffix(1);
  if (where_ == place::sequence && !sequence.empty()) {
    take(record{.sequence = sequence, .quality = {}, .continues = continues_});
  }
  continues_ = false;
  current_line_ = {};
  joined_.clear();
}

template <typename Function>
void record_parser::feed_fasta(std::string_view block, Function& take) {
  const char* from = block.data();
  const char* const end = from + block.size();
  while (from != end) {
    const std::string_view rest(from, static_cast<std::size_t>(end - from));
    if (line_begins_ && *from == '>') {
      end_sequence(take);
      where_ = place::header;
    } else if (where_ == place::between) {
      if (*from != '\n' && *from != '\r') fail_headless(rest);
    } else if (line_begins_ && *from == '@') {
      fail_mixed(origin_, lines_, rest);
    }
    const char* const found = find_line_end(from, end);
    const char* const line_end = found == nullptr ? end : found;
    if (where_ == place::header && line_end - from > std::ptrdiff_t{longest_header}) {
      fail_long_header();
    }
    if (where_ == place::sequence) {
      const std::string_view part(from, static_cast<std::size_t>(line_end - from));
      if (joined_.empty() && current_line_.empty()) {
        current_line_ = part;
      } else {
        if (joined_.empty()) joined_ = std::exchange(current_line_, {});
        joined_ += part;
      }
    }
    line_begins_ = found != nullptr;
    if (found == nullptr) break;
    ++lines_;
    from = line_end + 1;
    if (where_ == place::header) {
      where_ = place::sequence;
    } else if (joined_.ends_with('\r')) {
      joined_.pop_back();
    } else if (current_line_.ends_with('\r')) {
      current_line_.remove_suffix(1);
    }
  }
  // The block becomes invalid: copy the rest.
  if (!current_line_.empty()) joined_ = std::exchange(current_line_, {});
}

template <typename Function>
void record_parser::finish_fasta(Function& take) {
  end_sequence(take);
  where_ = place::between;
  line_begins_ = true;
}

}  // namespace acre::genome
