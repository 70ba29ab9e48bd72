"""Small changes to C sources, as a tired author might make them: used by mutate.py.

A source is cut into tokens; a rule looks at one token and yields (kind, first offset, end, new text). It relies on the house
format: a binary operator has a space on both sides, a unary one none behind it. Left alone are comments, strings, messages,
assertions, sizes of memory, preprocessor lines other than `#define NAME 1.5`, enumerations and declarations of members.

| kind | change |
|---|---|
| scale, replace | a real number times 1.1; 0 in its place (1 for 0) |
| more, less | an integer plus or minus 1 |
| sign | + and - exchanged, also of += and -=; a leading minus dropped |
| term | a term of a sum dropped; a statement `x += y;` or `x++;` dropped |
| factor | a factor or a divisor dropped |
| edge | < and <= exchanged, > and >= |
| flip | < and > exchanged, <= and >=, == and !=, && and || |
| swap | min and max exchanged in the name of a function |
| call | a statement that calls a function dropped |
| nudge, gain | a value that is assigned or returned, times 0.999; times 1.1 |
| zero | 0 assigned in place of a value |
"""
import bisect
import dataclasses
import difflib
import re

KINDS = ("scale", "replace", "more", "less", "sign", "term", "factor", "edge", "flip", "swap", "call", "nudge", "gain", "zero")

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
    |(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\.\.\.|[^\s\w])
    |(?P<space>\s+)""",
    re.X | re.S | re.M,
)
CONSTANT = re.compile(r"^#define \w+ (\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)[ \t]*(?:/\*.*)?$", re.M)
CONTROL = {"if", "for", "while", "switch"}
NOT_A_TYPE = {"return", "case", "else", "goto", "sizeof"}
# What handles memory or words: their arguments are sizes and messages.
LEFT_ALONE = re.compile(
    r"(alloc|allocate\w*|free|resize|grow\w*|reserve\w*|mem(cpy|set|move)|\w*assert|sizeof|_Alignas|__attribute__|v?sn?printf)$", re.I)
COMPARES_WORDS = re.compile(r"(str|mem)n?(case)?(cmp|chr|str)$")
EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
OTHER_END = {"min": "max", "max": "min"}
# An operand of a sum or of a product ends at these; of a product at * / % as well, of the left side of a product at + - too.
LOOSER = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "&&", "||", "&", "|", "^", "<<", ">>", *FLIP, "return"}
SUM, PRODUCT = {"+", "-"}, {"*", "/", "%"}


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Mutation:
    """`place` is FILE:LINE:KIND, with .2 for the second of that kind in the line."""

    path: str
    place: str
    kind: str
    start: int
    end: int
    text: str

    def of(self, source):
        return source[: self.start] + self.text + source[self.end :]


def difference(source, changed):
    """The lines that differ, as `- old` and `+ new`."""
    lines = difflib.ndiff(source.splitlines(), changed.splitlines())
    return [line for line in lines if line[:2] in ("- ", "+ ")]


class Source:
    """Tokens of one file, partners of brackets, and which tokens are left alone."""

    def __init__(self, text):
        self.text = text
        found = (Token(m.lastgroup, m[0], m.start(), m.end()) for m in TOKEN.finditer(text))
        self.tokens = [t for t in found if t.kind not in ("comment", "directive", "space")]
        self.partner = self._partners()
        self.bodies = list(self._bodies())
        self.fixed = self._fixed()

    def word(self, k):
        return self.tokens[k].text if 0 <= k < len(self.tokens) else ""

    def _partners(self):
        partner, open_ones = {}, []
        for k, token in enumerate(self.tokens):
            if token.kind == "operator" and token.text in "([{":
                open_ones.append(k)
            elif token.kind == "operator" and token.text in ")]}" and open_ones:
                first = open_ones.pop()
                partner[first], partner[k] = k, first
        return partner

    def _bodies(self):
        """First and last token of each function's body, and the type that it returns."""
        k = 0
        while k < len(self.tokens):
            if self.word(k) == "{" and k in self.partner:
                if self.word(k - 1) == ")":
                    yield k, self.partner[k], self._returned(self.partner[k - 1])
                k = self.partner[k]
            k += 1

    def _returned(self, opening):
        name = opening - 1
        if self.word(name) == ")":  # NAME_OF_VARIANT(name)(arguments)
            name = self.partner[name] - 1
        return self.word(name - 1)

    def _fixed(self):
        fixed = set()
        for k, token in enumerate(self.tokens):
            if token.kind == "name":
                fixed.update(self._fixed_from(k, token.text))
        return fixed

    def _fixed_from(self, k, name):
        if name in ("enum", "struct", "union"):
            opening = k + 1 if self.word(k + 1) == "{" else k + 2
            return range(k, self.partner[opening] + 1) if self.word(opening) == "{" else ()
        if name == "case":
            return range(k, self._next(k, ":"))
        if name == "size_t" and self.word(k + 2) == "=":
            return range(k, self._next(k, ";"))
        if self.word(k + 1) == "(" and self._speaks_or_allocates(k):
            return range(k, self.partner[k + 1] + 1)
        if name == "sizeof":
            return range(k, k + 4)
        if self.word(k + 1) == "[" and self._declares(k):
            return self._sizes(k + 1)
        return ()

    def _next(self, k, text):
        while k < len(self.tokens) and self.word(k) != text:
            k += 1
        return k

    def _speaks_or_allocates(self, k):
        if LEFT_ALONE.search(self.word(k)):
            return True
        if self.word(k) in CONTROL or COMPARES_WORDS.match(self.word(k)):
            return False
        return any(self.tokens[i].kind == "string" and self.tokens[i].text[0] == '"' for i in self._inside(k + 1))

    def _inside(self, opening):
        """Tokens between two brackets, not those of inner brackets."""
        k = opening + 1
        while k < self.partner.get(opening, 0):
            yield k
            k = self.partner.get(k, k) + 1 if self.word(k) in tuple("([{") else k + 1

    def _declares(self, k):
        before = self.tokens[k - 1] if k else None
        return before is not None and (before.kind == "name" and before.text not in NOT_A_TYPE or self._is_pointer(k - 1))

    def _is_pointer(self, k):
        return self.word(k) == "*" and self.text[self.tokens[k].end] != " "

    def _sizes(self, k):
        while self.word(k) == "[":
            yield from range(k, self.partner[k] + 1)
            k = self.partner[k] + 1

    def is_binary(self, k):
        """The format has a space on both sides of binary operators only."""
        t = self.tokens[k]
        return self.text[t.start - 1] == " " and self.text[t.end : t.end + 1] in (" ", "\n") or self.text[t.start - 1] == "\n"

    def right_end(self, k, stops):
        """Offset where the operand behind operator k ends."""
        k += 1
        while k < len(self.tokens) and self.word(k) not in (")", "]", "}"):
            if self.word(k) in LOOSER or (self.word(k) in stops and self.is_binary(k)):
                break
            k = self.partner.get(k, k) + 1
        return self.tokens[k - 1].end

    def left_start(self, k, stops):
        """Offset where the operand before operator k starts."""
        k -= 1
        while k >= 0 and self.word(k) not in ("(", "[", "{"):
            if self.word(k) in LOOSER or (self.word(k) in stops and self.is_binary(k)):
                break
            k = self.partner.get(k, k) - 1
        return self.tokens[k + 1].start

    def touches_fixed(self, start, end):
        first = bisect.bisect_left(self.tokens, start, key=lambda t: t.end - 1)
        while first < len(self.tokens) and self.tokens[first].start < end:
            if first in self.fixed:
                return True
            first += 1
        return False


