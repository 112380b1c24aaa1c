"""Writes the declarations of the public headers as a Python module for ctypes: constants, enums, structs, prototypes.

    python3 declarations.py INCLUDE_FOLDER OUTPUT.py

Nothing about the C interface is written down in the package itself: this script reads include/leman.h and what that
includes, and knows only the C that is used there: `typedef struct`, `typedef enum`, `#define` of numbers, prototypes behind
LEMAN_API, pointers to functions as members. What it does not understand ends it with a sentence. Opaque structs become
c_void_p, strings c_char_p, arrays that the library hands out pointers to their type.
"""
import os
import re
import sys

PRIMITIVE = {
    "void": "None", "bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "unsigned int": "c_uint",
    "double": "c_double", "float": "c_float", "size_t": "c_size_t", "int64_t": "c_int64", "uint64_t": "c_uint64",
    "uint32_t": "c_uint32", "int32_t": "c_int32", "uint8_t": "c_uint8", "int8_t": "c_int8",
}
PYTHON = {"c_bool": "bool", "c_double": "float", "c_float": "float", "c_char_p": "bytes | None"}
LIMITS = {"UINT32_MAX": "0xFFFFFFFF", "SIZE_MAX": "ctypes.c_size_t(-1).value", "INT64_MIN": "-(2**63)",
          "UINT64_MAX": "2**64 - 1"}


def headers(folder):
    """The public headers, those that others include first."""
    seen, texts = set(), []

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for included in re.findall(r'^#include "([^"]+)"', text, re.M):
            visit(included)
        texts.append(text)

    visit("leman.h")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", "\n".join(texts), flags=re.S)
    text = expanded(re.sub(r"\\\n", " ", text))
    return re.sub(r"static inline [^;{]*\{.*?\n\}", " ", text, flags=re.S)


def expanded(text):
    """Lists of rows, `#define LIST(X) X(NAME, ...) ...`, where they are used: LIST(MACRO), MACRO with one parameter that is pasted."""
    rows = {name: re.findall(r"X\((\w+)", body) for name, body in re.findall(r"(?m)^#define (LEMAN_\w+)\(X\)(.*)$", text)}
    macros = {name: (first, body) for name, first, body in re.findall(r"(?m)^#define (LEMAN_\w+)\((\w+), [^)]*\) (.*)$", text)}

    def use(found):
        first, body = macros[found.group(2)]
        return " ".join(body.replace(f"##{first}", row) for row in rows[found.group(1)])

    return re.sub(rf"\b({'|'.join(rows)})\((?!X\))(\w+)\)", use, text) if rows else text


