// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/sequence_reader.hpp>

#include <acre/base/error.hpp>

#include <apps/genome/input_file.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace acre::genome {
namespace {

constexpr std::string_view call = "read_sequences";

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 24;
  std::string shown = "\"";
  for (const char letter : text.substr(0, longest)) {
    const bool printable = letter >= ' ' && letter <= '~';
    shown += printable ? letter : '.';
  }
  return shown + (text.size() > longest ? "…\"" : "\"");
}

/// Rereads the file if the origin's line is unknown.
std::uint64_t line_number(const text_origin& origin, std::uint64_t lines) {
  if (origin.first_line > 0) return origin.first_line + lines;
  input_file file(origin.file);
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t line = 1;
  for (std::uint64_t left = origin.offset; left > 0;) {
    const auto got = file.read(std::span(block).first(std::min<std::uint64_t>(left, block.size())));
    if (got == 0) break;
    line += static_cast<std::uint64_t>(
        std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
    left -= got;
  }
  return line + lines;
}

struct known_format {
  std::string_view begin;
  std::string_view advice;
};

constexpr std::array known_formats{
    known_format{"@HD\t", "this is SAM: convert it with samtools fastq"},
    known_format{"@SQ\t", "this is SAM: convert it with samtools fastq"},
    known_format{"BAM\1", "this is BAM: convert it with samtools fastq"},
    known_format{"CRAM", "this is CRAM: convert it with samtools fastq"},
    known_format{"BZh", "this is bzip2: unpack it with bzip2 -d"},
    known_format{"\xfd"
                 "7zXZ",
                 "this is xz: unpack it with xz -d"},
    known_format{"\x28\xb5\x2f\xfd", "this is Zstandard: unpack it with zstd -d"},
    known_format{"\x04\x22\x4d\x18", "this is LZ4: unpack it with lz4 -d"},
    known_format{"NCBI.sra", "this is SRA: convert it with fasterq-dump"},
    known_format{"PK\3\4", "this is a zip archive: unpack it with unzip"},
    known_format{"\x1f\x8b", "this is gzip within gzip: unpack it once with gzip -d"},
    known_format{"\x1f\x9d", "this is compress (.Z): unpack it with gzip -d"},
    known_format{"\xff\xfe", "this is UTF-16: convert it with iconv -f UTF-16 -t ASCII"},
    known_format{"\xfe\xff", "this is UTF-16: convert it with iconv -f UTF-16 -t ASCII"},
};

}  // namespace

std::string shown_name(const std::string& path) {
  if (path.empty()) return "the text";
  return path == "-" ? "standard input" : path;
}

void fail_at(const text_origin& origin, std::uint64_t lines, std::string_view what,
             std::string_view advice) {
  throw error(call,
              shown_name(origin.file) + ":" + std::to_string(line_number(origin, lines)) + ": " +
                  std::string(what),
              advice);
}

text_format format_of(std::string_view begin, const text_origin& origin) {
  if (begin.starts_with(byte_order_mark)) begin.remove_prefix(byte_order_mark.size());
  std::string_view advice = "use FASTA or FASTQ files, plain or gzip";
  bool known_as_other = false;
  for (const auto& format : known_formats) {
    if (!begin.starts_with(format.begin)) continue;
    advice = format.advice;
    known_as_other = true;
  }
  const auto first = std::min(begin.find_first_not_of("\r\n"), begin.size());
  const auto blank_lines =
      static_cast<std::uint64_t>(std::ranges::count(begin.substr(0, first), '\n'));
  begin.remove_prefix(first);
  if (begin.empty()) return text_format::fasta;
  if (!known_as_other && begin.front() == '>') return text_format::fasta;
  if (!known_as_other && begin.front() == '@') return text_format::fastq;
  const auto line = begin.substr(0, begin.find_first_of("\r\n"));
  fail_at(origin, blank_lines,
          "this is neither FASTA nor FASTQ: it starts with " + quoted(line) +
              (known_as_other ? "" : ", not with > or @"),
          advice);
}