# ---- one token at a time ----


def numbers(source, k):
    t = source.tokens[k]
    if t.kind != "number" or t.text[:2].lower() == "0x":
        return
    if re.search(r"[.eE]", t.text):
        if float(t.text) != 0:
            yield "scale", t.start, t.end, f"({t.text} * 1.1)"
        yield "replace", t.start, t.end, "1.0" if float(t.text) == 0 else "0.0"
    elif t.text.isdigit():
        yield "more", t.start, t.end, str(int(t.text) + 1)
        yield "less", t.start, t.end, str(int(t.text) - 1) if t.text != "0" else "(-1)"


def signs(source, k):
    t = source.tokens[k]
    if t.text in SIGN and (source.is_binary(k) or len(t.text) == 2):
        yield "sign", t.start, t.end, SIGN[t.text]
    elif t.text == "-" and t.kind == "operator":
        yield "sign", t.start, t.end, ""


def operands(source, k):
    t = source.tokens[k]
    if t.kind != "operator" or not source.is_binary(k):
        return
    if t.text in SUM:
        yield "term", t.start, source.right_end(k, SUM), ""
        yield "term", source.left_start(k, set()), t.end, "" if t.text == "+" else "-"
    elif t.text in ("*", "/"):
        yield "factor", t.start, source.right_end(k, SUM | PRODUCT), ""
        if t.text == "*":
            yield "factor", source.left_start(k, SUM), t.end, ""


