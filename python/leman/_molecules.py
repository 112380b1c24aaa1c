"""Molecules: `Dataset.from_smiles`, and `Dataset.from_rdkit` for those that RDKit holds.

An atom's label is the number that the reader of SDF files gives it (docs/formats.md): atomic number + 1000 charge + 100000
radical + 1000000 isotope, a charge of -c as 50 + c, so models meet the labels they were trained on whichever way molecules
came. Bonds are 1 single, 2 double, 3 triple, 4 aromatic. Memory: four integers an atom and a bond; the molecules are not kept.
SMILES are read by the library itself; RDKit is only asked for where it is told to sanitize them.
"""
from __future__ import annotations

import ctypes
from array import array
from typing import Any, Iterable, Iterator

import numpy as np

from . import _values as v
from ._arrays import from_arrays
from ._dataset import Dataset
from ._errors import InputError, warn
from ._learned import with_y
from ._library import Session, options

_BONDS = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "DATIVE": 9, "HYDROGEN": 10, "QUADRUPLE": 11}
_ATOM_LABELS = {"element": 1, "charge": 2, "isotope": 4, "radical": 8, "columns": 16, "hydrogens": 32, "aromatic": 64}
SYMBOLS = ("* H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr "
           "Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba").split()


def _label(number: int, charge: int, radical: int, isotope: int) -> int:
    if radical:
        radical = 2 if radical % 2 else 3
    return number + 1000 * (charge if charge >= 0 else 50 - charge) + 100000 * radical + 1000000 * isotope


class _Arrays:
    def __init__(self) -> None:
        from rdkit.Chem import rdchem
        self.bonds = {value: _BONDS.get(name, 8) for name, value in rdchem.BondType.names.items()}
        self.offsets, self.atoms = array("q", [0]), array("q")
        self.tails, self.heads, self.kinds = array("q"), array("q"), array("q")

    def add(self, molecule: Any) -> None:
        first, bonds = self.offsets[-1], self.bonds
        atoms = molecule.GetAtoms()
        self.atoms.extend([
            a.GetAtomicNum() if not (a.GetFormalCharge() or a.GetNumRadicalElectrons() or a.GetIsotope()) else
            _label(a.GetAtomicNum(), a.GetFormalCharge(), a.GetNumRadicalElectrons(), a.GetIsotope()) for a in atoms])
        for bond in molecule.GetBonds():
            self.tails.append(first + bond.GetBeginAtomIdx())
            self.heads.append(first + bond.GetEndAtomIdx())
            self.kinds.append(bonds[bond.GetBondType()])
        self.offsets.append(len(self.atoms))

    def dataset(self, y: Any, names: Any, **more: Any) -> Dataset:
        tails, heads = np.frombuffer(self.tails, dtype=np.int64) if self.tails else np.zeros(0, np.int64), \
            np.frombuffer(self.heads, dtype=np.int64) if self.heads else np.zeros(0, np.int64)
        kinds = np.array(self.kinds, dtype=np.int64)
        atoms = np.array(self.atoms, dtype=np.int64)
        return from_arrays(np.stack([np.concatenate([tails, heads]), np.concatenate([heads, tails])]),
                           np.array(self.offsets, dtype=np.int64), vertex_labels=atoms,
                           edge_labels=np.concatenate([kinds, kinds]), y=y, names=names, **more)


def from_rdkit(molecules: Iterable[Any], y: Any = None, *, names: Any = None, **more: Any) -> Dataset:
    """See Dataset.from_rdkit."""
    arrays = _Arrays()
    for place, molecule in enumerate([molecules] if hasattr(molecules, "GetAtoms") else molecules):
        if not hasattr(molecule, "GetAtoms"):
            raise InputError(f"molecule {place}: found {type(molecule).__name__}, expected a molecule of RDKit")
        arrays.add(molecule)
    return arrays.dataset(y, names, **more)


def _parsed(smiles: Iterable[str], sanitize: bool) -> Iterator[tuple[Any, Any]]:
    from rdkit import Chem, rdBase
    parse = Chem.MolFromSmiles
    with rdBase.BlockLogs():
        for text in smiles:
            yield text, (parse(text, sanitize=sanitize) if _is_text(text) else None)


def _those(values: Any, kept: list[int], count: int, what: str) -> Any:
    """The values of the molecules that are kept."""
    if values is None:
        return None
    if not hasattr(values, "__array__"):
        values = v.listed(values, what)
    found = v.array(values, what, masked=what == "y") if hasattr(values, "__array__") else values
    if np.ndim(found) == 0 if hasattr(found, "shape") else False:
        raise InputError(f"{what}: found one value, expected {count}, one for each SMILES")
    if len(found) != count:
        raise InputError(f"{what}: found {len(found)}, expected {count}, one for each SMILES")
    return found[kept] if hasattr(found, "shape") else [found[i] for i in kept]


