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

from . import _declarations as c
from . import _values as v
from ._arrays import from_arrays
from ._dataset import Dataset
from ._errors import InputError, warn
from ._learned import with_y
from ._library import Session, lib, options
from ._policy import policy_of, reading_text, warn_of_cleaning

_BONDS = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "DATIVE": 9, "HYDROGEN": 10, "QUADRUPLE": 11}
_ATOM_LABELS = {"element": 1, "charge": 2, "isotope": 4, "radical": 8, "columns": 16, "hydrogens": 32, "aromatic": 64,
                "ecfp": 128, "fcfp": 256}
_STEPS = {"fragment": c.LEMAN_STANDARDIZE_FRAGMENT, "groups": c.LEMAN_STANDARDIZE_GROUPS, "charges": c.LEMAN_STANDARDIZE_CHARGES}
SYMBOLS = ("* H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr "
           "Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba").split()


def _label(number: int, charge: int, radical: int, isotope: int) -> int:
    if radical:
        radical = 2 if radical % 2 else 3
    return number + 1000 * (charge if charge >= 0 else 50 - charge) + 100000 * radical + 1000000 * isotope


def _is_plain(atom: Any) -> bool:
    """A hydrogen that SMILES and SDF files merge into its neighbour."""
    from rdkit.Chem import BondType
    if atom.GetFormalCharge() or atom.GetIsotope() or atom.GetNumRadicalElectrons() or atom.GetNumExplicitHs() or atom.GetDegree() != 1:
        return False
    bond = atom.GetBonds()[0]
    return bond.GetBondType() == BondType.SINGLE and bool(bond.GetOtherAtom(atom).GetAtomicNum() > 1)


def _with_aromatic_rings(molecule: Any) -> Any:
    """A copy with aromatic rings if all bonds are written as single and double, else the molecule."""
    from rdkit import Chem
    if any(bond.GetIsAromatic() for bond in molecule.GetBonds()) or molecule.GetNumBonds() < 3:
        return molecule
    found = Chem.Mol(molecule)
    try:
        found.UpdatePropertyCache(strict=False)
        Chem.FastFindRings(found)
        Chem.SetAromaticity(found)
    except (ValueError, RuntimeError):  # what RDKit cannot perceive stays as it is
        return molecule
    return found


class _Arrays:
    def __init__(self, hydrogens: str = "implicit", aromatic: str = "rdkit") -> None:
        from rdkit.Chem import rdchem
        for name, value, known in (("hydrogens", hydrogens, ("implicit", "as-written")), ("aromatic", aromatic, ("rdkit", "as-written"))):
            if value not in known:
                raise InputError(f"{name}: found {value!r}, expected {known[0]!r} or {known[1]!r}")
        self.merge, self.perceive = hydrogens == "implicit", aromatic == "rdkit"
        self.bonds = {value: _BONDS.get(name, 8) for name, value in rdchem.BondType.names.items()}
        self.offsets, self.atoms = array("q", [0]), array("q")
        self.tails, self.heads, self.kinds = array("q"), array("q"), array("q")

    def add(self, molecule: Any) -> None:
        first, bonds = self.offsets[-1], self.bonds
        if self.perceive:
            molecule = _with_aromatic_rings(molecule)
        merged = {a.GetIdx() for a in molecule.GetAtoms() if a.GetAtomicNum() == 1 and _is_plain(a)} if self.merge else set()
        atoms = [a for a in molecule.GetAtoms() if a.GetIdx() not in merged] if merged else molecule.GetAtoms()
        place = {a.GetIdx(): new for new, a in enumerate(atoms)} if merged else range(len(atoms))
        self.atoms.extend([
            a.GetAtomicNum() if not (a.GetFormalCharge() or a.GetNumRadicalElectrons() or a.GetIsotope()) else
            _label(a.GetAtomicNum(), a.GetFormalCharge(), a.GetNumRadicalElectrons(), a.GetIsotope()) for a in atoms])
        for bond in molecule.GetBonds():
            begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            if begin in merged or end in merged:
                continue
            self.tails.append(first + place[begin])
            self.heads.append(first + place[end])
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


