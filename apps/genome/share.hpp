// SPDX-License-Identifier: BSD-3-Clause
// Partitioning of input files among ranks.
//
// Plain files are concatenated and split equally. A gzip file is read by one rank; pipes and
// process-specific names (`-`, /dev/stdin, /dev/fd/3) by rank 0. A chunk_source yields chunks of
// whole FASTQ records, or parts of FASTA sequences.
//
// FASTQ is cut between records. FASTA sequences are cut anywhere; the next chunk repeats the k - 1
// letters before it. Thus each k-mer belongs to the chunk of its last letter, each record to that
// of its first.
#pragma once

#include <apps/genome/input_file.hpp>
#include <apps/genome/sequence_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::genome {

struct input {
  std::string path;
  std::uint64_t bytes = 0;
  bool divisible = false;
  /// Only rank 0 may open it: pipe or process-specific name.
  bool of_first_rank = false;
  bool consumed = false;
  bool empty = false;
  file_identity identity{};

  friend auto acre_fields(input& of) {
    return std::tie(of.path, of.bytes, of.divisible, of.of_first_rank, of.consumed, of.empty,
                    of.identity);
  }
};

/// Inspects a file; pipes stay unopened.
/// @param path  `-` is standard input
/// @throws acre::error if unreadable, or plain but neither FASTA nor FASTQ
[[nodiscard]] input inspect(const std::string& path);

/// Part of one file; indivisible files are one piece. Readers adjust both ends to cuts.
struct piece {
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const piece&, const piece&) = default;
};

/// Pieces of `rank`; together they cover the input. Indivisible files go, largest first, to the
/// least loaded of widely spaced readers (different nodes). Rank 0 reads its exclusive files last.
[[nodiscard]] std::vector<piece> share_of(std::span<const input> inputs, std::uint32_t rank,
                                          std::uint32_t ranks);

struct chunk_origin {
  std::uint32_t file = 0;
  text_format format = text_format::fasta;
  record_parser::start begins = record_parser::start::record;
  std::uint64_t carried = 0;     ///< letters repeated from the previous text
  std::uint64_t first_line = 1;  ///< 0: unknown
  std::uint64_t offset = 0;
  std::uint64_t input_bytes = 0;  ///< compressed bytes read
};

struct chunk {
  std::string text;
  chunk_origin origin;
};

class chunk_source {
 public:
  static constexpr std::size_t default_size = std::size_t{1} << 20;

  /// @param size  approximate; larger records enlarge it
  /// @throws acre::error if the file is unreadable or has changed
  chunk_source(const input& from, const piece& part, unsigned k, std::size_t size = default_size);

  /// Next chunk; false at the end. Reuses the argument's memory.
  /// @throws acre::error (with file and line) for damaged or invalid text
  [[nodiscard]] bool next(chunk& out);

  [[nodiscard]] bool was_empty() const noexcept { return at_end_ && !begun_; }
  /// At the end: a warning, or empty.
  [[nodiscard]] std::string warning() const { return warning_ ? warning_() : std::string(); }

 private:
  using text_reader = std::function<std::size_t(std::span<char>)>;
  struct part_of_text {
    std::size_t bytes = 0;
    std::uint64_t lines = 0;
  };

  void open_range(const input& from, const piece& part);
  void open_stream();
  std::size_t fill(std::string& text, std::size_t have);
  std::size_t begin_text(chunk& out, std::size_t have);
  std::size_t begin_file(std::string_view text);
  [[noreturn]] void fail_too_long() const;
  [[nodiscard]] part_of_text whole_records(std::string_view whole) const;
  void cut_off(chunk& out, std::size_t have, const part_of_text& whole);

  text_reader read_;
  std::function<std::string()> warning_;
  std::function<std::uint64_t()> input_position_;
  std::uint64_t reported_ = 0;
  std::size_t size_;
  unsigned k_;

  text_origin origin_;
  std::uint32_t file_;
  text_format format_ = text_format::fasta;
  bool format_known_ = false;
  std::string carry_;
  std::string rest_;
  record_parser::start begins_ = record_parser::start::record;
  bool line_begins_ = true;
  bool at_end_ = false;
  bool begun_ = false;
};

/// @param from  a chunk, or another type with text and origin
/// @throws acre::error with file and line for invalid records
template <typename Chunk, typename Function>
void for_each_record(const Chunk& from, const std::string& path, Function&& take) {
  const chunk_origin& origin = from.origin;
  record_parser parser(origin.format,
                       {.file = path, .first_line = origin.first_line, .offset = origin.offset},
                       origin.begins);
  parser.feed(from.text, take);
  parser.finish(take);
}

namespace detail {

struct cut_place {
  std::uint64_t offset = 0;
  std::string carry{};
  record_parser::start begins = record_parser::start::record;
};

/// Begin of a FASTQ record at or some KiB after `offset`, or end of file; monotonic in `offset`.
/// @param parsed  below it, the file is parsed from its start for certainty
[[nodiscard]] cut_place cut_fastq(const input_file& file, std::uint64_t offset,
                                  std::uint64_t parsed = std::uint64_t{1} << 20);

/// `offset`, or earlier if inside a header.
[[nodiscard]] cut_place cut_fasta(const input_file& file, std::uint64_t offset, unsigned k);

}  // namespace detail
}  // namespace acre::genome
