"""Weights and files of a trained network."""
from __future__ import annotations

import ctypes
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import _values as v
from .._errors import ArgumentError, InputError
from .._library import Handle, Session, file_content, handle_of, lib
from ._runs import parameters_of

if TYPE_CHECKING:
    from typing_extensions import Self

Array = npt.NDArray[Any]


class Files(BaseEstimator):  # type: ignore[misc]
    """The part of a GraphNetwork that reads and writes what was trained."""

    classes_: Any
    class_weight: Any
    _network: Handle
    _multilabel: bool

    def _adopt(self, network: Handle, classes: Array | None = None) -> None:
        raise NotImplementedError

    def _check_wanted(self, where: str = "") -> None:
        raise NotImplementedError

    def _exported(self) -> tuple[dict[str, Array], dict[str, Any]]:
        check_is_fitted(self, "_network")
        with tempfile.TemporaryDirectory(prefix="leman-") as folder:
            path = os.path.join(folder, "weights.npz")
            with Session(1) as session:
                session.call("leman_network_export", self._network.pointer, os.fsencode(path))
            with np.load(path) as arrays:
                description: dict[str, Any] = json.loads(bytes(arrays["network.json"]))
                return {weight["name"]: arrays[weight["name"]] for weight in description["weights"]}, description

    def state_dict(self) -> dict[str, Array]:
        """Every weight under its name: what `leman train --export` writes.

        Returns
        -------
        dict of ndarray
        """
        return self._exported()[0]

    def export(self, path: str | os.PathLike[str]) -> None:
        """Writes the file of `leman train --export`, an .npz that leman.nn.torch.Network.from_export() and numpy.load() read.

        Parameters
        ----------
        path : path
        """
        check_is_fitted(self, "_network")
        with Session(1) as session:
            session.call("leman_network_export", self._network.pointer, v.path(path))

    def describe(self) -> dict[str, Any]:
        """All that the weights do not say: architecture, order of labels and types, scaling of targets, the steps of the network (docs/networks.md).

        Returns
        -------
        dict
        """
        return self._exported()[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the network and how it was trained, for GraphNetwork.load() and `leman predict --model`.

        Parameters
        ----------
        path : path
        """
        check_is_fitted(self, "_network")
        with Session(1) as session:
            session.call("leman_network_write", self._network.pointer, v.path(path))

    @classmethod
    def from_torch(cls, module: Any) -> Self:
        """The weights of a leman.nn.torch.Network in a network of the library, to predict, explain and save. It is a copy: further training of the module
        does not change it.

        Parameters
        ----------
        module : leman.nn.torch.Network

        Returns
        -------
        GraphNetwork
        """
        if not hasattr(module, "network") or not hasattr(module, "state_dict"):
            raise ArgumentError(f"module: found {v.shown(module)}, expected a leman.nn.torch.Network")
        if module.network is None:
            raise InputError("found a module without a GraphNetwork that encodes graphs, expected Network(description, network)")
        made = cls(**module.network.get_params())
        made._adopt(handle_of(file_content(module.network.save), "leman_network_read", lib.leman_network_free),
                    getattr(module.network, "classes_", None))
        made._check_wanted()
        made._set_weights({name: weight.detach().cpu().float().numpy() for name, weight in module.state_dict().items()})
        return made

    def _set_weights(self, weights: dict[str, Array]) -> None:
        """All weights of the network, by their names."""
        i, name = 0, lib.leman_network_weight_name(self._network.pointer, 0, None, None)
        while name is not None:
            if name.decode() not in weights:
                raise InputError(f"found no weight {name.decode()}, expected all of the network")
            i, name = i + 1, lib.leman_network_weight_name(self._network.pointer, i + 1, None, None)
        with Session(1) as session:
            for text, weight in weights.items():
                rows, columns = weight.shape if weight.ndim == 2 else (weight.size, 1)
                numbers = np.ascontiguousarray(weight, np.float32)
                session.call("leman_network_set_weight", self._network.pointer, text.encode(),
                             numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), rows, columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """What save() or `leman train --checkpoint` wrote, with the parameters that it was trained with: fit() on the same graphs trains the same network.

        The file has neither what belongs to the machine (device, n_jobs, verbose, memory, device_memory, recompute), nor the files of the run (checkpoint,
        resume), nor the graphs that fit() was told to validate and test on. The files of export() are read, too.

        Parameters
        ----------
        path : path

        Returns
        -------
        GraphNetwork
        """
        pointer, where = ctypes.c_void_p(), v.path(path)
        with Session(1) as session:
            session.call("leman_network_read", where, ctypes.byref(pointer))
        shape = lib.leman_network_describe(pointer).contents
        made = cls()
        made._adopt(Handle(pointer, lib.leman_network_free))
        run = shape.checkpoint.contents
        made.set_params(**parameters_of(shape, run, made.describe()))
        made._check_wanted(f"{os.fsdecode(where)}: ")
        if run.class_weight_count:
            labels = (made.classes_[0] if made._multilabel else made.classes_).tolist()
            made.class_weight = dict(zip(labels, run.class_weight[: run.class_weight_count]))
        return made

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_network" in state:
            state["_network"] = file_content(self.save)
        state.pop("_trained", None)  # it belongs to the process that trained
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_network"), bytes):
            state = {**state, "_network": handle_of(state["_network"], "leman_network_read", lib.leman_network_free)}
        super().__setstate__(state)
