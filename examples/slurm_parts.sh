#!/bin/bash
# A job array for Slurm: features of more molecules than one data set should hold. Each task takes one part of the
# SMILES, a file of its own; columns are hashed, so parts need nothing of each other. Compressed files may be
# concatenated, so the last command merges the parts: the file has the rows of all molecules in their order.
#
#   split --number=l/64 --numeric-suffixes --additional-suffix=.smi molecules.smi part.
#   id=$(sbatch --parsable --array=0-63 examples/slurm_parts.sh)
#   sbatch --dependency=afterok:$id --wrap 'cat part.*.svm.gz > features.svm.gz'
#
#SBATCH --job-name=leman-parts
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --time=01:00:00
set -euo pipefail
part=$(printf 'part.%02d' "$SLURM_ARRAY_TASK_ID")
leman features "$part.smi" -a 1-WL -r 3 --hash-bits 20 --threads "$SLURM_CPUS_PER_TASK" -o "$part.svm.gz"