class Declarations:
    def __init__(self, text):
        self.constants = self.find_constants(text)
        numbers = re.search(r"#define LEMAN_TRAINING_NUMBERS\(X\)(.*)", text)
        self.numbers = re.findall(r"X\((\w+), (\w+), [^,]+, ([^,]+), ([^,]+),", numbers.group(1)) if numbers else []
        text = re.sub(r"(?m)^\s*#.*$", "", text)
        self.enums = {name: self.values(body)
                      for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\} \w+;", text, re.S)}
        self.structs = dict(re.findall(r"typedef struct (\w+) \{(.*?)\n\} \w+;", text, re.S))
        self.opaque = set(re.findall(r"typedef struct (\w+) \1;", text))
        self.prototypes = [" ".join(found.split()) for found in re.findall(r"LEMAN_API ([^;{]*\));", text)]

    @staticmethod
    def find_constants(text):
        found = []
        for name, value in re.findall(r"(?m)^#define (LEMAN_\w+) +(\S.*?)\s*$", text):
            if name == "LEMAN_API" or name.endswith("_H"):
                continue
            value = re.sub(r"UINT64_C\((\w+)\)", r"\1", value)
            value = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uU]\b", r"\1", value)
            value = re.sub(r"\b(UINT32_MAX|SIZE_MAX|INT64_MIN|UINT64_MAX)\b", lambda m: LIMITS[m.group()], value)
            found.append((name, value))
        return found

    @staticmethod
    def values(body):
        number, found = 0, []
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            number = int(value, 0) if value else number
            found.append((name, number))
            number += 1
        return found

    def type(self, text, stars):
        """The ctypes name of a base type with so many stars."""
        base = " ".join(word for word in text.split() if word not in ("const", "struct", "enum"))
        if base in self.enums:
            name = "c_int"
        elif base in PRIMITIVE:
            name = PRIMITIVE[base]
        elif base in self.structs:
            name = base
        elif base in self.opaque:
            name = "opaque"
        else:
            raise SystemExit(f"declarations: found the type '{base}', expected one of the headers or of stdint.h")
        if stars and name in ("None", "opaque"):
            name, stars = "c_void_p", stars - 1
        elif stars and name == "c_char":
            name, stars = "c_char_p", stars - 1
        if name == "opaque":
            raise SystemExit(f"declarations: '{base}' is opaque, expected a pointer to it")
        for _ in range(stars):
            name = f"POINTER({name})"
        return name

    def declarator(self, text):
        """(name, ctypes name) of a parameter or member: `const uint64_t *start`, `char name[256]`."""
        callback = re.fullmatch(r"\s*([\w ]+?)\s*(\**)\s*\(\*(\w+)\)\((.*)\)\s*", text, re.S)
        if callback:
            base, stars, name, parameters = callback.groups()
            types = [self.type(base, len(stars))] + [self.declarator(p)[1] for p in parameters.split(",")]
            return name, f"CFUNCTYPE({', '.join(types)})"
        found = re.fullmatch(r"\s*((?:const )*(?:unsigned int|\w+)(?: const)?)((?:\s|\*|const\b)*)(\w+)?((?:\[\w*\])*)\s*", text)
        if not found:
            raise SystemExit(f"declarations: cannot read '{text.strip()}'")
        base, stars, name, sizes = found.groups()
        type_ = self.type(base, stars.count("*"))
        for size in reversed(re.findall(r"\[(\w*)\]", sizes)):
            type_ = f"{type_} * {size}"
        return name, type_

    def members(self, body):
        for item in filter(None, (part.strip() for part in body.split(";"))):
            if "(*" in item:
                yield self.declarator(item)
                continue
            first, *others = item.split(",")
            base = re.match(r"\s*((?:const )*(?:unsigned int|\w+))", first).group(1)
            for text in [first] + [f"{base} {other.strip()}" for other in others]:
                yield self.declarator(text)

    def functions(self):
        for prototype in self.prototypes:
            result, name, parameters = re.fullmatch(r"(.*?)\b(leman_\w+)\((.*)\)", prototype).groups()
            result = result.strip()
            restype = self.type(result.replace("*", ""), result.count("*"))
            types = [] if parameters == "void" else [self.declarator(p)[1] for p in self.split(parameters)]
            # A text that is not terminated by a zero byte: its length comes beside it.
            if restype == "c_char_p" and "length" in parameters:
                restype = "c_void_p"
            yield name, restype, types

    @staticmethod
    def split(parameters):
        depth, part, parts = 0, "", []
        for character in parameters:
            depth += (character == "(") - (character == ")")
            if character == "," and not depth:
                parts.append(part)
                part = ""
            else:
                part += character
        return parts + [part]

    def write(self, out):
        out('"""The public headers as ctypes declares them. Written by python/declarations.py; do not edit."""')
        out("# ruff: noqa\nimport ctypes\nfrom ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, "
            "c_double, c_float,\n                    c_int, c_int8, c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint32, "
            "c_uint64, c_void_p)\nfrom typing import Any\n")
        for name, value in self.constants:
            out(f"{name} = {value}")
        for name, values in self.enums.items():
            out(f"\n# {name}")
            for value, number in values:
                out(f"{value} = {number}")
        for name, body in self.structs.items():
            members = list(self.members(body))
            out(f"\n\nclass {name}(Structure):")
            for member, type_ in members:
                plain = PYTHON.get(type_, "int" if re.fullmatch(r"c_u?int\d*|c_size_t", type_) else "Any")
                out(f"    {member}: {plain}")
            out("    _fields_ = [")
            for member, type_ in members:
                out(f'        ("{member}", {type_}),')
            out("    ]")
        out("\n\n# The numbers of a training: name, kind, smallest and largest value.")
        out(f"TRAINING_NUMBERS = [{', '.join(f'({name!r}, {kind!r}, {low}, {high})' for name, kind, low, high in self.numbers)}]")
        out("\n\nSTRUCTS: dict[str, type[Structure]] = {")
        for name in self.structs:
            out(f'    "{name}": {name},')
        out("}\n\n# name: (result, arguments)\nPROTOTYPES: dict[str, tuple[Any, list[Any]]] = {")
        for name, result, types in self.functions():
            out(f'    "{name}": ({result}, [{", ".join(types)}]),')
        out("}")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    lines = []
    Declarations(headers(sys.argv[1])).write(lines.append)
    with open(sys.argv[2] + ".part", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(sys.argv[2] + ".part", sys.argv[2])


if __name__ == "__main__":
    main()
