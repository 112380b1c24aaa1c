#!/bin/sh
# Colours on a CUDA device: are they those of the CPU, and how long do they take? On a machine with a device:
#
#   bench/cuda/colors.sh BUILD DATA [quick]
#
# BUILD: a folder that was configured with -DLEMAN_CUDA=ON and built (all, and bench_colors_cuda); DATA: a folder with
# MUTAG.zip, ENZYMES.zip, PTC_FM.zip, NCI1.zip and PROTEINS.zip. quick: without k = 3 of PROTEINS on the CPU, which takes
# minutes and 20 GB. Exit status 1 where something differs.
set -u
build=$1 data=$2 quick=${3:-}
leman=$build/leman folder=$(mktemp -d) failed=0
trap 'rm -rf "$folder"' EXIT

$leman --version
$leman info --devices
$build/test_refine_device >"$folder/test.txt" 2>&1 || { cat "$folder/test.txt"; failed=1; }
tail -3 "$folder/test.txt"

# compare SET METHOD K [OPTION...]: counts of every round, and seconds
compare() {
    set_=$1 method=$2
    shift 2
    [ -f "$data/$set_.zip" ] || { echo "$set_.zip is not there"; return; }
    for device in cpu cuda; do
        $leman colors "$data/$set_.zip" -a "$method" --device $device --json --quiet "$@" >"$folder/$device.json" || failed=1
    done
    python3 - "$folder" "$set_" "$method" <<'END' || failed=1
import json, sys
folder, name, method = sys.argv[1:]
cpu, cuda = (json.load(open(f"{folder}/{device}.json")) for device in ("cpu", "cuda"))
same = cpu["rounds"] == cuda["rounds"]
print(f"{name:9} {method:13} {'same' if same else 'DIFFERENT'}  cpu {cpu['seconds']:9.3f} s  cuda {cuda['seconds']:9.3f} s"
      f"  {cpu['seconds'] / cuda['seconds']:8.1f} x")
sys.exit(not same)
END
}

# files SET METHOD: features and Gram matrices, byte for byte
files() {
    [ -f "$data/$1.zip" ] || return
    for device in cpu cuda; do
        $leman features "$data/$1.zip" -a "$2" --device $device --quiet -o "$folder/$device.svm" || failed=1
        $leman gram "$data/$1.zip" -a "$2" --device $device --quiet -o "$folder/$device.npy" || failed=1
    done
    for ending in svm npy; do
        cmp "$folder/cpu.$ending" "$folder/cuda.$ending" || { echo "$1 $2: $ending files differ"; failed=1; }
    done
    echo "$1 $2: features and Gram matrix compared"
}

for set in MUTAG PTC_FM ENZYMES NCI1 PROTEINS; do
    for method in 1-WL 2-WL delta-2-WL delta-2-LWL delta-2-LWL+; do compare $set $method; done
done
for set in MUTAG PTC_FM ENZYMES; do
    for method in 2-FWL delta-3-LWL 3-WL delta-3-WL delta-3-LWL+; do compare $set $method; done
    files $set delta-2-LWL
    files $set delta-2-LWL+
done
files MUTAG delta-3-LWL
compare NCI1 delta-3-LWL
[ "$quick" ] || compare PROTEINS delta-3-LWL -t 2
[ -f "$data/PROTEINS.zip" ] && { $build/bench_colors_cuda "$data/PROTEINS.zip" || failed=1; }
[ $failed = 0 ] && echo "All colours are the same." || echo "Something is different."
exit $failed
