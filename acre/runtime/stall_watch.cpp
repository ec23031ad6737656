// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/stall_watch.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/blocked_watch.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/detail/stall_settings.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace acre::runtime {
namespace {

std::string (*stall_details)() = nullptr;

constexpr rank_t most_ranks = 64;

constexpr std::string_view waits = " waits in ";

struct whereabouts {
  void (*complete)(whereabouts&) noexcept = nullptr;
  std::string text;
};

std::string place_of(const wait_note& note) {
  if (note.line == 0) return note.what;
  return std::string(note.what) + " at " + note.file + ":" + std::to_string(note.line);
}

constexpr std::string_view computes = " computes (it is not in a waiting call of Acre)";

std::string describe(rank_t rank, const wait_note& note) {
  std::string who = "rank " + std::to_string(rank);
  if (note.waiting.load(std::memory_order_acquire) == 0) return who.append(computes);
  return who.append(waits) + place_of(note);
}

std::string describe_itself() {
  std::string text = "rank " + std::to_string(world.rank);
  const std::string wait = describe_newest_wait();
  if (wait.empty()) {
    text += computes;
  } else {
    text.append(waits) += wait;
  }
  if (stall_details != nullptr) text += stall_details();
  return text;
}

void answer_where(const message& received, responder& answer) {
  constexpr std::size_t most = 2000;
  std::string text = describe_itself();
  if (text.size() > most) text.resize(most);
  answer.reply(handler_ids::where_reply, received.arguments.first(1),
               std::as_bytes(std::span(text)));
}

void receive_whereabouts(const message& received, responder&) {
  auto& asked = returned<whereabouts>(received.header, received.arguments[0]);
  asked.text.assign(reinterpret_cast<const char*>(received.payload.data()),
                    received.payload.size());
  asked.complete(asked);
}

[[maybe_unused]] const bool stall_watch_registered =
    set_builtin_handler(handler_ids::where_request, answer_where, {.arguments = 1}) &&
    set_builtin_handler(handler_ids::where_reply, receive_whereabouts, {.arguments = 1});

std::string ask(rank_t rank, std::chrono::milliseconds timeout) {
  const auto give_up = std::chrono::steady_clock::now() + timeout;
  awaited<whereabouts> asked;
  while (std::chrono::steady_clock::now() < give_up) {
    if (!asked) {
      asked = awaited<whereabouts>(0, [rank](whereabouts& record, std::byte*) {
        const word cookie = lend(&record, rank, handler_ids::where_reply);
        return try_send(rank, handler_ids::where_request, std::span(&cookie, 1));
      });
    }
    if (asked && asked.is_done()) return asked->text;
    progress_internal();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return {};
}

}  // namespace

bool set_stall_details(std::string (*details)()) noexcept {
  stall_details = details;
  return true;
}

std::string where_is(rank_t rank) {
  using std::chrono_literals::operator""ms;
  if (rank == world.rank) return describe_itself();
  if (world.bases[rank] == 0) {
    const std::string answer = ask(rank, 2000ms);
    return answer.empty() ? "rank " + std::to_string(rank) + " does not answer" : answer;
  }
  const wait_note& note = box_of(rank).note;
  if (note.waiting.load(std::memory_order_acquire) == 0) return describe(rank, note);
  const std::string answer = ask(rank, 100ms);
  return answer.empty() ? describe(rank, note) : answer;
}

void report_stall() {
  std::string text =
      "acre: " + process_identity() + " has waited for " + format_seconds(the_stall_settings.limit);
  bool is_first = true;
  for (rank_t rank = 0; is_first && rank < std::min(world.rank, most_ranks); ++rank) {
    is_first = where_is(rank).find(waits) == std::string::npos;
  }
  if (is_first) {
    text += "; state of each rank:\n";
    for (rank_t rank = 0; rank < std::min(world.size, most_ranks); ++rank) {
      text += "      " + where_is(rank) + "\n";
    }
    if (world.size > most_ranks) {
      text += "      (and " + std::to_string(world.size - most_ranks) + " more ranks)\n";
    }
  } else {
    text += " in " + describe_newest_wait() + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void set_stall_limit(std::chrono::milliseconds value) noexcept {
  the_stall_settings.limit = value;
  the_stall_settings.report = report_stall;
  watch_functions(value);
}

}  // namespace acre::runtime
