// SPDX-License-Identifier: BSD-3-Clause
// Terminal detection, width and character set.
#pragma once

namespace acre::genome {

enum class glyphs { ascii, unicode };

/// True if standard error is shown on a terminal. For ranks behind pipes, ACRE_TERMINAL names the
/// launcher's terminal streams ("12": both).
[[nodiscard]] bool watched_on_terminal();

[[nodiscard]] unsigned terminal_columns();

[[nodiscard]] glyphs terminal_glyphs();

}  // namespace acre::genome