def choose(session: Session, chosen: Any, *, smiles_column: Any = None, atom_labels: Any = None,
           hydrogens: str = "as-written", aromatic: str = "as-written", on_error: str = "raise") -> None:
    """What is asked for of molecules, into a leman_read_options."""
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error: found {on_error!r}, expected 'raise' or 'skip'")
    if smiles_column is not None:
        chosen.smiles_column = v.text(str(smiles_column), "smiles_column")
    for label in (atom_labels.split(",") if isinstance(atom_labels, str) else atom_labels or ()):
        if label not in _ATOM_LABELS:
            raise InputError(f"atom_labels: found {label!r}, expected some of {', '.join(_ATOM_LABELS)}")
        chosen.atom_labels |= _ATOM_LABELS[label]
    for name, value in (("hydrogens", hydrogens), ("aromatic", aromatic)):
        setattr(chosen, name, v.choice(session, f"leman_{name}_parse", value, name))
    chosen.skip_unreadable = on_error == "skip"


def _through_rdkit(smiles: Iterable[str], on_error: str, arrays: _Arrays) -> list[int]:
    """Those that RDKit cannot sanitize are left out; their places."""
    refused = []
    for place, (text, molecule) in enumerate(_parsed(smiles, True)):
        if molecule is not None:
            arrays.add(molecule)
        elif on_error == "raise":
            raise InputError(f"SMILES {place}: found {text!r}, which RDKit cannot read; on_error='skip' leaves it out")
        else:
            refused.append(place)
    return refused


def _is_text(value: Any) -> bool:
    """C takes a zero character for the end of a text."""
    return isinstance(value, str) and "\0" not in value


def _texts(values: list[Any], what: str) -> Any:
    """char *[len(values)]."""
    place = next((i for i, value in enumerate(values) if not _is_text(value)), None)
    if place is not None:
        expected = "a text without a zero character" if isinstance(values[place], str) else "a text"
        raise InputError(f"{what} {place}: found {v.shown(values[place])}, expected {expected}")
    return (ctypes.c_char_p * max(1, len(values)))(*[value.encode("utf-8", "replace") for value in values])


def from_smiles(smiles: Iterable[str], y: Any = None, *, on_error: str = "raise", sanitize: bool = False,
                names: Any = None, atom_labels: Any = None, hydrogens: str = "as-written", aromatic: str = "as-written",
                **more: Any) -> Dataset:
    """See Dataset.from_smiles."""
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error: found {on_error!r}, expected 'raise' or 'skip'")
    if isinstance(smiles, str):
        raise InputError(f"found the text {smiles!r}, expected a list of SMILES")
    texts = v.listed(smiles, "smiles")
    everything = list(range(len(texts)))
    names = None if names is None else ["" if v.is_missing(name) else str(name) for name in
                                       _those(names, everything, len(texts), "names")]
    if sanitize:
        arrays = _Arrays()
        refused = _through_rdkit(texts, on_error, arrays)
    else:
        if on_error == "skip":  # what is no text cannot be read either
            texts = [text if _is_text(text) else "" for text in texts]
        chosen, out, marks = options("leman_read_options"), ctypes.c_void_p(), (ctypes.c_bool * max(1, len(texts)))()
        with Session(1) as session:
            choose(session, chosen, atom_labels=atom_labels, hydrogens=hydrogens, aromatic=aromatic, on_error=on_error)
            session.call("leman_dataset_from_smiles", _texts(texts, "SMILES"), None if names is None else _texts(names, "name"),
                         len(texts), ctypes.byref(chosen), marks, ctypes.byref(out))
        made = Dataset._made(out)
        refused = np.flatnonzero(np.frombuffer(bytes(marks), dtype=np.bool_)[:len(texts)]).tolist()
    if refused:
        warn(f"{len(refused)} of {len(texts)} SMILES cannot be read and were left out, the first is number {refused[0]}")
        left_out = set(refused)
        kept = [i for i in everything if i not in left_out]
        y, names = _those(y, kept, len(texts), "y"), _those(names, kept, len(texts), "names")
    if sanitize:
        return arrays.dataset(y, names, **more)
    if more:
        raise TypeError(f"from_smiles: found {', '.join(more)}, expected y, names, on_error, sanitize, atom_labels, hydrogens "
                        "or aromatic")
    return with_y(made, y)
