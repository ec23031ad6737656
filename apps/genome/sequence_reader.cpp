#include <apps/genome/sequence_reader.hpp>

#include <acre/base/error.hpp>

#include <apps/genome/input_file.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace acre::genome {
namespace {

constexpr std::string_view call = "read_sequences";

/// The first letters of a line, fit for a message.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 24;
  std::string shown = "\"";
  for (const char letter : text.substr(0, longest)) {
    const bool printable = letter >= ' ' && letter <= '~';
    shown += printable ? letter : '.';
  }
  return shown + (text.size() > longest ? "…\"" : "\"");
}

/// Line `lines` after the origin. Where the origin's own line is unknown, the file is read
/// again from its begin: an error is allowed to take a while.
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
    known_format{"PK\3\4", "this is a zip archive: unpack it with unzip"},
    known_format{"\x1f\x8b", "this is gzip within gzip: unpack it once with gzip -d"},
};

}  // namespace

void fail_at(const text_origin& origin, std::uint64_t lines, std::string_view what,
             std::string_view advice) {
  const std::string file = origin.file.empty() ? "the text" : origin.file;
  throw error(call,
              file + ":" + std::to_string(line_number(origin, lines)) + ": " + std::string(what),
              advice);
}

text_format format_of(std::string_view begin, const text_origin& origin) {
  if (begin.empty()) {
    throw error(call, origin.file + ": the file is empty", "leave it out, or make it again");
  }
  std::string_view advice = "give FASTA or FASTQ files, plain or gzip";
  bool known_as_other = false;
  for (const auto& format : known_formats) {
    if (!begin.starts_with(format.begin)) continue;
    advice = format.advice;
    known_as_other = true;
  }
  if (!known_as_other && begin.front() == '>') return text_format::fasta;
  if (!known_as_other && begin.front() == '@') return text_format::fastq;
  const auto line = begin.substr(0, begin.find_first_of("\r\n"));
  fail_at(origin, 0,
          "this is neither FASTA nor FASTQ: it starts with " + quoted(line) +
              (known_as_other ? "" : ", not with > or @"),
          advice);
}

void record_parser::check_fastq(std::string_view name, std::string_view sequence,
                                std::string_view plus, std::string_view quality) const {
  if (!name.starts_with('@')) {
    fail_at(origin_, lines_, "a FASTQ record starts with " + quoted(name) + ", not with @",
            "each record has four lines: @name, sequence, +, quality; is one missing before?");
  }
  if (!plus.starts_with('+')) {
    fail_at(origin_, lines_ + 2,
            "a record without quality: its third line starts with " + quoted(plus) + ", not with +",
            "each record has four lines: @name, sequence, +, quality; sequences over several "
            "lines are not read");
  }
  if (sequence.size() != quality.size()) {
    fail_at(origin_, lines_ + 3,
            "the quality has " + std::to_string(quality.size()) + " letters, the sequence " +
                std::to_string(sequence.size()),
            "each letter of the sequence needs one of quality; was the file cut or edited?");
  }
}

void record_parser::fail_unfinished(std::string_view rest) const {
  std::array<std::string_view, 4> lines{};
  std::size_t number = 0;
  while (!rest.empty() && number < lines.size()) {
    const auto end = rest.find('\n');
    lines[number++] = rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  if (!lines[0].starts_with('@')) check_fastq(lines[0], {}, {}, {});
  if (number > 2 && !lines[2].starts_with('+')) check_fastq(lines[0], {}, lines[2], {});
  fail_at(origin_, lines_ + number - 1,
          std::string(number == 1 ? "a record without sequence and quality"
                                  : "a record without quality") +
              ": the file ends after line " + std::to_string(number) + " of its four",
          "was the file cut? Copy or download it again");
}

void record_parser::fail_headless(std::string_view rest) const {
  fail_at(origin_, lines_,
          "a FASTA file starts with " + quoted(rest.substr(0, rest.find_first_of("\r\n"))) +
              ", not with >",
          "each record starts with a line >name");
}

}  // namespace acre::genome
