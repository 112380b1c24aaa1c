# What `scripts/wheel FOLDER cuda` tries in an empty environment: a network on the GPU where there is one, with the predictions of the CPU;
# elsewhere the CPU, with one sentence. It prints what it found. `gpu` as an argument: there must be a GPU.
import sys
import warnings

import leman
import numpy as np
from leman._library import _path_of_library, lib

assert "leman_cuda" in _path_of_library(), f"leman loads {_path_of_library()}, expected the library of leman-cuda"
data = leman.generate("molecules", graphs=200)
version = lib.leman_cuda_version().decode()


def network(device):
    return leman.nn.GraphNetwork("delta-2-LGNN", layers=2, width=32, epochs=4, random_state=1, device=device, precision="fp32")


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    automatic = network("auto").fit(data)
sentences = [str(w.message) for w in caught if issubclass(w.category, RuntimeWarning)]
cpu = network("cpu").fit(data)
devices = lib.leman_cuda_devices()
if devices:
    assert not sentences, sentences
    trained = network("cuda").fit(data)  # fails where the CPU would have to be used
    mapped = open("/proc/self/maps").read()
    assert "libcuda.so" in mapped and "libcublasLt.so" in mapped
    there = trained.predict_proba(data)
    trained.device = "cpu"  # the same weights
    apart = float(np.abs(trained.predict_proba(data) - there).max())
    assert apart < 1e-4, f"probabilities of GPU and CPU are {apart} apart"
    losses = [found.history_[0]["train_loss"] for found in (trained, cpu)]  # later epochs drift apart: a training multiplies its roundings
    assert np.allclose(*losses, rtol=1e-3), losses
    print(f"leman-cuda {leman.__version__} for CUDA {version} works: {devices} GPU, probabilities at most {apart:.1e} from those of the CPU, "
          f"losses of the first epoch {losses[0]:.4f} and {losses[1]:.4f}, cuBLASLt of {next(line.split()[-1] for line in mapped.splitlines() if 'libcublasLt' in line)}")
else:
    assert "gpu" not in sys.argv[1:], f"found no GPU with a driver for CUDA {version}, expected one"
    assert len(set(sentences)) == 1 and sentences[0].endswith("; the CPU is used instead"), sentences
    assert np.array_equal(automatic.predict_proba(data), cpu.predict_proba(data))
    try:
        network("cuda").fit(data)
        raise AssertionError("device='cuda' worked without a GPU")
    except leman.Error as error:
        print(f"leman-cuda {leman.__version__} without a GPU: auto says '{sentences[0]}', cuda says '{error}'")
