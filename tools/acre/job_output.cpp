// SPDX-License-Identifier: BSD-3-Clause
#include "job_output.hpp"

#include <acre/base/standard_descriptors.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>

namespace acre::tool {

job_output::job_output(event_queue& events, rank_t ranks, bool has_prefix)
    : events_(events),
      has_prefix_(has_prefix),
      notice_(needed("eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      output_(STDOUT_FILENO, notice_.get()),
      ranks_(ranks) {
  events_.add(notice_.get(), EPOLLIN, source::sinks);
  if (is_closed(STDOUT_FILENO) || identity_of(STDOUT_FILENO) != identity_of(STDERR_FILENO)) {
    errors_ = std::make_unique<merged>(STDERR_FILENO, notice_.get());
  }
}

void job_output::add(rank_t rank, descriptor output, descriptor errors) {
  pipes& of = ranks_[rank];
  of.output.from = std::move(output);
  of.output.merge = &merger_;
  of.errors.from = std::move(errors);
  of.errors.merge = &errors_merger();
  if (has_prefix_) {
    of.output.lines.prefix = std::string(1, '[').append(std::to_string(rank)).append("] ");
    of.errors.lines.prefix = of.output.lines.prefix;
  }
  events_.add(of.output.from.get(), EPOLLIN, source::output, rank);
  events_.add(of.errors.from.get(), EPOLLIN, source::errors, rank);
}

job_output::pipe_end& job_output::end_of(rank_t rank, source what) {
  return what == source::output ? ranks_[rank].output : ranks_[rank].errors;
}

bool job_output::read(rank_t rank, source what, clock::time_point now) {
  pipe_end& end = end_of(rank, what);
  if (!end.from.open() || end.lines.paused) return false;
  const ssize_t got = ::read(end.from.get(), buffer_.data(), buffer_.size());
  if (got == 0) {
    end.merge->end(end.lines, now);
    end.from.reset();
  }
  if (got <= 0) return false;
  end.merge->take(end.lines, {buffer_.data(), static_cast<std::size_t>(got)}, now);
  if (end.merge->wants(end.lines)) return true;
  merger::pause(end.lines);
  events_.remove(end.from.get());
  paused_.emplace_back(rank, what);
  return false;
}

void job_output::drain(rank_t rank, clock::time_point now) {
  for (const source what : {source::output, source::errors}) {
    while (read(rank, what, now)) {
    }
  }
}

void job_output::resume_paused(clock::time_point now) {
  std::erase_if(paused_, [this, now](const auto& each) {
    pipe_end& end = end_of(each.first, each.second);
    if (!end.merge->wants(end.lines)) return false;
    merger::resume(end.lines, now);
    events_.add(end.from.get(), EPOLLIN, each.second, each.first);
    return true;
  });
}

void job_output::check_clocks(clock::time_point now) {
  resume_paused(now);
  merger_.expire(now);
  if (errors_) errors_->lines.expire(now);
}

clock::time_point job_output::deadline(clock::time_point now) const {
  const auto of_output = merger_.deadline(now);
  return errors_ ? std::min(of_output, errors_->lines.deadline(now)) : of_output;
}

void job_output::close_pipes(clock::time_point now) {
  for (pipes& each : ranks_) {
    for (pipe_end* end : {&each.output, &each.errors}) {
      if (end->lines.paused || !end->from.open()) continue;
      end->merge->end(end->lines, now);
      end->from.reset();
    }
  }
}

int job_output::pop_notice() {
  eventfd_t ignored = 0;
  ::eventfd_read(notice_.get(), &ignored);
  return failure();
}

bool job_output::is_done() const {
  const bool open = std::ranges::any_of(
      ranks_, [](const pipes& each) { return each.output.from.open() || each.errors.from.open(); });
  return !open && output_.idle() && (!errors_ || errors_->out.idle());
}

void job_output::give_up() {
  output_.give_up();
  if (errors_) errors_->out.give_up();
}

}  // namespace acre::tool
