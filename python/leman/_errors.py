"""Exceptions and warnings. The text of an exception is the library's sentence: which file, which line, what was found,
what was expected."""
from __future__ import annotations

import errno
import sys
import types
import warnings

from . import _declarations as c


class Error(Exception):
    """The base of all exceptions of this package. The text is one sentence: where, what was found, what was expected.

    Examples
    --------
    >>> import leman
    >>> try:
    ...     leman.Dataset.from_smiles(["CCO", "C1CC"])
    ... except leman.Error as error:
    ...     print(type(error).__name__)
    InputError
    """


class ArgumentError(Error, ValueError):
    """Something was asked for that does not exist."""


class InputError(Error, ValueError):
    """A file or a graph is not what it should be."""


class MemoryBudgetError(Error, MemoryError):
    """The work would need more than the memory budget."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """The system refused to open, read, write or rename a file."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class RefusedFileError(FileError, PermissionError):
    """The file is there, and may not be read or written."""


class NetworkError(Error, OSError):
    """A download failed."""


class CancelledError(Error):
    """A callback ended the work."""


class UnsupportedError(Error, NotImplementedError):
    """An optional part is not in this build, or not on this machine."""


class DeviceError(Error, RuntimeError):
    """A GPU is missing, too old or failed."""


class InternalError(Error, RuntimeError):
    """A check of the library on itself failed: please report it."""


class DataWarning(UserWarning):
    """Graphs were changed on their way in: edges made two-way, repeated edges or self-loops removed. Or something that they have is not
    used."""


_INSIDE = {__name__.partition(".")[0], "sklearn", "joblib"}  # scikit-learn calls the estimators of its pipelines and searches


def warn(text: str, category: type[Warning] = DataWarning) -> None:
    """A warning that names the line that called this package, also through scikit-learn."""
    level = 2
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _INSIDE:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def file_error(sentence: str, number: int) -> FileError:
    """The exception of a failure of the system by its errno: also Python's own, where that has one."""
    kind = {errno.ENOENT: MissingFileError, errno.EACCES: RefusedFileError, errno.EPERM: RefusedFileError}.get(number, FileError)
    made = kind(sentence)
    made.errno = number
    return made


ERRORS: dict[int, type[Error]] = {
    c.LEMAN_ERROR_MEMORY: OutOfMemoryError,
    c.LEMAN_ERROR_BUDGET: MemoryBudgetError,
    c.LEMAN_ERROR_ARGUMENT: ArgumentError,
    c.LEMAN_ERROR_INPUT: InputError,
    c.LEMAN_ERROR_FILE: FileError,
    c.LEMAN_ERROR_NETWORK: NetworkError,
    c.LEMAN_ERROR_CANCELLED: CancelledError,
    c.LEMAN_ERROR_UNSUPPORTED: UnsupportedError,
    c.LEMAN_ERROR_INTERNAL: InternalError,
    c.LEMAN_ERROR_DEVICE: DeviceError,
}
