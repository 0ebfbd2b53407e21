"""`fieldpost completion`: what the Tab key knows of the commands, for bash, zsh and fish."""

from __future__ import annotations

import argparse
from importlib import import_module

from fieldpost.commands.options import example

SHELLS = ("bash", "zsh", "fish")
_BASH = """_fieldpost() {
  local word="${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="@COMMANDS@"
  else
    case "${COMP_WORDS[1]}" in
@CASES@
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ] || [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _fieldpost fieldpost
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="your shell")
    example(
        parser,
        "completion bash > ~/.local/share/bash-completion/completions/fieldpost",
        "completion zsh >> ~/.zshrc",
        "completion fish > ~/.config/fish/completions/fieldpost.fish",
    )


def run(arguments: argparse.Namespace) -> int:
    print(script(arguments.shell), end="")
    return 0


def script(shell: str) -> str:
    from fieldpost.cli import COMMANDS

    summaries = {name: command.summary for name, command in COMMANDS.items()}
    found = {name: _options(command.module) for name, command in COMMANDS.items()}
    if shell == "fish":
        return _fish(summaries, found)
    bash = _bash(found)
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash}" if shell == "zsh" else bash


def _options(module: str) -> list[str]:
    """The long options of a command, as its own parser has them."""
    parser = argparse.ArgumentParser()
    import_module(module).configure(parser)
    names = (name for action in parser._actions for name in action.option_strings)
    return sorted(name for name in names if name.startswith("--"))


def _bash(found: dict[str, list[str]]) -> str:
    cases = "\n".join(f'      {name}) words="{" ".join(words)}" ;;' for name, words in found.items())
    return _BASH.replace("@COMMANDS@", " ".join(found)).replace("@CASES@", cases)


def _fish(summaries: dict[str, str], found: dict[str, list[str]]) -> str:
    lines = [
        f"complete -c fieldpost -n __fish_use_subcommand -f -a {name} -d '{summary.replace(chr(39), '’')}'"
        for name, summary in summaries.items()
    ]
    lines += [
        f"complete -c fieldpost -n '__fish_seen_subcommand_from {name}' -l {word.removeprefix('--')}"
        for name, words in found.items()
        for word in words
    ]
    return "\n".join(lines) + "\n"