def _ways_of(reading: int) -> tuple[str, str]:
    """hydrogens and aromatic of from_rdkit() for the code of a model, if molecules of RDKit can be read in that way."""
    hydrogens = {c.LEMAN_HYDROGENS_IMPLICIT: "implicit", c.LEMAN_HYDROGENS_AS_WRITTEN: "as-written"}
    aromatic = {c.LEMAN_AROMATIC_RDKIT: "rdkit", c.LEMAN_AROMATIC_AS_WRITTEN: "as-written"}
    chosen = options("leman_read_options")
    with Session(1) as session:
        session.call("leman_reading_apply", reading, ctypes.byref(chosen), None)
    usual = sum(_ATOM_LABELS[label] for label in ("element", "charge", "isotope", "radical"))
    if (chosen.hydrogens not in hydrogens or chosen.aromatic not in aromatic or chosen.atom_labels not in (0, usual)
            or chosen.stereo != c.LEMAN_STEREO_NONE):
        raise InputError(f"found molecules of RDKit for a model whose molecules were read with {reading_text(reading)}, expected SMILES "
                         "(rdkit.Chem.MolToSmiles), which can be read in that way")
    return hydrogens[chosen.hydrogens], aromatic[chosen.aromatic]


def from_rdkit(molecules: Iterable[Any], y: Any = None, *, names: Any = None, hydrogens: str = "implicit", aromatic: str = "rdkit",
               on_error: str = "raise", reading: int = 0, **more: Any) -> Dataset:
    """See Dataset.from_rdkit. reading: the code of a model, which says how its molecules were read."""
    _check_on_error(on_error)
    if reading:
        hydrogens, aromatic = _ways_of(reading)
    arrays, refused = _Arrays(hydrogens, aromatic), []
    listed = [molecules] if hasattr(molecules, "GetAtoms") else list(molecules)
    for place, molecule in enumerate(listed):
        if hasattr(molecule, "GetAtoms"):
            arrays.add(molecule)
        elif molecule is None and on_error == "skip":
            refused.append(place)
        else:
            found = "None, which RDKit gives for what it cannot read (on_error='skip' of from_rdkit leaves it out)" if molecule is None else \
                type(molecule).__name__
            raise InputError(f"molecule {place}: found {found}, expected a molecule of RDKit")
    y, names = _without(refused, len(listed), y, names, "molecules are None")
    made, chosen = arrays.dataset(y, names, **more), options("leman_read_options")
    with Session(1) as session:
        for name, value in (("hydrogens", hydrogens), ("aromatic", aromatic)):
            setattr(chosen, name, v.choice(session, f"leman_{name}_parse", value, name))
        session.call("leman_dataset_set_reading", made._handle.pointer, lib.leman_reading_of(ctypes.byref(chosen), True))
    return made


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


def _without(refused: list[int], count: int, y: Any, names: Any, what: str) -> tuple[Any, Any]:
    """y and names of the molecules that were read, after a warning about the others."""
    if not refused:
        return y, names
    warn(f"{len(refused)} of {count} {what} and were left out, the first is number {refused[0]}")
    left_out = set(refused)
    kept = [i for i in range(count) if i not in left_out]
    return _those(y, kept, count, "y"), _those(names, kept, count, "names")


def _check_on_error(on_error: str) -> None:
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error: found {on_error!r}, expected 'raise' or 'skip'")


def choose(session: Session, chosen: Any, *, smiles_column: Any = None, atom_labels: Any = None,
           hydrogens: str = "implicit", aromatic: str = "rdkit", on_error: str = "raise", standardize: bool | str = False,
           stereo: str = "none") -> None:
    """What is asked for of molecules, into a leman_read_options."""
    _check_on_error(on_error)
    if smiles_column is not None:
        chosen.smiles_column = v.text(str(smiles_column), "smiles_column")
    for label in (atom_labels.split(",") if isinstance(atom_labels, str) else atom_labels or ()):
        if label not in _ATOM_LABELS:
            raise InputError(f"atom_labels: found {label!r}, expected some of {', '.join(_ATOM_LABELS)}")
        chosen.atom_labels |= _ATOM_LABELS[label]
    for name, value in (("hydrogens", hydrogens), ("aromatic", aromatic), ("stereo", stereo)):
        setattr(chosen, name, v.choice(session, f"leman_{name}_parse", value, name))
    for step in ("fragment,groups,charges" if standardize is True else standardize or "").split(",") if standardize else ():
        if step not in _STEPS:
            raise InputError(f"standardize: found {step!r}, expected True, or some of {', '.join(_STEPS)}")
        chosen.standardize |= _STEPS[step]
    chosen.skip_unreadable = on_error == "skip"


