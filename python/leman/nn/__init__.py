"""Graph neural networks of the library: `GraphNetwork`. The same networks in PyTorch are in leman.nn.torch."""
from ._network import GraphNetwork

__all__ = ["GraphNetwork"]
