// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/text_checkpoint.hpp>

#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstddef>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace acre {

namespace {

global::saved_container content_of_text() {
  return global::description_of(typeid(text_array), typeid(std::string), typeid(void));
}

}  // namespace

void checkpoint(const text_array& text, const std::string& path, const site& where) {
  const runtime::failures_held until_all_is_done;
  global::saved_pieces mine;
  global::run_together(text.members(), "checkpoint", where, [&] {
    for (const std::string_view each : text.local()) mine.add(each);
  });
  mine.write(text.members(), content_of_text(), path, where);
}

void restore(text_array& text, const std::string& path, const site& where) {
  const runtime::failures_held until_all_is_done;
  const global::saved_file file(text.members(), content_of_text(), path, where);
  std::vector<std::string> own;
  global::run_together(text.members(), "restore", where, [&] {
    global::for_each_saved(file.read_share(),
                           [&](reader& from) { own.push_back(from.read<std::string>()); });
  });
  text_array restored(text.members(), own, where);
  restored.rebalance(where);
  text = std::move(restored);
}

}  // namespace acre