const char* record_parser::join_lines(const char* from, const char* end, wrapped_lines& found) {
  wrapped_sequence_.clear();
  wrapped_quality_.clear();
  found = {.last_line = lines_};
  std::string_view text;
  const auto next = [&] {
    const char* const line_end = from == end ? nullptr : find_line_end(from, end);
    if (line_end == nullptr) return false;
    text = line(from, line_end);
    from = line_end + 1;
    ++found.last_line;
    return true;
  };
  if (!next()) return nullptr;
  if (!text.starts_with('@')) {
    fail_at(origin_, found.last_line - 1,
            "a FASTQ record starts with " + quoted(text) + ", not with @",
            "write each record as a line @name, its sequence, a line with +, and its quality; "
            "check for "
            "a missing line before this one");
  }
  while (next() && !text.starts_with('+')) {
    if (text.starts_with('@') || text.starts_with('>')) {
      fail_at(origin_, found.last_line - 1,
              "a record without quality: the next one starts here, with " + quoted(text) +
                  ", before a line with +",
              "write each record as a line @name, its sequence, a line with +, and its quality");
    }
    wrapped_sequence_ += text;
    ++found.sequence_lines;
  }
  if (!text.starts_with('+')) return nullptr;
  found.has_plus = true;
  while (wrapped_quality_.size() < wrapped_sequence_.size()) {
    if (!next()) return nullptr;
    if (found.first_quality_line == 0) {
      found.first_quality_line = found.last_line;
      found.first_quality_letters = text.size();
    }
    wrapped_quality_ += text;
  }
  return from;
}

const char* record_parser::take_wrapped(const char* from, const char* end, record& taken) {
  wrapped_lines found;
  const char* const record_end = join_lines(from, end, found);
  if (record_end == nullptr) return from;
  if (wrapped_quality_.size() != wrapped_sequence_.size()) fail_quality(found);
  taken = {.sequence = wrapped_sequence_, .quality = wrapped_quality_};
  lines_ = found.last_line;
  return record_end;
}

/// For one-line sequences, blames the first quality line, not the next record.
void record_parser::fail_quality(const wrapped_lines& of) const {
  const bool is_one_line = of.sequence_lines == 1 && of.first_quality_line != 0;
  const std::uint64_t line = is_one_line ? of.first_quality_line : of.last_line;
  const std::size_t letters = is_one_line ? of.first_quality_letters : wrapped_quality_.size();
  fail_at(
      origin_, line - 1,
      "the quality has " + std::to_string(letters) + " letters, the sequence " +
          std::to_string(wrapped_sequence_.size()),
      "write one letter of quality for each of the sequence, and check that the file is complete");
}

void record_parser::fail_unfinished(std::string_view rest) {
  wrapped_lines found;
  static_cast<void>(join_lines(rest.data(), rest.data() + rest.size(), found));
  if (found.has_plus && found.first_quality_line != 0) fail_quality(found);
  const char* const what = found.has_plus ? "a record without quality: the file ends after its +"
                           : found.sequence_lines > 0
                               ? "a record without quality: the file ends after its sequence"
                               : "a record without sequence and quality: the file ends here";
  fail_at(origin_, found.last_line - 1, what,
          "the file may be truncated: copy or download it again");
}

void record_parser::fail_headless(std::string_view rest) const {
  fail_at(origin_, lines_,
          "a FASTA file starts with " + quoted(rest.substr(0, rest.find_first_of("\r\n"))) +
              ", not with >",
          "begin each record with a line >name");
}

void fail_mixed(const text_origin& origin, std::uint64_t lines, std::string_view line) {
  fail_at(
      origin, lines,
      "a FASTQ record, " + quoted(line.substr(0, line.find_first_of("\r\n"))) + ", in a FASTA file",
      "use separate files for FASTA and FASTQ");
}

void record_parser::fail_long_header() const {
  fail_at(origin_, lines_,
          "a header line has more than " + std::to_string(longest_header >> 20) + " MiB",
          "check that it is a text file, and write a line >name before each sequence");
}

}  // namespace acre::genome
