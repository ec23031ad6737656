# SPDX-License-Identifier: BSD-3-Clause
"""Completions for bash, zsh and fish."""
import re

from manual import summary

LAUNCHERS = {"acre run", "acre trace", "acre reorder", "oshrun"}
FOLDERS = {"FOLDER"}
FILES = {"FILE", "SPEC|FILE", "LIST|FILE", "FILE.svg|FILE.png"}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def leaves(command):
    return {"": command, **{each.name.split(" ")[-1]: each for each in command.commands}}


def function_of(command):
    return "_" + re.sub(r"\W", "_", command.name)


def kind_of(option):
    if option.choices:
        return " ".join(option.choices)
    return "<folder>" if option.value in FOLDERS else "<file>" if option.value in FILES else "<value>"


BASH = """\
# SPDX-License-Identifier: BSD-3-Clause
{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= pending= program= word i
  local commands={commands}
  local -A options=({options})
  local -A values=({values})
  local launchers={launchers}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    if [ -n "$pending" ]; then
      [ "$word" = = ] || pending=
    elif [ -n "$program" ]; then
      if [ "$word" = : ] && [ "$program" = separable ]; then program=; fi
    elif [ "$word" = -- ]; then
      program=started
    elif [[ $word == -* ]]; then
      pending=${{values[$command:$word]-}}
    elif [ -z "$command" ] && [ -n "$commands" ]; then
      command=$word
    elif [[ " $launchers " == *" $command: "* ]]; then
      program=separable
    fi
  done
  [ "$current" = = ] && current=
  COMPREPLY=()
  if [ -n "$program" ]; then
    {files}
    if [ "${{COMP_WORDS[COMP_CWORD - 1]}}" = -- ]; then {programs}; fi
    return
  fi
  case $pending in
    '') ;;
    '<file>') {files} && return ;;
    '<folder>') {folders} && return ;;
    '<value>') return ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$pending" -- "$current") && return ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${{options[$command:]-}}" -- "$current")
  elif [ -z "$command" ] && [ -n "$commands" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  else
    {files}
    if [[ " $launchers " == *" $command: "* ]]; then {programs}; fi
  fi
}}
complete -F {function} {name}
"""


def bash(command):
    found = leaves(command)
    options = [f"[{quoted(word + ':')}]={quoted(' '.join(n for o in each.options for n in o.names))}"
               for word, each in found.items()]
    values = [f"[{quoted(word + ':' + name)}]={quoted(kind_of(option))}"
              for word, each in found.items() for option in each.options if option.value
              for name in option.names]
    reply = 'mapfile -t COMPREPLY < <(compgen -{kind} -- "$current"); ' \
            "compopt -o filenames 2>/dev/null || true"
    return BASH.format(
        name=command.name, function=function_of(command),
        commands=quoted(" ".join(word for word in found if word)),
        options=" ".join(options), values=" ".join(values),
        launchers=quoted(" ".join(w + ":" for w, each in found.items() if each.name in LAUNCHERS)),
        files="{ " + reply.format(kind="f") + "; }", folders="{ " + reply.format(kind="d") + "; }",
        programs='mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$current")')


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_action(option):
    if option.choices:
        return f"({' '.join(option.choices)})"
    return "_files -/" if option.value in FOLDERS else "_files" if option.value in FILES else " "


def zsh_arguments(command):
    specifications = []
    for option in command.options:
        tail = f"[{zsh_text(option.help)}]"
        if option.value:
            tail += f":{zsh_text(option.value)}:{zsh_action(option)}"
        alone = "*" if option.many else f"({' '.join(option.names)})"
        specifications += [quoted(alone + name + tail) for name in option.names]
    if command.name in LAUNCHERS:
        specifications.append("'*::program:_normal'")
    elif command.operands:
        specifications.append("'*:file:_files'")
    return " \\\n    ".join(["_arguments -S", *specifications])


def zsh(command):
    name = function_of(command)
    lines = [f"#compdef {command.name}", "# SPDX-License-Identifier: BSD-3-Clause"]
    for each in command.commands:
        lines += [f"{function_of(each)}() {{", f"  {zsh_arguments(each)}", "}"]
    lines.append(f"{name}() {{")
    if command.commands:
        words = [word for word in leaves(command) if word]
        lines += ["  if (( CURRENT == 2 )); then",
                  f"    _values command {' '.join(words)}",
                  f"    {zsh_arguments(command)}", "    return", "  fi",
                  "  shift words", "  (( CURRENT-- ))", "  case $words[1] in",
                  *(f"    {word}) {function_of(each)} ;;"
                    for word, each in leaves(command).items() if word),
                  "  esac"]
    else:
        lines.append(f"  {zsh_arguments(command)}")
    return "\n".join([*lines, "}", f'{name} "$@"', ""])


def fish_option(option, prefix):
    words = [prefix]
    for name in option.names:
        kind = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
        words.append(f"-{kind} {quoted(name.lstrip('-'))}")
    if option.choices:
        words.append(f"-x -a {quoted(' '.join(option.choices))}")
    elif option.value in FOLDERS:
        words.append("-x -a '(__fish_complete_directories)'")
    elif option.value:
        words.append("-r" if option.value in FILES else "-x")
    return " ".join([*words, "-d", quoted(option.help)])


def fish(command):
    lines = ["# SPDX-License-Identifier: BSD-3-Clause"]
    for word, each in leaves(command).items():
        condition = f" -n '__fish_seen_subcommand_from {word}'" if word else ""
        if not word and command.commands:
            condition = " -n __fish_use_subcommand"
        prefix = f"complete -c {quoted(command.name)}{condition}"
        lines += [fish_option(option, prefix) for option in each.options]
        if not word:
            lines += [f"{prefix} -f -a {quoted(name)} -d {quoted(summary(part))}"
                      for name, part in leaves(command).items() if name]
        elif each.name in LAUNCHERS:
            lines.append(f"{prefix} -a '(__fish_complete_command)'")
    return "\n".join(lines) + "\n"