def comparisons(source, k):
    t = source.tokens[k]
    if t.kind != "operator" or not source.is_binary(k):
        return
    if t.text in EDGE:
        yield "edge", t.start, t.end, EDGE[t.text]
    if t.text in FLIP:
        yield "flip", t.start, t.end, FLIP[t.text]


def names(source, k):
    t = source.tokens[k]
    end = re.search(r"(?<![a-z])f?(min|max)(?![a-z])", t.text)
    if t.kind == "name" and end and source.word(k + 1) == "(":
        yield "swap", t.start, t.end, t.text[: end.start(1)] + OTHER_END[end[1]] + t.text[end.end(1) :]


def starts_statement(source, k):
    before = source.word(k - 1)
    if before == ")":
        return source.word(source.partner[k - 1] - 1) in CONTROL
    return before in (";", "{", "}", "else", ":")


def statement_end(source, k):
    while source.word(k) not in (";", "}", ""):
        k = source.partner.get(k, k) + 1 if source.word(k) in tuple("([{") else k + 1
    return k


def statements(source, k):
    t = source.tokens[k]
    if t.kind not in ("name", "operator") or t.text in CONTROL | NOT_A_TYPE | set(";{}()") or not starts_statement(source, k):
        return
    end = statement_end(source, k)
    if source.word(end) != ";":
        return
    words = [source.word(i) for i in range(k, end)]
    whole = t.start, source.tokens[end].start, ""
    if source.word(k + 1) == "(" and source.partner[k + 1] == end - 1:
        yield "call", *whole
    elif "+=" in words or "-=" in words or words[-1] in ("++", "--"):
        yield "term", *whole


def is_real(source, k, end):
    return any(source.tokens[i].kind == "number" and "." in source.word(i) for i in range(k, end)) or any(
        source.word(i) in ("*", "/") and source.is_binary(i) for i in range(k, end))


def values(source, k, returned):
    """Right sides of assignments and of declarations, and what a function of type double returns."""
    t = source.tokens[k]
    if t.text == "return":
        first, end = k + 1, statement_end(source, k)
    elif t.text == "=" and t.kind == "operator":
        first, end = k + 1, k + 1
        while source.word(end) not in (",", ";", ")", "}", ""):
            end = source.partner.get(end, end) + 1
    else:
        return
    if first >= end or source.word(first) == "{":
        return
    start, stop = source.tokens[first].start, source.tokens[end - 1].end
    if returned == "double" if t.text == "return" else is_real(source, first, end):
        yield "nudge", start, stop, f"0.999 * ({source.text[start:stop]})"
        yield "gain", start, stop, f"1.1 * ({source.text[start:stop]})"
    if t.text == "=" and source.text[start:stop] not in ("0", "0.0", "NULL"):
        yield "zero", start, stop, "0"


def inside_functions(source):
    for first, last, returned in source.bodies:
        for k in range(first + 1, last):
            if k in source.fixed:
                continue
            for rule in (numbers, signs, operands, comparisons, names, statements):
                yield from rule(source, k)
            yield from values(source, k, returned)


def constants(text):
    for m in CONSTANT.finditer(text):
        yield "scale", m.start(1), m.end(1), f"({m[1]} * 1.1)"


def mutations(path, text):
    """All of a file, in the order of their places."""
    source, count, line_starts = Source(text), {}, [0] + [m.end() for m in re.finditer("\n", text)]
    found = [m for m in inside_functions(source) if not source.touches_fixed(m[1], m[2])] + list(constants(text))
    for kind, start, end, new in sorted(set(found), key=lambda m: (m[1], KINDS.index(m[0]), m[2], m[3])):
        place = f"{path}:{bisect.bisect_right(line_starts, start)}:{kind}"
        count[place] = count.get(place, 0) + 1
        number = f".{count[place]}" if count[place] > 1 else ""
        yield Mutation(path, place + number, kind, start, end, new)
