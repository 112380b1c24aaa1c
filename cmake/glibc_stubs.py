"""glibc_stubs.py COMPILER OLDEST FOLDER [OPTION ...]: stand-ins for the libraries of glibc, to link against.

A symbol of glibc has versions, and a linker takes the newest one, which an older system does not have. FOLDER gets libraries
of the same names without code. Each has every symbol in the newest version that glibc OLDEST (such as 2.28) had already.
What is linked against them runs on that glibc and on all later ones, and a function that is younger than OLDEST
is an error of the linker. COMPILER with its OPTIONs knows where this machine's glibc is."""
import os
import re
import subprocess
import sys

LIBRARIES = {"c": "libc.so.6", "m": "libm.so.6", "pthread": "libpthread.so.0", "dl": "libdl.so.2", "rt": "librt.so.1"}
# Functions that glibc moved from another library into libc.so.6 in 2.32 to 2.34. A loader before that looks for a symbol in the
# library where it was when the program was linked.
MOVED = {"libpthread.so.0": ("pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_"), "libdl.so.2": ("dl",),
         "librt.so.1": ("shm_", "timer_", "mq_", "aio_", "lio_")}
LOADERS = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def number(version):
    return tuple(int(part) for part in version.split("."))


def symbols(library, oldest):
    """{name: (version, type, newest)} of the symbols that glibc `oldest` had: of each, the newest version of that time and of all."""
    found, newest = {}, {}
    for line in run("readelf", "--dyn-syms", "--wide", library).splitlines():
        fields = line.split()
        match = len(fields) >= 8 and re.fullmatch(r"(\w+)@@?GLIBC_([0-9.]+)", fields[7])
        if not match or fields[6] in ("UND", "ABS"):
            continue
        name, version = match[1], number(match[2])
        newest[name] = max(version, newest.get(name, ()))
        if version <= oldest and (name not in found or version > found[name][0]):
            found[name] = (version, "object" if fields[3] == "OBJECT" else "function")
    return {name: (*chosen, newest[name]) for name, chosen in found.items()}


def place(name, newest, oldest):
    """The library that had the symbol of this machine's libc.so.6 in glibc `oldest`."""
    moved = newest > oldest and next((soname for soname, begins in MOVED.items() if name.startswith(begins)), None)
    return moved or "libc.so.6"


def make(compiler, soname, folder, oldest):
    """Writes FOLDER/SONAME, a library with the symbols that the library of that name had."""
    chosen = {}
    for library in dict.fromkeys((soname, "libc.so.6")):
        for name, (version, kind, newest) in symbols(run(*compiler, f"-print-file-name={library}").strip(), oldest).items():
            if library != "libc.so.6" or place(name, newest, oldest) == soname:
                chosen[name] = (".".join(map(str, version)), kind)
    source, script = os.path.join(folder, "stub.s"), os.path.join(folder, "stub.map")
    with open(source, "w", encoding="ascii") as file:
        for i, (name, (version, kind)) in enumerate(sorted(chosen.items())):
            file.write(f".globl stub{i}\n.type stub{i}, %{kind}\nstub{i}: .symver stub{i}, {name}@@@GLIBC_{version}\n")
    with open(script, "w", encoding="ascii") as file:
        for version in sorted({version for version, _ in chosen.values()}, key=number):
            file.write(f"GLIBC_{version} {{ }};\n")
    versions = [f"-Wl,--version-script={script}"] if chosen else []
    run(*compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", *versions, source, "-o", os.path.join(folder, soname))


def main(compiler, oldest, folder, *options):
    compiler = (compiler, *options)
    os.makedirs(folder, exist_ok=True)
    loader = LOADERS[run(*compiler, "-dumpmachine").split("-")[0]]
    for soname in (*LIBRARIES.values(), loader):
        make(compiler, soname, folder, number(oldest))
    for name, soname in LIBRARIES.items():
        rest = ""
        if name == "c":  # the functions of libc.so that every program and library gets a copy of
            rest = f"{run(*compiler, '-print-file-name=libc_nonshared.a').strip()} AS_NEEDED ( {folder}/{loader} )"
        with open(os.path.join(folder, f"lib{name}.so"), "w", encoding="utf-8") as file:
            file.write(f"GROUP ( {folder}/{soname} {rest} )\n")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: glibc_stubs.py COMPILER OLDEST FOLDER [OPTION ...]")
    main(*sys.argv[1:])
