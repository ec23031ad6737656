// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/inflate.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <zlib.h>

namespace acre::genome {
namespace {

std::string gzip(std::string_view text, int level = 6, std::string extra = {}) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  gz_header header{};
  std::string name = "reads.fastq";
  header.name = reinterpret_cast<Bytef*>(name.data());
  if (!extra.empty()) {
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
    header.hcrc = 1;
  }
  deflateSetHeader(&stream, &header);
  std::string packed(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string reads(std::size_t number, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < number; ++i) {
    std::string bases(100, ' ');
    for (char& base : bases) base = "ACGT"[random() % 4];
    text += "@read" + std::to_string(i) + "\n" + bases + "\n+\n" + std::string(100, 'I') + "\n";
  }
  return text;
}

std::string inflate_all(std::string_view packed, std::size_t block = 1 << 16,
                        std::size_t room = 1 << 20) {
  inflater in(
      [&](std::span<char> into) {
        const auto bytes = std::min(into.size(), packed.size());
        std::memcpy(into.data(), packed.data(), bytes);
        packed.remove_prefix(bytes);
        return bytes;
      },
      block);
  std::string text;
  std::string part(room, '\0');
  while (const auto got = in.read(part)) text.append(part, 0, got);
  EXPECT_EQ(in.read(part), 0U) << "the end stays the end";
  return text;
}

std::string warning_of(std::string_view packed) {
  inflater in([&](std::span<char> into) {
    const auto bytes = std::min(into.size(), packed.size());
    std::memcpy(into.data(), packed.data(), bytes);
    packed.remove_prefix(bytes);
    return bytes;
  });
  std::string part(1 << 16, '\0');
  while (in.read(part) != 0) continue;
  return in.warning();
}

std::string problem_of(std::string_view packed) {
  try {
    static_cast<void>(inflate_all(packed));
  } catch (const damaged_gzip& damage) {
    return damage.problem();
  }
  return "none";
}

TEST(Inflate, WarnsOfBlocksWithoutTheirEnd) {
  const std::string of_block("BC\2\0\0\0", 6);
  const std::string block = gzip("ACGT\n", 6, of_block);
  const std::string end = gzip("", 6, of_block);
  EXPECT_EQ(warning_of(block + block + end), "");
  EXPECT_EQ(warning_of(block + block),
            "the BGZF file has no end-of-file block: it is probably truncated");
  EXPECT_EQ(warning_of(gzip("ACGT\n")), "") << "which is no BGZF";
}

TEST(Inflate, GivesBackWhatGzipPacked) {
  for (const int level : {0, 1, 6, 9}) {
    for (const std::size_t number : {0U, 1U, 10U, 10000U}) {
      const auto text = reads(number, 1);
      EXPECT_EQ(inflate_all(gzip(text, level)), text) << "level " << level;
    }
  }
}

TEST(Inflate, ReadsManyMembersCutAnywhereIntoBlocks) {
  const auto a = reads(40, 2);
  const auto b = reads(70, 3);
  const std::string bgzip_extra("BC\2\0\x34\x12", 6);
  const auto packed = gzip(a) + gzip("", 6, bgzip_extra) + gzip(b, 6, bgzip_extra) + gzip(a, 0) +
                      gzip("", 6, bgzip_extra);
  for (const std::size_t block : {1U, 2U, 3U, 7U, 100U, 4096U}) {
    for (const std::size_t room : {1U, 13U, 1000U, 1U << 20}) {
      ASSERT_EQ(inflate_all(packed, block, room), a + b + a) << block << ", " << room;
    }
  }
}

TEST(Inflate, ReportsATruncatedFileWhereverItIsCut) {
  const auto packed = gzip(reads(3, 4));
  for (std::size_t bytes = 0; bytes < packed.size(); ++bytes) {
    EXPECT_TRUE(problem_of(packed.substr(0, bytes)).starts_with("the gzip stream is truncated"))
        << bytes << " of " << packed.size() << " bytes: " << problem_of(packed.substr(0, bytes));
  }
  EXPECT_EQ(problem_of(packed), "none");
}

TEST(Inflate, DeliversTheTextBeforeADamagedPlaceFirst) {
  const auto text = reads(2000, 5);
  const auto packed = gzip(text);
  auto rest = std::string_view(packed).substr(0, packed.size() / 2);
  inflater in([&](std::span<char> into) {
    const auto bytes = std::min(into.size(), rest.size());
    std::memcpy(into.data(), rest.data(), bytes);
    rest.remove_prefix(bytes);
    return bytes;
  });
  std::string part(text.size(), '\0');
  const auto got = in.read(part);
  EXPECT_GT(got, text.size() / 4);
  EXPECT_EQ(part.substr(0, got), text.substr(0, got));
  EXPECT_THROW(static_cast<void>(in.read(part)), damaged_gzip);
  EXPECT_THROW(static_cast<void>(in.read(part)), damaged_gzip);
}

TEST(Inflate, ReportsAWrongChecksum) {
  auto packed = gzip(reads(100, 6));
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  EXPECT_TRUE(problem_of(packed).starts_with("the checksum of the text differs"))
      << problem_of(packed);
}

TEST(Inflate, ReportsAWrongLength) {
  auto packed = gzip(reads(100, 6));
  packed.back() = static_cast<char>(packed.back() ^ 1);
  EXPECT_NE(problem_of(packed), "none");
}

TEST(Inflate, NeverTakesDamagedBytesForText) {
  const auto text = reads(50, 7);
  const auto packed = gzip(text);
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 2000; ++i) {
    auto damaged = packed;
    const auto at = 30 + random() % (packed.size() - 30);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    // Padding bits and equivalent copies may flip unnoticed.
    try {
      EXPECT_EQ(inflate_all(damaged), text) << "byte " << at << ", seed " << seed;
    } catch (const damaged_gzip&) {
    }
  }
}

TEST(Inflate, ReportsWhatIsNotGzip) {
  EXPECT_NE(problem_of("@read\nACGT\n+\nIIII\n"), "none");
  EXPECT_NE(problem_of("\x1f\x8b and then something else entirely"), "none");
}

TEST(Inflate, IgnoresZerosAfterTheEndAndReportsAllElse) {
  const auto text = reads(5, 8);
  EXPECT_EQ(inflate_all(gzip(text) + std::string(1000, '\0')), text);
  EXPECT_TRUE(problem_of(gzip(text) + "more").starts_with("the data after the gzip stream"));
}

}  // namespace
}  // namespace acre::genome
