"""Graph neural networks of the library: `GraphNetwork`, and as a classifier and a regressor of scikit-learn. The same networks in
PyTorch are in leman.nn.torch."""
from ._network import GraphNetwork, GraphNetworkClassifier, GraphNetworkRegressor

__all__ = ["GraphNetwork", "GraphNetworkClassifier", "GraphNetworkRegressor"]
