// SPDX-License-Identifier: BSD-3-Clause
// What the program may draw on: is anybody watching, how wide, and with which letters.
#pragma once

namespace acre::genome {

/// The letters that pictures are made of.
enum class glyphs { ascii, unicode };

/// Whether standard error is seen on a terminal. The launcher of a job gives the ranks pipes, and
/// says in ACRE_TERMINAL which of its own streams are terminals ("12": both).
[[nodiscard]] bool watched_on_terminal();

/// How wide the terminal is; 80 when that is not known.
[[nodiscard]] unsigned terminal_columns();

/// Unicode where the locale is UTF-8.
[[nodiscard]] glyphs terminal_glyphs();

}  // namespace acre::genome
