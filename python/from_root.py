"""The build backend of python/pyproject.toml: that of the repository's root, run there."""
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)


def _from_root(name):
    def hook(*arguments, **options):
        from scikit_build_core import build

        arguments = [os.path.abspath(a) if isinstance(a, str) else a for a in arguments]
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            return getattr(build, name)(*arguments, **options)
        finally:
            os.chdir(before)

    return hook


get_requires_for_build_wheel = _from_root("get_requires_for_build_wheel")
get_requires_for_build_sdist = _from_root("get_requires_for_build_sdist")
prepare_metadata_for_build_wheel = _from_root("prepare_metadata_for_build_wheel")
build_wheel = _from_root("build_wheel")
build_sdist = _from_root("build_sdist")
