"""What a page holds besides prose: fenced blocks, the remarks above them, and pictures.

A remark <!-- TEXT --> on the line before a block says what the block is:

    <!-- file: NAME -->         the block is the file NAME of the page's folder
    <!-- PATH -->               the block is this file of the repository
    <!-- part of PATH -->       the block's lines stand in this file of the repository
    <!-- not played: REASON --> the commands of this ```console block are not played

A picture is a remark of its own, on one line or several, invisible on a Git host:

    <!-- picture NAME.svg "what it shows": equipoise ... && equipoise plot ... -o NAME.svg -->
"""

import dataclasses
import re

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
REMARK = re.compile(r"<!-- (.*?) -->$", re.S)
# What would be a block, or a command, that nothing looks at.
UNSEEN = re.compile(r"^(?!\s*<!--).*(`{3}|~{3})|^[ \t>]*(<pre>)?\s*\$ ")
PICTURE = re.compile(r'picture (\S+\.(?:svg|png|html)) "([^"]*)":\s+(.*)', re.S)


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block; `first` and `last` are the indices of its fences in the page's lines."""

    language: str
    remark: str
    lines: list
    indent: str
    first: int
    last: int

    @property
    def body(self):
        return "".join(line + "\n" for line in self.lines)

    def told(self, what):
        """What follows `what: ` in the remark above the block, or nothing."""
        begin = what + ": "
        return self.remark[len(begin):].strip() if self.remark.startswith(begin) else ""


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture, or a page in a frame, that commands draw; `first` to `last` are its lines."""

    name: str
    text: str
    command: str
    first: int
    last: int


@dataclasses.dataclass(frozen=True)
class Command:
    """A command of a ```console block: the lines that show it, and what it shows to be printed."""

    shown: list
    printed: list

    @property
    def text(self):
        first, *more = self.shown
        return "\n".join([first.removeprefix("$ ")] + [line.removeprefix("> ") for line in more])


class PageError(Exception):
    """What is wrong with a page, in one line that begins with the page and the line."""


def parse(text, name):
    """The blocks and pictures of a page, in order."""
    lines = text.splitlines()
    found = []
    remark = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line)
        if fence:
            block = read_block(lines, at, fence, remark, name)
            found.append(block)
            remark = ""
            at = block.last + 1
        elif line.startswith("<!-- "):
            last = next((i for i in range(at, len(lines)) if "-->" in lines[i]), None)
            if last is None:
                raise PageError(f"{name}:{at + 1}: expected --> after <!--")
            if not lines[last].rstrip().endswith("-->"):
                raise PageError(f"{name}:{last + 1}: expected nothing after -->")
            whole = REMARK.match("\n".join(lines[at:last + 1]).rstrip())
            remark = whole.group(1) if whole else ""
            if remark.startswith("picture "):
                found.append(read_picture(remark, at, last, name))
            at = last + 1
        elif UNSEEN.match(line):
            raise PageError(f"{name}:{at + 1}: expected blocks between lines of ``` alone, and "
                            f"commands in ```console blocks, found \"{line.strip()}\"")
        else:
            remark = ""
            at += 1
    return found


def read_block(lines, at, fence, remark, name):
    indent, ticks, info = fence.groups()
    end = re.compile(rf"^ *{ticks[0]}{{{len(ticks)},}} *$")
    last = next((i for i in range(at + 1, len(lines)) if end.match(lines[i])), None)
    if last is None:
        raise PageError(f"{name}:{at + 1}: this block does not end")
    if "`" in info:
        raise PageError(f"{name}:{at + 1}: expected a language after {ticks}, found \"{info}\"")
    body = [line.removeprefix(indent) for line in lines[at + 1:last]]
    return Block(info.strip(), remark, body, indent, at, last)


def read_picture(remark, first, last, name):
    parts = PICTURE.fullmatch(remark)
    if not parts:
        raise PageError(f'{name}:{first + 1}: expected <!-- picture NAME.svg "what it shows": '
                        "COMMAND -->, with .svg, .png or .html")
    picture, text, command = parts.groups()
    command = re.sub(r"\s*\\?\n\s*", " ", command)
    return Picture(picture, " ".join(text.split()), command, first, last)


def commands(block, name):
    """The commands of a ```console block."""
    found = []
    continued = False
    for number, line in enumerate(block.lines, block.first + 2):
        if continued:
            found[-1].shown.append(line)
        elif line.startswith("$ "):
            found.append(Command([line], []))
        elif found:
            found[-1].printed.append(line)
        else:
            raise PageError(f"{name}:{number}: expected a command that begins with \"$ \", "
                            f"found \"{line}\"")
        continued = (continued or line.startswith("$ ")) and line.endswith("\\")
    if not found:
        raise PageError(f"{name}:{block.first + 1}: expected a command in this block")
    return found
