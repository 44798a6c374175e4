#!/usr/bin/env python3
"""Makes manuals, completion and a page from the description of the command line.

usage: command_line.py [--man FOLDER] [--bash FILE] [--zsh FILE] [--page FILE] command-line.json

The description is what the target describe_command_line writes. The folder receives equipoise.1 and
one page equipoise-VERB.1 for each verb.
"""

import argparse
import json
import re
from pathlib import Path

MADE = "Made by tools/command_line.py from what `equipoise --help` says."


def takes_value(option):
    return option["value"] != ""


def shown(option):
    """"-o, --output TEXT", "--json[=FILE]", "RECORD ..."."""
    if not option["names"][0].startswith("-"):
        return option["names"][0] + (" ..." if option["repeatable"] else "")
    names = ", ".join(option["names"])
    if option["value_may_lack"]:
        return f"{names}[={option['value']}]"
    return f"{names} {option['value']}" if takes_value(option) else names


def sentence(option):
    return option["help"] + (" (required)" if option["required"] else "")


def meaning(word):
    return word["help"] + (" (random)" if word["random"] else "")


def explained(option):
    """Whether the option has words that say what they mean."""
    return any(word["help"] for word in option["words"])


def paragraphs(footer):
    """(text, lines of an example) of every piece of a footer: one of both is empty."""
    text = []
    example = []
    for line in footer.splitlines() + [""]:
        if line.startswith("  "):
            if text:
                yield " ".join(text), []
                text = []
            example.append(line[2:])
            continue
        if example:
            yield "", example
            example = []
        if line:
            text.append(line)
        elif text:
            yield " ".join(text), []
            text = []


# Manuals


