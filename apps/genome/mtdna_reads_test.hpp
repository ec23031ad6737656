// SPDX-License-Identifier: BSD-3-Clause
// Reads of a mitochondrion, and wrong files of reads.
#pragma once

#include <acre/base/temporary_folder_test.hpp>

#include <string>
#include <vector>

namespace acre::genome {

inline const std::string mtdna = ACRE_TEST_DATA "/mtdna_hg03706";
inline const std::string mtdna_reads = mtdna + ".fastq.gz";

struct wrong_input {
  std::string arguments;
  std::string part_of_error;
};

inline std::vector<wrong_input> wrong_reads(const base_test::temporary_folder& here) {
  const std::string reads = base_test::contents(mtdna_reads);
  return {
      {here.write("truncated.fastq.gz", reads.substr(0, reads.size() / 2)), "truncated.fastq.gz"},
      {here.write("half.fastq", "@a\nACGT\n+\nIIII\n@b\nACGT\n"), "half.fastq:"},
      {here.write("short.fastq", "@a\nACGT\n+\nIII\n"), "short.fastq:"},
      {here.write("empty.fastq", ""), "empty.fastq"},
      {here.write("letter.txt", "Dear reader\n"), "letter.txt"},
      {here.path("missing.fastq"), "missing.fastq"}};
}

}  // namespace acre::genome
