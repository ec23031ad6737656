// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/kmer_list.hpp>

#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>

#include <apps/genome/inflate.hpp>
#include <apps/genome/input_file.hpp>
#include <apps/genome/kmer.hpp>
#include <apps/genome/sequence_reader.hpp>
#include <apps/genome/warning.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace acre::contigs {
namespace {

using genome::input_file;

struct list_line {
  std::string_view letters;
  char left;
  char right;
};

bool is_base(char letter) { return genome::base_code(letter) < 4; }
bool is_extension(char letter) { return is_base(letter) || letter == 'F' || letter == 'X'; }

std::optional<list_line> parse(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() < 4 || line[line.size() - 3] != '\t') return std::nullopt;
  const list_line parts{line.substr(0, line.size() - 3), line[line.size() - 2], line.back()};
  const bool good = is_extension(parts.left) && is_extension(parts.right) &&
                    std::ranges::all_of(parts.letters, is_base);
  return good ? std::optional(parts) : std::nullopt;
}

class list_source {
 public:
  explicit list_source(const std::string& path) : file_(path) {
    std::array<char, 2> head{};
    const std::size_t bytes = file_.is_regular() ? file_.read_at(0, head) : 0;
    if (genome::looks_like_gzip({head.data(), bytes})) {
      inflater_.emplace([this](std::span<char> into) { return file_.read(into); });
    }
  }
  list_source(const list_source&) = delete;
  list_source& operator=(const list_source&) = delete;

  [[nodiscard]] const input_file& file() const { return file_; }
  [[nodiscard]] std::string warning() const { return inflater_ ? inflater_->warning() : ""; }
  [[nodiscard]] bool is_divisible() const { return !inflater_ && file_.is_regular(); }
  [[nodiscard]] std::size_t read(std::span<char> into) {
    return inflater_ ? inflater_->read(into) : file_.read(into);
  }

 private:
  input_file file_;
  std::optional<genome::inflater> inflater_;
};

/// Lines that begin in [begin, end); all of an indivisible list.
class line_reader {
 public:
  line_reader(list_source& source, std::uint64_t begin, std::uint64_t end)
      : source_(source), offset_(begin), end_(end) {
    // The line of the previous byte belongs to another rank.
    if (begin == 0) return;
    --offset_;
    next_read_ = offset_;
    std::string_view not_mine;
    if (!next(not_mine)) end_ = 0;
  }

  [[nodiscard]] bool next(std::string_view& line) {
    if (offset_ >= end_) return false;
    std::size_t newline = text_.find('\n', used_);
    while (newline == std::string::npos && more()) newline = text_.find('\n', used_);
    if (newline == std::string::npos) newline = text_.size();
    if (used_ == text_.size()) return false;
    line = std::string_view(text_).substr(used_, newline - used_);
    const std::size_t bytes = std::min(newline + 1, text_.size()) - used_;
    line_offset_ = offset_;
    used_ += bytes;
    offset_ += bytes;
    return true;
  }

  [[nodiscard]] std::uint64_t line_offset() const { return line_offset_; }

 private:
  bool more() {
    constexpr std::size_t block = std::size_t{1} << 20;
    text_.erase(0, std::exchange(used_, 0));
    const std::size_t have = text_.size();
    text_.resize(have + block);
    const std::span<char> room = std::span(text_).subspan(have);
    const std::size_t got =
        source_.is_divisible() ? source_.file().read_at(next_read_, room) : source_.read(room);
    next_read_ += got;
    text_.resize(have + got);
    return got != 0;
  }

  list_source& source_;
  std::string text_;
  std::size_t used_ = 0;
  std::uint64_t next_read_ = 0;
  std::uint64_t offset_;
  std::uint64_t line_offset_ = 0;
  std::uint64_t end_;
};

}  // namespace

std::optional<unsigned> k_of_list(const std::string& path) {
  if (std::filesystem::is_fifo(path)) return std::nullopt;
  list_source source(path);
  if (source.file().is_consumed()) return std::nullopt;
  std::string head(256, '\0');
  try {
    head.resize(source.read(head));
  } catch (const genome::damaged_gzip&) {
    return std::nullopt;  // the later reader reports the position
  }
  const std::size_t newline = head.find('\n');
  const auto first = parse(std::string_view(head).substr(0, newline));
  if (!first) return std::nullopt;
  return static_cast<unsigned>(first->letters.size());
}

void read_lists(std::span<const std::string> paths, unsigned k, std::uint32_t rank,
                std::uint32_t ranks,
                const std::function<void(std::string_view letters, char left, char right)>& take,
                listed which) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool is_own = paths[i] == "-" || own_descriptor(paths[i]).has_value();
    if (is_own && rank != 0) continue;
    list_source source(paths[i]);
    std::uint64_t begin = 0;
    std::uint64_t end = ~std::uint64_t{0};
    if (is_own) {
      // Standard input and descriptors differ by rank: rank 0 reads all of its own.
    } else if (source.is_divisible()) {
      const std::uint64_t bytes = source.file().size();
      const auto border = [&](std::uint64_t of) {
        return bytes / ranks * of + bytes % ranks * of / ranks;
      };
      begin = border(rank);
      end = border(rank + std::uint64_t{1});
    } else if (i % ranks != rank) {
      continue;
    }
    line_reader lines(source, begin, end);
    const auto fail = [&](const std::string& what, std::string_view advice) {
      const std::uint64_t offset = lines.line_offset();
      genome::fail_at({.file = paths[i], .first_line = offset == 0 ? 1U : 0U, .offset = offset}, 0,
                      what, advice);
    };
    const auto next = [&](std::string_view& line) {
      try {
        return lines.next(line);
      } catch (const genome::damaged_gzip& damage) {
        throw error("acre-contigs", genome::shown_name(paths[i]) + ": " + damage.problem(),
                    damage.advice());
      }
    };
    for (std::string_view line; next(line);) {
      if (line.empty()) continue;
      const auto parts = parse(line);
      if (!parts) {
        fail("the line is not a k-mer, a tab, and two letters of ACGTFX",
             "use lists of k-mers in the format of Meraculous");
      }
      if (parts->letters.size() != k) {
        fail(
            fmt::format("a k-mer has {} letters, but the others have {}", parts->letters.size(), k),
            "use lists with one k only");
      }
      if (which == listed::all || (is_base(parts->left) && is_base(parts->right))) {
        take(parts->letters, parts->left, parts->right);
      }
    }
    if (const std::string warning = source.warning(); !warning.empty()) {
      genome::warn_once(paths[i], warning);
    }
  }
}

}  // namespace acre::contigs