def warn_of_duplicates(data: Dataset) -> Dataset:
    """Says how many molecules are in several rows after they were standardised, and how many of these have different labels."""
    found = c.leman_repeats()
    with Session(1) as session:
        session.call("leman_dataset_repeats", data._handle.pointer, ctypes.byref(found))
    if found.contradictions:
        warn(f"{found.classes} of the molecules are in more than one row, {found.contradictions} of them with different classes or values; the first: "
             f"graphs {found.first} and {found.second}")
    elif found.classes:
        warn(f"{found.classes} of the molecules are in more than one row, {found.graphs} rows together")
    return data


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


def is_table(graphs: Any) -> bool:
    """Is it a table of pandas?"""
    return hasattr(graphs, "columns") and hasattr(graphs, "iloc")


def smiles_of(table: Any) -> Any:
    """The SMILES of a table of pandas."""
    return _columns_of(table, None, None)[0]


def _columns_of(table: Any, y: Any, names: Any) -> tuple[Any, Any, Any]:
    """The SMILES of a table of pandas, and y and names, which may be names of its columns."""
    columns = list(table.columns)
    found = [name for name in columns if str(name).lower() == "smiles"] or [name for name in columns if "smiles" in str(name).lower()] or \
        [name for name in columns if str(name).lower() in ("structure", "mol", "molecule", "compound")]
    if not found:
        raise InputError(f"found a table with the columns {', '.join(map(str, columns))}, expected one called smiles, or the column itself")
    y, names = ((table[value].tolist() if isinstance(value, str) and value in columns else value) for value in (y, names))
    return table[found[0]].tolist(), y, names


def from_smiles(smiles: Iterable[str], y: Any = None, *, on_error: str = "raise", sanitize: bool = False,
                names: Any = None, atom_labels: Any = None, hydrogens: str = "implicit", aromatic: str = "rdkit",
                policy: str | None = None, standardize: bool | str = False, stereo: str = "none", reading: int = 0,
                **more: Any) -> Dataset:
    """See Dataset.from_smiles. reading: the code of a model, which says how its molecules were read."""
    _check_on_error(on_error)
    if isinstance(smiles, str):
        raise InputError(f"found the text {smiles!r}, expected a list of SMILES")
    if is_table(smiles):
        smiles, y, names = _columns_of(smiles, y, names)
    texts = v.listed(smiles, "smiles")
    everything = list(range(len(texts)))
    names = None if names is None else ["" if v.is_missing(name) else str(name) for name in
                                       _those(names, everything, len(texts), "names")]
    if sanitize:
        if stereo != "none":
            raise InputError("found stereo and sanitize=True, expected one of them: molecules of RDKit are read without stereochemistry")
        arrays = _Arrays()
        refused = _through_rdkit(texts, on_error, arrays)
    else:
        if on_error == "skip":  # what is no text cannot be read either
            texts = [text if _is_text(text) else "" for text in texts]
        chosen, out, marks = options("leman_read_options"), ctypes.c_void_p(), (ctypes.c_bool * max(1, len(texts)))()
        cleaning = c.leman_cleaning()
        with Session(1) as session:
            choose(session, chosen, atom_labels=atom_labels, hydrogens=hydrogens, aromatic=aromatic, on_error=on_error, standardize=standardize,
                   stereo=stereo)
            rules = policy_of(session, False, policy)
            chosen.policy, chosen.cleaning = ctypes.pointer(rules), ctypes.pointer(cleaning)
            if reading:
                session.call("leman_reading_apply", reading, ctypes.byref(chosen), None)
            session.call("leman_dataset_from_smiles", _texts(texts, "SMILES"), None if names is None else _texts(names, "name"),
                         len(texts), ctypes.byref(chosen), marks, ctypes.byref(out))
        made = Dataset._made(out)
        warn_of_cleaning(cleaning, rules, "SMILES")
        refused = np.flatnonzero(np.frombuffer(bytes(marks), dtype=np.bool_)[:len(texts)]).tolist()
    y, names = _without(refused, len(texts), y, names, "SMILES cannot be read")
    if sanitize:
        return arrays.dataset(y, names, **more)
    if more:
        raise TypeError(f"from_smiles: found {', '.join(more)}, expected y, names, on_error, sanitize, atom_labels, hydrogens, "
                        "aromatic or policy")
    found = with_y(made, y)
    return warn_of_duplicates(found) if standardize else found
