#include <acre/agas/counter_sampler.hpp>

#include <acre/agas/detail/counter_names.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/job.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace acre {
namespace {

constexpr std::string_view end_of_rows = "\n]\n";

/// What is the same in the names of all ranks.
std::string_view counter_of(const agas_counter_value& value) {
  const std::string_view name = value.name;
  return name.substr(name.find('}') + 2);
}

}  // namespace

agas_sampler::agas_sampler(const std::string& file, std::vector<std::string> names,
                           std::chrono::milliseconds every)
    : path_(file),
      file_(file),
      is_json_(file.ends_with(".json")),
      names_(std::move(names)),
      every_(every),
      start_(clock::now()),
      due_(start_) {
  runtime::require_job("agas_sampler");
  if (!is_json_ && !file.ends_with(".csv")) {
    throw error("agas_sampler", "\"" + file + "\" ends neither in .csv nor in .json");
  }
  for (const std::string& each : names_) {
    for (const std::size_t counter : detail::read_counter_name(each).counters) {
      std::string column(agas_counter_names()[counter].counter);
      if (std::ranges::find(columns_, column) == columns_.end()) {
        columns_.push_back(std::move(column));
      }
    }
  }
  write_head();
}

void agas_sampler::write_head() {
  if (is_json_) {
    file_ << '[' << end_of_rows;
  } else {
    file_ << "seconds,locality";
    for (const std::string& each : columns_) file_ << ",/agas/" << each;
    file_ << '\n';
  }
  if (!file_.flush()) {
    throw error("agas_sampler", "cannot write " + path_ + ": " + std::strerror(errno));
  }
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
  if (is_json_) file_.seekp(-static_cast<std::streamoff>(end_of_rows.size()), std::ios::end);
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::find_if(first, values.end(), [&](const agas_counter_value& each) {
      return each.locality != first->locality;
    });
    write_row(seconds, {first, end});
    first = end;
  }
  if (is_json_) file_ << end_of_rows;
  if (!file_.flush()) {
    throw error("agas_sampler", "cannot write " + path_ + ": " + std::strerror(errno));
  }
}

void agas_sampler::write_row(double seconds, std::span<const agas_counter_value> of_rank) {
  if (is_json_) {
    file_ << (std::exchange(is_first_row_, false) ? "\n" : ",\n") << "{\"seconds\": " << seconds
          << ", \"locality\": " << of_rank.front().locality;
  } else {
    file_ << seconds << ',' << of_rank.front().locality;
  }
  for (const std::string& column : columns_) {
    const auto at = std::ranges::find(of_rank, column, counter_of);
    if (!is_json_) file_ << ',';
    if (at == of_rank.end()) continue;
    if (is_json_) file_ << ", \"/agas/" << column << "\": ";
    file_ << at->value;
  }
  file_ << (is_json_ ? "}" : "\n");
}

}  // namespace acre
