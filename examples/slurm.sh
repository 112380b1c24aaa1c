#!/bin/bash
# A job for Slurm: the Gram matrix of all graphs on four nodes, one rank on each, which uses all cores of it; then the
# protocol, which goes on where it was when the job is started again.
#
#   sbatch examples/slurm.sh graphs.leman
#
#SBATCH --job-name=leman
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=0
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
set -euo pipefail
data=${1:?"usage: sbatch slurm.sh DATA"}

# srun starts the ranks by PMIx, which Open MPI knows; --mpi=pmi2 for MPICH. Where Slurm was built without either,
# `mpirun leman ...` does the same.
run=(srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" leman)

"${run[@]}" gram "$data" -a delta-2-LWL -r 3 --normalize --threads "$SLURM_CPUS_PER_TASK" -o gram.npy
"${run[@]}" evaluate "$data" -a delta-2-LWL --threads "$SLURM_CPUS_PER_TASK" --resume evaluate.journal --json -o evaluate.json
