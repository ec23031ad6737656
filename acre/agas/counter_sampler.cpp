// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/counter_sampler.hpp>

#include <acre/agas/detail/counter_names.hpp>
#include <acre/base/error.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/runtime/require_job.hpp>

#include <algorithm>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace acre {
namespace {

constexpr const char* sampler_call = "agas_sampler";
constexpr std::string_view end_of_rows = "\n]\n";

std::string_view counter_of(const agas_counter_value& value) {
  const std::string_view name = value.name;
  return name.substr(name.find('}') + 2);
}

}  // namespace

agas_sampler::agas_sampler(const std::string& file, std::vector<std::string> names,
                           std::chrono::milliseconds every)
    : path_(file),
      file_(std::make_unique<base::new_file>()),
      is_json_(file.ends_with(".json")),
      names_(std::move(names)),
      every_(every),
      start_(clock::now()),
      due_(start_) {
  runtime::require_job(sampler_call);
  if (!is_json_ && !file.ends_with(".csv")) {
    throw error(sampler_call, "the file name \"" + file + "\" is unsupported",
                "it must end in .csv or .json");
  }
  for (const std::string& each : names_) {
    for (const std::size_t counter : agas::read_counter_name(each).counters) {
      std::string column(agas_counter_names()[counter].counter);
      if (std::ranges::find(columns_, column) == columns_.end()) {
        columns_.push_back(std::move(column));
      }
    }
  }
  write_head();
}

agas_sampler::agas_sampler(agas_sampler&&) noexcept = default;
agas_sampler& agas_sampler::operator=(agas_sampler&&) noexcept = default;
agas_sampler::~agas_sampler() = default;

// Writes a new file, since readers may have an old one open.
void agas_sampler::write_head() {
  if (!is_json_) {
    text_ = "seconds,locality";
    for (const std::string& each : columns_) text_ += ",/agas/" + each;
    text_ += '\n';
  } else {
    text_ = "[";
  }
  base::require_written(sampler_call, path_, file_->begin(path_, base::streams::written));
  write_end();
  base::require_written(sampler_call, path_, file_->publish());
}

/// Ends the file. In JSON the next row overwrites the end of the array.
void agas_sampler::write_end() {
  if (is_json_) text_ += end_of_rows;
  base::require_written(sampler_call, path_, file_->write(std::exchange(text_, {})));
}

bool agas_sampler::sample_when_due() {
  const clock::time_point now = clock::now();
  if (now < due_) return false;
  due_ = now + every_;
  sample();
  return true;
}

void agas_sampler::sample() {
  const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
  const auto values = read_agas_counters(names_);
  if (is_json_) ::lseek(file_->descriptor(), -static_cast<off_t>(end_of_rows.size()), SEEK_END);
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::find_if(first, values.end(), [&](const agas_counter_value& each) {
      return each.locality != first->locality;
    });
    write_row(seconds, {first, end});
    first = end;
  }
  write_end();
}

void agas_sampler::write_row(double seconds, std::span<const agas_counter_value> of_rank) {
  std::ostringstream row;
  if (is_json_) {
    row << (std::exchange(is_first_row_, false) ? "\n" : ",\n") << "{\"seconds\": " << seconds
        << ", \"locality\": " << of_rank.front().locality;
  } else {
    row << seconds << ',' << of_rank.front().locality;
  }
  for (const std::string& column : columns_) {
    const auto at = std::ranges::find(of_rank, column, counter_of);
    if (!is_json_) row << ',';
    if (at == of_rank.end()) continue;
    if (is_json_) row << ", \"/agas/" << column << "\": ";
    row << at->value;
  }
  row << (is_json_ ? "}" : "\n");
  text_ += std::move(row).str();
}

}  // namespace acre
