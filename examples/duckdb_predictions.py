#!/usr/bin/env python3
"""Predictions for the molecules of a DuckDB table, as another table that SQL can join.

    examples/duckdb_predictions.py lab.duckdb --train "SELECT smiles, active FROM assays" --new "SELECT id, smiles FROM candidates"

The first query has a SMILES and a class in each row, the second one a key and a SMILES. The table `predictions` gets a row for each
row of the second query: the key, the status (ok, or why there is no prediction), the class and its probability. Molecules are read and
predicted some thousands at a time, so the second query may be longer than memory. Rows of --train without a class or a
readable SMILES take no part, and their number is printed.
"""
import argparse
import sys

import duckdb
import pandas as pd

import leman


def fit(connection, query, method="1-WL", random_state=1):
    """A model of the molecules of a query, and the number of rows that took no part."""
    rows = connection.execute(query).fetchall()
    known = [(smiles, label) for smiles, label in rows if smiles is not None and label is not None and readable(smiles)]
    if not known:
        raise leman.InputError(f"found no row with a SMILES and a class among {len(rows)}")
    model = leman.GraphSVC(method, random_state=random_state).fit([smiles for smiles, _ in known], [label for _, label in known])
    return model, len(rows) - len(known)


def readable(smiles):
    try:
        leman.Dataset.from_smiles([smiles])
    except leman.InputError:
        return False
    return True


def predict(connection, model, query, table="predictions", rows_at_once=5000):
    """Writes the table and returns its number of rows. The table appears whole or not at all."""
    source = connection.cursor()  # the connection itself writes while this one reads
    source.execute(query)
    written = 0
    connection.begin()
    try:
        connection.execute(f"CREATE OR REPLACE TABLE {table} (key VARCHAR, status VARCHAR, class VARCHAR, probability DOUBLE)")
        while rows := source.fetchmany(rows_at_once):
            found = model.predictions([smiles for _, smiles in rows])
            part = pd.DataFrame([(str(key), one["status"], *best(one)) for (key, _), one in zip(rows, found)],
                                columns=["key", "status", "class", "probability"])
            connection.register("part", part)
            connection.execute(f"INSERT INTO {table} SELECT * FROM part")
            connection.unregister("part")
            written += len(rows)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return written


def best(row):
    """The class of a row of predictions() and its probability; None without a prediction."""
    if row["status"] != "ok":
        return None, None
    return str(row["class"]), row["probabilities"][row["class"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database")
    parser.add_argument("--train", required=True)
    parser.add_argument("--new", required=True)
    parser.add_argument("--method", default="1-WL")
    asked = parser.parse_args()
    try:
        with duckdb.connect(asked.database) as connection:
            model, left_out = fit(connection, asked.train, asked.method)
            written = predict(connection, model, asked.new)
    except (duckdb.Error, leman.Error) as error:
        sys.exit(f"duckdb_predictions: {error}")
    print(f"{written} predictions; {left_out} rows of --train took no part")


if __name__ == "__main__":
    main()
