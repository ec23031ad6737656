// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a job divide its input files, and read their parts of them.
//
// A plain file can be read from anywhere: all plain files, laid end to end, are
// cut into as many ranges of equal size as there are ranks. A gzip file can only be
// read from its begin: one rank reads it and may hand what it reads to others. A
// pipe, and a name that means another file to each process (`-`, /dev/stdin,
// /dev/fd/3), is read by rank 0. All come as chunks, texts of about a mebibyte that
// hold whole records, so that a chunk can be parsed alone and on any rank:
//
//     for (const piece& part : share_of(inputs, rank, ranks)) {
//       chunk_source chunks(inputs[part.file], part, k);
//       for (chunk text; chunks.next(text);) {
//         for_each_record(text, inputs[text.origin.file].path, [&](const record& read) { … });
//       }
//     }
//
// A FASTQ file is cut between records only; where sequences are wrapped, the cut is
// made where several records in a row show that one begins. A FASTA sequence may be a whole
// chromosome, so it is cut anywhere behind its first letter; what follows the cut
// is then preceded by the k - 1 letters before it. So each k-mer of the input lies
// in exactly one chunk: the one in which its last letter is new; and each record
// begins in exactly one: the one with its first letter.
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

/// An input file, as far as one must know it to divide the work.
struct input {
  std::string path;
  std::uint64_t bytes = 0;  ///< as it lies on the disk; 0 for a pipe
  /// Can be read from anywhere: a regular file that is not compressed.
  bool divisible = false;
  /// Rank 0 alone may open it: a pipe, or a name that means another file to each process.
  bool of_first_rank = false;
  /// A pipe or a terminal: it can be read once.
  bool consumed = false;
  bool empty = false;  ///< a regular file of 0 bytes
  file_identity identity{};

  friend auto acre_fields(input& of) {
    return std::tie(of.path, of.bytes, of.divisible, of.of_first_rank, of.consumed, of.empty,
                    of.identity);
  }
};

/// Looks at a file (a pipe is not opened).
/// @param path  `-` is standard input
/// @throws acre::error when it cannot be read, or is plain and neither FASTA nor FASTQ
[[nodiscard]] input inspect(const std::string& path);

/// A part of one input file; an indivisible one is one piece. The range is where the piece's
/// bytes lie roughly: the reader moves both ends to places where the text can be cut.
struct piece {
  std::uint32_t file = 0;  ///< index in the list of inputs
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const piece&, const piece&) = default;
};

/// The pieces that `rank` reads; those of all ranks together are the whole input. Divisible
/// files are split evenly by bytes; the others go to readers far apart (which puts them on
/// different nodes), the largest first to the rank with the least to read. What rank 0 alone may
/// open it reads last, in the order of the list.
[[nodiscard]] std::vector<piece> share_of(std::span<const input> inputs, std::uint32_t rank,
                                          std::uint32_t ranks);

/// What goes with the text of a chunk wherever it goes.
struct chunk_origin {
  std::uint32_t file = 0;
  text_format format = text_format::fasta;
  record_parser::start begins = record_parser::start::record;
  std::uint64_t carried = 0;      ///< letters at its begin that the text before it has too
  std::uint64_t first_line = 1;   ///< in the file; 0: not known
  std::uint64_t offset = 0;       ///< of the text in the uncompressed file
  std::uint64_t input_bytes = 0;  ///< of the file on the disk that were read for it
};

/// A text that holds whole records, or a part of a FASTA sequence with the k - 1 letters before.
struct chunk {
  std::string text;
  chunk_origin origin;
};

/// The chunks of a piece, one after the other.
class chunk_source {
 public:
  static constexpr std::size_t default_size = std::size_t{1} << 20;

  /// @param size  of a chunk, roughly; a record that is larger makes its chunk larger
  /// @throws acre::error when a plain file cannot be read, or has changed since it was looked at
  chunk_source(const input& from, const piece& part, unsigned k, std::size_t size = default_size);

  /// Moves on to the next chunk; false when there is none. Passing the same chunk again reuses
  /// its memory.
  /// @throws acre::error (with file and line) for a damaged gzip file, one that is neither FASTA
  ///         nor FASTQ, bytes that are no text, and a FASTQ record that is invalid or too long
  [[nodiscard]] bool next(chunk& out);

  /// At the end: whether there was no text at all.
  [[nodiscard]] bool was_empty() const noexcept { return at_end_ && !begun_; }
  /// At the end: what the user should know of the file, as that its end is missing; or empty.
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
  std::function<std::uint64_t()> input_position_;  // bytes of the file on the disk read so far
  std::uint64_t reported_ = 0;                     // of these, the ones that chunks told of
  std::size_t size_;
  unsigned k_;

  // What is known of the next chunk.
  text_origin origin_;
  std::uint32_t file_;
  text_format format_ = text_format::fasta;
  bool format_known_ = false;
  std::string carry_;  // FASTA: up to k - 1 letters before it, of the same sequence
  std::string rest_;   // its first bytes, read with the last chunk
  record_parser::start begins_ = record_parser::start::record;
  bool line_begins_ = true;
  bool at_end_ = false;
  bool begun_ = false;  ///< there was a text
};

/// Hands every record of a chunk to `take(const record&)`.
/// @param from  a chunk, or what else has its text and origin
/// @param path  of the file it comes from
/// @throws acre::error with file and line for what is no record
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

/// A place where a plain file can be cut.
struct cut_place {
  std::uint64_t offset = 0;
  std::string carry{};  ///< the letters before it, of the same sequence
  record_parser::start begins = record_parser::start::record;
};

/// The begin of a FASTQ record some KiB after `offset`, or the end of the file: a line of quality
/// just behind `offset` could be mistaken for a record. Grows with `offset`.
/// @param parsed  below this the file is parsed from its begin, which leaves no doubt
[[nodiscard]] cut_place cut_fastq(const input_file& file, std::uint64_t offset,
                                  std::uint64_t parsed = std::uint64_t{1} << 20);

/// `offset` itself, or a little before it when it lies in a header.
[[nodiscard]] cut_place cut_fasta(const input_file& file, std::uint64_t offset, unsigned k);

}  // namespace detail
}  // namespace acre::genome
