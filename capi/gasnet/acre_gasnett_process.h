/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of gasnet_tools.h: process, signals, fatal errors, checksums. */
#ifndef ACRE_GASNETT_PROCESS_H
#define ACRE_GASNETT_PROCESS_H

/* Functions registered with atexit() do not run. */
ACRE_GASNETT_TOOL void gasnett_killmyprocess(int status) { _exit(status); }
ACRE_GASNETT_TOOL void gasnett_close_streams(void) {
  fflush(NULL);
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

ACRE_GASNETT_TOOL void gasnett_backtrace_init(const char* program) { (void)program; }
/* gasnett_print_backtrace() prints the call stack; returns 0 on success. */
#ifdef __GLIBC__
/* Declared here since programs use the names of <execinfo.h> for their own functions. */
extern int acre_gasnett_callers(void** callers, int most) __asm__("backtrace");
extern void acre_gasnett_print(void* const* callers, int count,
                               int descriptor) __asm__("backtrace_symbols_fd");
ACRE_GASNETT_TOOL int gasnett_print_backtrace(int descriptor) {
  void* callers[64];
  const int depth = acre_gasnett_callers(callers, 64);
  acre_gasnett_print(callers, depth, descriptor);
  return depth > 0 ? 0 : 1;
}
#else
ACRE_GASNETT_TOOL int gasnett_print_backtrace(int descriptor) {
  (void)descriptor;
  return 1;
}
#endif
/* Prints the call stack if GASNET_BACKTRACE is 1 or yes; else returns 1. */
ACRE_GASNETT_TOOL int gasnett_print_backtrace_ifenabled(int descriptor) {
  return gasnett_getenv_yesno_withdefault("GASNET_BACKTRACE", 0)
             ? gasnett_print_backtrace(descriptor)
             : 1;
}

ACRE_GASNETT_TOOL void acre_gasnett_fatalerror(const char* where, const char* format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 2, 3)));
ACRE_GASNETT_TOOL void acre_gasnett_fatalerror(const char* where, const char* format, ...) {
  va_list values;
  va_start(values, format);
  fflush(stdout);
  fprintf(stderr, "*** FATAL ERROR%s: ", where);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  fflush(stderr);
  va_end(values);
  gasnett_print_backtrace_ifenabled(STDERR_FILENO);
  abort();
}
/* Prints the message (printf format) and aborts. */
#define gasnett_fatalerror(...) \
  acre_gasnett_fatalerror(" at " __FILE__ ":" ACRE_GASNETT_TEXT(__LINE__), __VA_ARGS__)
#define gasnett_fatalerror_nopos(...) acre_gasnett_fatalerror("", __VA_ARGS__)

/* Returns "function() at file:line"; the caller frees it. */
ACRE_GASNETT_TOOL char* acre_gasnett_location(const char* function, const char* file, int line) {
  const size_t bytes = strlen(function) + strlen(file) + 32;
  char* const text = (char*)malloc(bytes);
  if (text != NULL) snprintf(text, bytes, "%s() at %s:%i", function, file, line);
  return text;
}
#define gasnett_current_loc acre_gasnett_location(GASNETT_CURRENT_FUNCTION, __FILE__, __LINE__)

typedef void (*gasnett_sighandlerfn_t)(int);
ACRE_GASNETT_TOOL gasnett_sighandlerfn_t gasnett_reghandler(int number,
                                                            gasnett_sighandlerfn_t handler) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
#ifdef SA_RESTART
  action.sa_flags = SA_RESTART;
#endif
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* Prints the process number, then waits until a debugger sets `*flag`. */
ACRE_GASNETT_TOOL void gasnett_freezeForDebuggerNow(volatile int* flag, const char* name) {
  fprintf(stderr, "process %i waits for a debugger; set %s to 1 to continue\n", (int)getpid(),
          name);
  fflush(stderr);
  while (*flag == 0) (void)gasnett_nsleep(100000000u);
}
ACRE_GASNETT_TOOL void gasnett_freezeForDebuggerErr(void) {
  volatile int go_on = 0;
  if (gasnett_getenv_yesno_withdefault("GASNET_FREEZE_ON_ERROR", 0)) {
    gasnett_freezeForDebuggerNow(&go_on, "go_on");
  }
}

/* Memory sizes use the largest unit that divides them. Returns the buffer. */
ACRE_GASNETT_TOOL char* gasnett_format_number(int64_t value, char* text, size_t bytes,
                                              int is_memory) {
  static const char* const units[] = {" B", " KB", " MB", " GB", " TB"};
  int unit = 0;
  if (!is_memory) {
    snprintf(text, bytes, "%" PRIi64, value);
    return text;
  }
  while (unit < 4 && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  snprintf(text, bytes, "%" PRIi64 "%s", value, units[unit]);
  return text;
}
ACRE_GASNETT_TOOL int gasnett_verboseenv(void) {
  return gasnett_getenv_yesno_withdefault("GASNET_VERBOSEENV", 0);
}
ACRE_GASNETT_TOOL void gasnett_envstr_display(const char* name, const char* value, int is_default) {
  if (!gasnett_verboseenv()) return;
  fprintf(stderr, "ENV parameter: %s = %s%s\n", name, value, is_default ? " (default)" : "");
}
ACRE_GASNETT_TOOL void gasnett_envint_display(const char* name, int64_t value, int is_default,
                                              int is_memory) {
  char text[32];
  gasnett_envstr_display(name, gasnett_format_number(value, text, sizeof text, is_memory),
                         is_default);
}
ACRE_GASNETT_TOOL void gasnett_envdbl_display(const char* name, double value, int is_default) {
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  gasnett_envstr_display(name, text, is_default);
}

ACRE_GASNETT_TOOL int gasnett_isLittleEndian(void) {
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}
/* FNV-1a, 64 bits; not cryptographic. */
ACRE_GASNETT_TOOL uint64_t gasnett_checksum(const void* p, int bytes) {
  const unsigned char* const text = (const unsigned char*)p;
  uint64_t sum = UINT64_C(0xCBF29CE484222325);
  int i;
  for (i = 0; i < bytes; ++i) sum = (sum ^ text[i]) * UINT64_C(0x100000001B3);
  return sum;
}
ACRE_GASNETT_TOOL size_t gasnett_count0s(const void* p, size_t bytes) {
  const unsigned char* const text = (const unsigned char*)p;
  size_t zeros = 0, i;
  for (i = 0; i < bytes; ++i) zeros += text[i] == 0;
  return zeros;
}
ACRE_GASNETT_TOOL size_t gasnett_count0s_copy(void* to, const void* from, size_t bytes) {
  memcpy(to, from, bytes);
  return gasnett_count0s(to, bytes);
}
ACRE_GASNETT_TOOL int gasnett_count0s_uint32_t(uint32_t word) {
  return (int)gasnett_count0s(&word, sizeof word);
}
ACRE_GASNETT_TOOL int gasnett_count0s_uint64_t(uint64_t word) {
  return (int)gasnett_count0s(&word, sizeof word);
}
ACRE_GASNETT_TOOL int gasnett_count0s_uintptr_t(uintptr_t word) {
  return (int)gasnett_count0s(&word, sizeof word);
}

#endif
