"""The C library behind the package: loading it, its contexts, and what becomes of a status.

A call of the library happens inside a `Session`, a leman_context that lives as long as the call:

    with Session(n_jobs=2, seed=7) as session:
        session.call("leman_dataset_read", path, None, None, byref(out))

The GIL is released while C computes. A few times a second the library asks whether to go on: there Ctrl-C is noticed, and
the bar of `verbose` drawn. A status that is not LEMAN_OK becomes an exception with the library's sentence; remarks of the
library go to the logger "leman", and the one that no GPU can be used is a warning. Sessions are never shared between threads; data sets, models and networks may be.
"""
from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import pathlib
import signal
import sys
import tempfile
import threading
import warnings
import weakref
from typing import Any, Callable, Iterator

import numpy as np

from . import _declarations as c
from . import _values as v
from ._errors import ERRORS, ArgumentError, Error, FileError, InternalError, file_error

logger = logging.getLogger("leman")
logger.addHandler(logging.NullHandler())


def _path_of_library() -> str:
    """Where LEMAN_LIBRARY says; in the package leman-cuda, if it is installed; else beside this file, in a build tree by a symbolic link."""
    given = os.environ.get("LEMAN_LIBRARY")
    if given:
        return given
    try:
        from leman_cuda import LIBRARY
    except ImportError:
        return str(pathlib.Path(__file__).parent / ("libleman.dll" if sys.platform == "win32" else "libleman.so"))
    return str(LIBRARY)


def _load() -> Any:
    path = _path_of_library()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"leman: cannot load {path}: {error}") from error
    for name, (result, arguments) in c.PROTOTYPES.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"leman: {path} has no {name}(): it is not the library that this package was made with")
        function.restype, function.argtypes = result, arguments
    version = library.leman_version().decode()
    expected = f"{c.LEMAN_VERSION_MAJOR}.{c.LEMAN_VERSION_MINOR}.{c.LEMAN_VERSION_PATCH}"
    if version != expected:
        raise ImportError(f"leman: {path} is version {version}, expected {expected}")
    return library


lib: Any = _load()
__version__: str = lib.leman_version().decode()

# ---- Threads and processes -----------------------------------------------------------------------

_forked = False


def _after_fork() -> None:
    """The threads of OpenMP do not survive a fork, and a child that waits for them waits for ever: it works alone."""
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def cpu_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def threads_of(n_jobs: int | None) -> int:
    """How many threads: as scikit-learn counts (-1: all, -2: all but one). None: OMP_NUM_THREADS, which joblib sets in its
    workers, else all. Results never depend on it."""
    if n_jobs is not None and (not v.is_integer(n_jobs) or n_jobs == 0):
        raise ArgumentError(f"n_jobs: found {v.shown(n_jobs)}, expected a number of threads, -1 for all, or None")
    if _forked:
        return 1
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
        return max(1, min(int(limit), cpu_count())) if limit.isdigit() else cpu_count()
    return min(int(n_jobs), 1024) if n_jobs > 0 else max(1, cpu_count() + 1 + int(n_jobs))


def seed_of(random_state: Any) -> int:
    """The seed of the library from what scikit-learn calls random_state: None draws one from NumPy's global generator, which
    numpy.random.seed() sets, as in scikit-learn."""
    if random_state is None:
        return int(np.random.randint(2**31 - 1))
    if not v.is_integer(random_state):
        if hasattr(random_state, "randint"):  # numpy.random.RandomState
            return int(random_state.randint(2**31 - 1))
        if hasattr(random_state, "integers"):  # numpy.random.Generator
            return int(random_state.integers(2**31 - 1))
        raise ArgumentError(f"random_state: found {v.shown(random_state)}, expected a number, None, a RandomState or a Generator")
    return v.integer(random_state, "random_state", 0, 2**64 - 1, "a number from 0 to 2^64 - 1")


# ---- Objects of the library ----------------------------------------------------------------------


class Handle:
    """An object of the library, freed when nobody refers to it any more."""

    __slots__ = ("pointer", "_finalizer", "__weakref__")

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        self.pointer: Any = pointer
        self._finalizer = weakref.finalize(self, free, pointer)


def file_content(write: Callable[[str], None]) -> bytes:
    """What write(path) writes, for pickles."""
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        path = os.path.join(folder, "object")
        write(path)
        with open(path, "rb") as file:
            return file.read()


def handle_of(content: bytes, read: str, free: Callable[[Any], None]) -> Handle:
    """The object that the function `read` of the library makes from a file of this content."""
    with tempfile.TemporaryDirectory(prefix="leman-") as folder, Session(1) as session:
        path, out = os.path.join(folder, "object"), ctypes.c_void_p()
        with open(path, "wb") as file:
            file.write(content)
        session.call(read, os.fsencode(path), ctypes.byref(out))
    return Handle(out, free)


def options(name: str, *arguments: Any) -> Any:
    """A struct that callers fill, with its defaults: options("leman_kernel")."""
    struct = c.STRUCTS[name]()
    getattr(lib, f"{name}_init")(ctypes.byref(struct), ctypes.sizeof(struct), *arguments)
    return struct


def text_of(pointer: Any, length: int) -> str:
    return ctypes.string_at(pointer, length).decode("utf-8", "replace") if pointer and length else ""


def sized_text(function: Callable[..., int], *arguments: Any) -> str:
    """What a function writes into text[size] as snprintf() does."""
    buffer = ctypes.create_string_buffer(256)
    length = function(*arguments, buffer, len(buffer))
    if length >= len(buffer):
        buffer = ctypes.create_string_buffer(length + 1)
        function(*arguments, buffer, len(buffer))
    return buffer.value.decode()