ROFF = {"\\": r"\(rs", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


def roff(text):
    """The text as it stands, wherever on a line."""
    escaped = "".join(ROFF.get(letter, letter) for letter in text)
    return r"\&" + escaped if escaped.startswith(".") else escaped


def bold(text):
    return rf"\fB{roff(text)}\fR"


def roff_option(option):
    """The names in bold, the value in italics."""
    if not option["names"][0].startswith("-"):
        return rf"\fI{option['names'][0]}\fR" + (" ..." if option["repeatable"] else "")
    names = ", ".join(bold(name) for name in option["names"])
    value = rf"\fI{option['value']}\fR"
    if option["value_may_lack"]:
        return f"{names}[={value}]"
    return f"{names} {value}" if takes_value(option) else names


def roff_list(title, options):
    lines = [f".SH {title}"] if options else []
    group = ""
    for option in options:
        if option["group"] != group:
            group = option["group"]
            lines.append(f".SS {roff(group or 'Other options')}")
        lines += [".TP", roff_option(option), roff(sentence(option))]
    return lines


def roff_words(options):
    lines = []
    for option in filter(explained, options):
        lines.append(f".SS {roff(option['names'][-1])}")
        for word in option["words"]:
            lines += [".TP", bold(word["example"]), roff(meaning(word))]
    if lines:
        lines = [".SH VALUES", *lines]
    if any(word["random"] for option in options for word in option["words"]):
        lines += [".PP", roff("(random): depends on --seed.")]
    return lines


def roff_footer(footer):
    lines = []
    for text, example in paragraphs(footer):
        if example:
            lines += [".PP", ".nf", ".RS", *map(roff, example), ".RE", ".fi"]
        elif text.rstrip(":") in ("Example", "Examples"):
            lines.append(f".SH {text.rstrip(':').upper()}")
        elif text.startswith("Exit status: "):
            lines += [".SH EXIT STATUS", roff(text.removeprefix("Exit status: "))]
        else:
            lines += [".PP", roff(text)]
    return lines


def roff_page(command, name, version, description, verbs, see_also):
    """The manual of the program or of one verb, as roff."""
    called, bracket, rest = command["usage"].partition(" [")
    lines = [r'.\" ' + MADE,
             f'.TH {roff(name.upper())} 1 "" "equipoise {version}" "User Commands"',
             ".nh",
             ".SH NAME", rf"{roff(name)} \- {roff(command['help'].rstrip('.'))}",
             ".SH SYNOPSIS", f"{bold(called)}{bracket}{roff(rest)}",
             ".SH DESCRIPTION", roff(description)]
    if verbs:
        lines.append(".SH VERBS")
        for verb in verbs:
            lines += [".TP", bold(verb["name"]), roff(verb["help"])]
    lines += roff_list("ARGUMENTS", command["operands"])
    lines += roff_list("OPTIONS", command["options"])
    lines += roff_words(command["operands"] + command["options"])
    lines += roff_footer(command["footer"])
    lines += [".SH SEE ALSO"]
    lines += [f".BR {roff(page)} (1)" + ("," if page != see_also[-1] else "") for page in see_also]
    return "\n".join(lines) + "\n"


def write_manuals(folder, program):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("equipoise*.1"):
        old.unlink()
    pages = [f"equipoise-{verb['name']}" for verb in program["verbs"]]
    (folder / "equipoise.1").write_text(roff_page(
        program, "equipoise", program["version"],
        "The nodes of a network hold tokens; an algorithm says which tokens cross which links. "
        "equipoise runs the algorithms, compares them, plans, and checks records of runs. "
        "Each verb has a manual of its own: equipoise-run(1) and so on.",
        program["verbs"], pages))
    for verb, page in zip(program["verbs"], pages):
        (folder / f"{page}.1").write_text(roff_page(
            verb, page, program["version"], verb["help"] + ".", [], ["equipoise"]))


# Completion


def quoted(text):
    """For a shell, in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


BASH = r"""# Completion of equipoise for bash. {made}

# Offers the candidates that begin with what was typed. Readline replaces only what follows the last
# colon or equals sign, or the quote that the word begins with.
_equipoise_offer() {{
    local kept=$unquoted candidate
    if [[ -z $quoted ]]; then
        if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then
            kept=${{current%"${{current##*:}}"}}
        fi
        if [[ $COMP_WORDBREAKS == *=* && $current == *=* && ${{current%=*}}= == "$kept"* ]]; then
            kept=${{current%=*}}=
        fi
    fi
    for candidate; do
        if [[ $candidate == "$current"* ]]; then
            COMPREPLY+=("${{candidate#"$kept"}}")
        fi
    done
}}

# Offers words, and files if wanted, as the value that follows `lead` in what was typed.
_equipoise_value() {{
    local word value=${{current#"$lead"}} file
    for word in $1; do
        _equipoise_offer "$lead$word"
    done
    if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *[:=] ]]; then
        compopt -o nospace 2>/dev/null
    fi
    if [[ $2 == file && ( -z $3 || $value == "$3"* ) ]]; then
        while IFS= read -r file; do
            compopt -o filenames 2>/dev/null
            _equipoise_offer "$lead$3$file"
        done < <(compgen -f -- "${{value#"$3"}}")
    fi
}}

_equipoise() {{
    # Words as they were typed: those of COMP_WORDS end at colons and equals signs, too.
    local line=${{COMP_LINE:0:COMP_POINT}} current option= lead= quoted= unquoted= IFS=$' \t\n'
    local -a typed
    # Words with quotes and backslashes may hold spaces.
    local word=${{COMP_WORDS[COMP_CWORD]}}
    if [[ $word == *[\'\"\\]* && $line == *"$word" ]]; then
        quoted=$word
        line=${{line%"$word"}}
    fi
    read -ra typed <<<"$line"
    if [[ $line == *[[:space:]] ]]; then
        typed+=("")
    fi
    if [[ -n $quoted ]]; then
        unquoted=${{typed[-1]}}
        typed[-1]+=${{quoted//[\'\"\\]/}}
    fi
    COMPREPLY=()
    current=${{typed[-1]}}
    if [[ ${{#typed[@]}} -le 2 ]]; then
        _equipoise_offer {verbs}
        return
    fi
    if [[ $current == -*=* ]]; then
        option=${{current%%=*}}
        lead=$option=
    else
        option=${{typed[-2]}}
    fi
    case "${{typed[1]}} $option" in
{values}
    esac
    case ${{typed[1]}} in
{options}
    esac
}}
complete -F _equipoise equipoise
"""


def bash_value(option):
    words = quoted(" ".join(word["word"] for word in option["words"]))
    file = "file" if option["file"] != "none" else "none"
    return f"_equipoise_value {words} {file} {quoted(option['file_prefix'])}"


def write_bash(path, program):
    values = {}
    options = []
    for verb in program["verbs"]:
        for option in filter(takes_value, verb["options"]):
            # The value of --json[=FILE] never stands apart.
            pattern = [quoted(f"{verb['name']} {name}") for name in option["names"]]
            if option["value_may_lack"]:
                continue
            values.setdefault(bash_value(option), []).extend(pattern)
        names = " ".join(name for option in verb["options"] for name in option["names"])
        operands = [bash_value(operand) for operand in verb["operands"]] or [":"]
        options.append(f"        {verb['name']})\n"
                       "            if [[ $current == -* ]]; then\n"
                       f"                _equipoise_offer {names}\n"
                       "            else\n"
                       f"                {operands[0]}\n"
                       "            fi\n            ;;")
    cases = ["        " + " | ".join(patterns) + f")\n            {value}\n            return\n"
             "            ;;" for value, patterns in values.items()]
    json_file = ["        *' --json')\n            if [[ -n $lead ]]; then\n"
                 "                _equipoise_value '' file ''\n                return\n"
                 "            fi\n            ;;"]
    verbs = " ".join([verb["name"] for verb in program["verbs"]] +
                     [name for option in program["options"] for name in option["names"]])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BASH.format(made=MADE, verbs=verbs, values="\n".join(cases + json_file),
                                options="\n".join(options)))


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_function(option):
    """The name of the function that offers an option's values."""
    return "_equipoise" + re.sub(r"\W", "_", option["names"][-1].lower().removeprefix("-"))


def zsh_values(name, option):
    """A function that offers words and files."""
    def array(words):
        return " ".join(quoted(word["word"].replace(":", r"\:") +
                               (":" + word["help"].replace(":", r"\:") if word["help"] else ""))
                        for word in words)
    ended = [word for word in option["words"] if word["word"][-1] not in ":="]
    open_words = [word for word in option["words"] if word["word"][-1] in ":="]
    lines = [f"{name}() {{", "  local -a ended unended"]
    lines += [f"  ended=({array(ended)})", f"  unended=({array(open_words)})"]
    lines += [f"  _describe -t words '{option['value'].lower()}' ended -- unended -S ''"]
    if option["file"] != "none":
        prefix = option["file_prefix"]
        lines += [f"  compset -P {quoted(prefix)} && _files" if prefix else "  _files"]
    return "\n".join([*lines, "}"])


def zsh_spec(option, function):
    """One argument of _arguments."""
    value = ""
    if takes_value(option):
        action = function or ("_files" if option["file"] != "none" else " ")
        value = f"{'::' if option['value_may_lack'] else ':'}{option['value']}:{action}"
    if not option["names"][0].startswith("-"):
        colon = "" if option["required"] else ":"
        place = "*" if option["repeatable"] else "1"
        return quoted(f"{place}:{'' if place == '*' else colon}{option['names'][0]}:" +
                      (function or ("_files" if option["file"] != "none" else " ")))
    specs = []
    for name in option["names"]:
        sign = "" if not value else "=-" if option["value_may_lack"] else \
            "=" if name.startswith("--") else "+"
        others = " ".join(option["names"])
        before = "*" if option["repeatable"] else f"({others})" if len(option["names"]) > 1 else ""
        specs.append(quoted(f"{before}{name}{sign}[{zsh_text(option['help'])}]{value}"))
    return " ".join(specs)


def write_zsh(path, program):
    functions = {}  # the text behind the name -> the name
    cases = []
    for verb in program["verbs"]:
        specs = []
        for option in verb["options"] + verb["operands"]:
            function = None
            if option["words"]:
                body = zsh_values("NAME", option)
                name = zsh_function(option)
                if body not in functions:
                    taken = list(functions.values())
                    functions[body] = name if name not in taken else f"{name}_{verb['name']}"
                function = functions[body]
            specs.append(zsh_spec(option, function))
        cases.append(f"        {verb['name']})\n          _arguments -S \\\n            " +
                     " \\\n            ".join(specs) + "\n          ;;")
    verbs = " ".join(quoted(f"{verb['name']}:" + verb["help"].replace(":", r"\:"))
                     for verb in program["verbs"])
    own = " ".join(zsh_spec(option, None) for option in program["options"])
    texts = [f"#compdef equipoise\n# Completion of equipoise for zsh. {MADE}\n"]
    texts += [body.replace("NAME", name, 1) + "\n" for body, name in functions.items()]
    texts.append(f"""_equipoise() {{
  local curcontext=$curcontext state line
  local -a verbs
  _arguments -C {own} '1:verb:->verb' '*::argument:->arguments' && return
  case $state in
    verb)
      verbs=({verbs})
      _describe 'verb' verbs
      ;;
    arguments)
      curcontext=${{curcontext%:*:*}}:equipoise-$words[1]:
      case $words[1] in
""" + "\n".join(cases) + """
      esac
      ;;
  esac
}

_equipoise "$@"
""")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(texts))


# The page


def cell(text):
    """Text in a table of Markdown; what stands in backticks already stays as it is."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"([|*_<>\\])", r"\\\1", piece) for piece in pieces[::2]]
    pieces[1::2] = [piece.replace("|", "\\|") for piece in pieces[1::2]]
    return "`".join(pieces)


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def page_footer(footer):
    lines = []
    for text, example in paragraphs(footer):
        lines += ["```text", *example, "```", ""] if example else [text, ""]
    return lines


def page_verb(verb, lists):
    lines = [f"## {verb['name']}", "", verb["help"] + ".", "", "```text", verb["usage"], "```", ""]
    for title, options in (("Argument", verb["operands"]), ("Option", verb["options"])):
        for group in dict.fromkeys(option["group"] for option in options):
            lines += table((group or title, "Meaning"),
                           [(code(shown(option)), cell(sentence(option))) for option in options
                            if option["group"] == group])
    for option in filter(explained, verb["operands"] + verb["options"]):
        values = json.dumps(option["words"])
        lists.setdefault((option["names"][-1], values), []).append(verb["name"])
    return lines + page_footer(verb["footer"])


def write_page(path, program):
    lists = {}
    lines = ["# The command line", "", f"<!-- {MADE} -->", "", program["help"], "", "```text",
             program["usage"], "```", ""]
    lines += table(("Verb", "What it does"),
                   [(f"[{code(verb['name'])}](#{verb['name']})", cell(verb["help"]))
                    for verb in program["verbs"]])
    lines += table(("Option", "Meaning"), [(code(shown(option)), cell(sentence(option)))
                                           for option in program["options"]])
    lines += page_footer(program["footer"])
    for verb in program["verbs"]:
        lines += page_verb(verb, lists)
    lines += ["## Values", "", "What the values of these options may be, with an example of each. "
              "What is marked (random) depends on `--seed`.", ""]
    names = [name for name, _ in lists]
    for (name, values), verbs in lists.items():
        of = f" of {', '.join(verbs)}" if names.count(name) > 1 else ""
        lines += [f"### {code(name)}{of}", ""]
        lines += table(("Value", "Meaning"), [(code(word["example"]), cell(meaning(word)))
                                              for word in json.loads(values)])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip("\n") + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--man", type=Path, metavar="FOLDER")
    parser.add_argument("--bash", type=Path, metavar="FILE")
    parser.add_argument("--zsh", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, metavar="FILE")
    parser.add_argument("description", type=Path, metavar="command-line.json")
    options = parser.parse_args()
    program = json.loads(options.description.read_text())
    if options.man:
        write_manuals(options.man, program)
    if options.bash:
        write_bash(options.bash, program)
    if options.zsh:
        write_zsh(options.zsh, program)
    if options.page:
        write_page(options.page, program)


if __name__ == "__main__":
    main()
