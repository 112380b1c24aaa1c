"""Molecules through RDKit: `Dataset.from_rdkit` and `Dataset.from_smiles`.

An atom's label is the number that the reader of SDF files gives it (docs/formats.md): atomic number + 1000 charge + 100000
radical + 1000000 isotope, a charge of -c as 50 + c, so models meet the labels they were trained on whichever way molecules
came. Bonds are 1 single, 2 double, 3 triple, 4 aromatic. Memory: four integers an atom and a bond; the molecules are not kept.
"""
from __future__ import annotations

import warnings
from array import array
from typing import Any, Iterable, Iterator

import numpy as np

from . import _values as v
from ._arrays import from_arrays
from ._dataset import Dataset
from ._errors import DataWarning, InputError

_BONDS = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "DATIVE": 9, "HYDROGEN": 10}
SYMBOLS = ("* H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr "
           "Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba").split()


def _label(number: int, charge: int, radical: int, isotope: int) -> int:
    if radical:
        radical = min(radical + 1, 3)
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
            yield text, (parse(text, sanitize=sanitize) if isinstance(text, str) else None)


def _those(values: Any, kept: list[int], count: int, what: str) -> Any:
    """The values of the molecules that are kept."""
    if values is None:
        return None
    if not hasattr(values, "__array__"):
        values = v.listed(values, what)
    found = v.array(values, what) if hasattr(values, "__array__") else values
    if np.ndim(found) == 0 if hasattr(found, "shape") else False:
        raise InputError(f"{what}: found one value, expected {count}, one for each SMILES")
    if len(found) != count:
        raise InputError(f"{what}: found {len(found)}, expected {count}, one for each SMILES")
    return found[kept] if hasattr(found, "shape") else [found[i] for i in kept]


def from_smiles(smiles: Iterable[str], y: Any = None, *, on_error: str = "raise", sanitize: bool = True,
                names: Any = None, **more: Any) -> Dataset:
    """See Dataset.from_smiles."""
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error: found {on_error!r}, expected 'raise' or 'skip'")
    if isinstance(smiles, str):
        raise InputError(f"found the text {smiles!r}, expected a list of SMILES")
    arrays, kept, refused = _Arrays(), [], []
    for place, (text, molecule) in enumerate(_parsed(smiles, sanitize)):
        if molecule is None:
            if on_error == "raise":
                raise InputError(f"SMILES {place}: found {text!r}, which RDKit cannot read; on_error='skip' leaves it out")
            refused.append(place)
            continue
        arrays.add(molecule)
        kept.append(place)
    if refused:
        warnings.warn(f"{len(refused)} of {len(kept) + len(refused)} SMILES cannot be read and were left out, the first is "
                      f"number {refused[0]}", DataWarning, stacklevel=3)
        y, names = _those(y, kept, len(kept) + len(refused), "y"), _those(names, kept, len(kept) + len(refused), "names")
    return arrays.dataset(y, names, **more)
