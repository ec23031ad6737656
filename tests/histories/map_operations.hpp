// SPDX-License-Identifier: BSD-3-Clause
// Operations of maps with one value per key.
#pragma once

#include "history.hpp"
#include "numbered.hpp"

#include <optional>

namespace histories {

inline answer said(bool yes) { return yes ? answer::yes : answer::no; }

template <class V>
void note_found(event& each, const std::optional<V>& found) {
  each.result = said(found.has_value());
  each.has_value = found.has_value();
  if (found) each.value = numbered<V>::number(*found);
}

/// find, contains, insert, assign or erase.
/// @param later  by the asynchronous function
template <class Map>
void operate_on_key(event& each, Map& map, const typename Map::key_type& key,
                    const typename Map::mapped_type& value, bool later) {
  switch (each.what) {
    case action::find:
      note_found(each, later ? map.find_async(key).get() : map.find(key));
      return;
    case action::contains:
      each.result = said(map.contains(key));
      return;
    case action::insert:
      each.result = said(later ? map.insert_async(key, value).get() : map.insert(key, value));
      return;
    case action::assign:
      each.result = said(later ? map.insert_or_assign_async(key, value).get()
                               : map.insert_or_assign(key, value));
      return;
    default:
      each.result = said(later ? map.erase_async(key).get() : map.erase(key));
  }
}

}  // namespace histories