# ---- Sessions ------------------------------------------------------------------------------------


class _Bar:
    """tqdm.auto for one call; without tqdm nothing is drawn."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.task = ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            logger.info("verbose: the package tqdm is not installed, so there is no bar")
            tqdm = None
        self.make: Any = tqdm

    def show(self, task: str, done: int, total: int) -> None:
        if self.make is None:
            return
        if self.bar is None or task != self.task:
            self.close()
            self.bar = self.make(total=total or None, desc=task, leave=False, file=sys.stderr)
            self.task = task
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


_CPU_INSTEAD = "; the CPU is used instead"  # how the library ends its remark (src/nn/backends.c, src/refine/device_choice.c)


class Session:
    """A context of the library for one call."""

    def __init__(self, n_jobs: int | None = None, seed: int | None = None, memory: int | None = None, verbose: Any = False,
                 device: str | None = None, precision: int | None = None, device_memory: int | None = None) -> None:
        self._error: BaseException | None = None
        self._interrupts = 0
        self._previous: Any = None
        self._bar = _Bar() if verbose else None
        self._messages: list[str] = []
        settings = options("leman_settings")
        settings.threads = threads_of(n_jobs)
        if seed is not None:
            settings.seed = seed
        if memory is not None:
            settings.memory = v.integer(memory, "memory")
        if device is not None:
            self._device = v.text(device, "device", "'auto', 'cpu', 'cuda' or 'cuda:1'")
            settings.device = self._device
        if precision is not None:
            settings.precision = precision
        if device_memory is not None:
            settings.device_memory = v.integer(device_memory, "device_memory")
        fields = dict(c.leman_settings._fields_)  # type: ignore[arg-type]
        # A callback must not raise: what happens in it is kept for the end of the call.
        self._callbacks = (self.guarded(fields["progress"], self._on_progress), fields["log"](self._on_log))
        settings.progress, settings.log = self._callbacks
        pointer = ctypes.c_void_p()
        status = lib.leman_context_new(ctypes.byref(settings), ctypes.byref(pointer))
        if status:
            raise ERRORS.get(status, Error)(lib.leman_status_name(status).decode())
        self.pointer = pointer

    @property
    def interrupted(self) -> bool:
        return self._interrupts > 0

    @property
    def stopped(self) -> bool:
        """Whether the work is to end: by Ctrl-C, or by an exception of a callback."""
        return self.interrupted or self._error is not None

    # Ctrl-C: Python would raise KeyboardInterrupt inside a callback, where it is lost. While C computes, the signal is
    # only noted; the next progress stops the work, and then the handler that was there before is called.
    def __enter__(self) -> Session:
        if threading.current_thread() is threading.main_thread():
            previous = signal.getsignal(signal.SIGINT)
            if callable(previous):
                with contextlib.suppress(ValueError):  # not the main thread of the main interpreter
                    signal.signal(signal.SIGINT, self._on_interrupt)
                    self._previous = previous
        return self

    def __exit__(self, *unused: Any) -> None:
        if self._bar:
            self._bar.close()
        lib.leman_context_free(self.pointer)
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
        for message in self._messages:
            logger.info("%s", message)
        if self.interrupted:
            self._previous(signal.SIGINT, None)
        for message in self._messages:
            if message.endswith(_CPU_INSTEAD):  # a GPU was expected: this build of the library has the backend of CUDA devices
                warnings.warn(f"leman: {message}", RuntimeWarning, stacklevel=3)

    def _on_interrupt(self, number: int, frame: Any) -> None:
        self._interrupts += 1

    def _on_progress(self, progress: Any) -> bool:
        if self._bar:
            now = progress.contents
            self._bar.show((now.task or b"").decode("utf-8", "replace"), now.done, now.total)
        return not self.stopped

    def guarded(self, kind: Any, function: Callable[[Any], bool]) -> Any:
        """A callback of C of type `kind`, (user, pointer) to bool, that calls function(pointer). An exception ends the work: false is
        returned, and check() raises the exception."""
        def call(user: Any, pointer: Any) -> bool:
            try:
                return function(pointer)
            except BaseException as error:
                self._error = error
                return False

        return kind(call)

    def _on_log(self, user: Any, message: bytes) -> None:
        try:
            self._messages.append(message.decode("utf-8", "replace"))
        except BaseException as error:
            self._error = error

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the library whose first argument is the context and whose result is a status."""
        self.check(getattr(lib, name)(self.pointer, *arguments))

    def check(self, status: int) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if status == c.LEMAN_OK:
            return
        if status == c.LEMAN_ERROR_CANCELLED and self.interrupted:
            raise KeyboardInterrupt
        sentence = lib.leman_context_message(self.pointer).decode("utf-8", "replace")
        kind = ERRORS.get(status, InternalError)
        error_number = lib.leman_context_errno(self.pointer)
        sentence = sentence or lib.leman_status_name(status).decode()
        if kind is FileError and error_number:
            raise file_error(sentence, error_number)
        raise kind(sentence)


@contextlib.contextmanager
def builder(session: Session, name: str, columns: Any) -> Iterator[Any]:
    """A leman_builder, freed before its context."""
    pointer = ctypes.c_void_p()
    session.call("leman_builder_new", v.text(name, "name"), ctypes.byref(columns), ctypes.byref(pointer))
    try:
        yield pointer
    finally:
        lib.leman_builder_free(pointer)


def parse(session: Session, function: str, text: Any, struct: Any, name: str = "method") -> Any:
    """Reads a name into a struct: parse(session, "leman_kernel_parse", "delta-2-LWL", kernel)."""
    session.call(function, v.text(text, name, "the name of a method"), ctypes.byref(struct))
    return struct
