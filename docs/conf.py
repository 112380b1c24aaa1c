"""The site, by Sphinx: `make docs` (scripts/docs), which copies docs/ into the build folder first. site_pages.py adds the pages that are
made from the program and the headers."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import site_pages

ROOT = site_pages.ROOT
with open(os.path.join(ROOT, "include", "leman", "base.h"), encoding="utf-8") as header:
    numbers = dict(re.findall(r"#define LEMAN_VERSION_(MAJOR|MINOR|PATCH)\s+(\d+)", header.read()))

project, author, copyright = "Leman", "The Leman authors", "the Leman authors, BSD 3-Clause licence"
release = version = "{MAJOR}.{MINOR}.{PATCH}".format(**numbers)
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "sphinx_copybutton", "sphinx_design",
              "sphinx_gallery.gen_gallery", "site_pages"]
exclude_patterns = ["**/GALLERY_HEADER.*", "molecules.ipynb"]
suppress_warnings = ["myst.header", "config.cache"]  # headings of comments may skip a level; the gallery's sorting is a function
nitpicky = True  # names of our own must exist; those of other projects are not looked up, so that no network is needed
nitpick_ignore_regex = [("c:.*", ".*"), ("py:.*", r"(?!leman\.).*")]

# docs/*.md are pages of GitHub, too: links to headings are those that GitHub makes.
myst_heading_anchors = 5
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_dmath_double_inline = False
highlight_language = "none"
smartquotes = False  # --all is an option, and no dash

autosummary_generate = True
autosummary_imported_members = False
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
default_role = "code"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# Parameters that are missing, unknown or in another order, and what comes back, are warnings; users do not make objects of results.
numpydoc_validation_checks = {"PR01", "PR02", "PR03", "RT01"}
numpydoc_validation_exclude = {r"leman\.(Clusters|Comparison|Difference|Dimension|Explanation|GraphDimensions|Neighbors|Symmetry|TupleColors|Tuples|VertexExplanation)$",
                               r"leman\.nn\.GraphNetwork(Classifier|Regressor)$", r"leman\.\w*(Error|Warning)$",
                               r"leman\.(ShortestPath|VertexHistogram|WeisfeilerLehman|WeisfeilerLehmanOptimalAssignment|GraphletSampling)\."}
templates_path = ["templates"]

sphinx_gallery_conf = {
    "examples_dirs": [os.path.join(ROOT, "docs", "gallery")], "gallery_dirs": ["gallery"], "filename_pattern": r"\.py$",
    "ignore_pattern": r"__init__|sets\.py", "download_all_examples": False, "show_memory": False, "write_computation_times": False, "show_signature": False, "capture_repr": (), "min_reported_time": 60,
    "remove_config_comments": True, "abort_on_example_error": True, "within_subsection_order": "FileNameSortKey",
    "plot_gallery": True, "copyfile_regex": r".*sets\.py", "image_srcset": ["2x"],
}

html_title = "Leman"
html_context = {"default_mode": "auto"}  # light or dark, as the computer is
html_theme = "pydata_sphinx_theme"
html_static_path = ["static"]
html_css_files = ["leman.css"]
html_copy_source = html_show_sourcelink = False
html_sidebars = {"index": [], "gallery/index": []}
html_theme_options = {
    "navbar_start": ["navbar-logo", "version-switcher"] if "LEMAN_DOCS_VERSIONS" in os.environ else ["navbar-logo"],
    "navbar_align": "left", "show_toc_level": 2, "navigation_with_keys": False, "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "measured": [], "project/RESULTS": []},
    "footer_start": ["copyright"], "footer_end": ["theme-version"], "header_links_before_dropdown": 6, "back_to_top_button": False,
}
if "LEMAN_DOCS_VERSIONS" in os.environ:  # the address of the list of versions, and which of them this is
    html_theme_options["switcher"] = {"json_url": os.environ["LEMAN_DOCS_VERSIONS"],
                                      "version_match": os.environ.get("LEMAN_DOCS_VERSION", version)}
    html_theme_options["check_switcher"] = False
