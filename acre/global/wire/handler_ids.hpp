// SPDX-License-Identifier: BSD-3-Clause
// Handler numbers (active_message.hpp) of module global.
#pragma once

#include <acre/runtime/active_message.hpp>

namespace acre::global::handler_ids {

inline constexpr runtime::handler_id rpc_request{16};
inline constexpr runtime::handler_id rpc_reply{17};
inline constexpr runtime::handler_id answer_batch{18};
inline constexpr runtime::handler_id collective{19};
inline constexpr runtime::handler_id roll_call{20};
inline constexpr runtime::handler_id roll_call_answer{21};
inline constexpr runtime::handler_id service_request{22};
inline constexpr runtime::handler_id service_of_owner_request{23};
inline constexpr runtime::handler_id service_answer{24};
inline constexpr runtime::handler_id stage_freed{25};
inline constexpr runtime::handler_id box_request{26};
inline constexpr runtime::handler_id box_answer{27};
inline constexpr runtime::handler_id quiet_question{28};
inline constexpr runtime::handler_id quiet_answer{29};

}  // namespace acre::global::handler_ids
