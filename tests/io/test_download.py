"""leman download from the command line, against a server on the loopback."""
import gzip
import hashlib
import http.server
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import program  # noqa: E402

LEMAN = os.environ.get("LEMAN", "build/leman")
# Under AddressSanitizer looking for leaks takes seconds at every exit; the tests in C do it for the same code.
os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")


def tu_zip(name, vertices):
    """One cycle, as a TU zip; the same bytes for the same arguments."""
    texts = {
        "A": "".join(f"{v + 1}, {(v + 1) % vertices + 1}\n" for v in range(vertices)),
        "graph_indicator": "1\n" * vertices,
        "graph_labels": "1\n",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part, text in texts.items():
            archive.writestr(zipfile.ZipInfo(f"{name}/{name}_{part}.txt"), text)
    return packed.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self):
        self.server.asked.append(self.path)
        content = self.server.files.get(self.path)
        self.send_response(200 if content is not None else 404)
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *arguments):
        pass


class Download(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.asked = []
        self.server.files = {"/Toy.zip": tu_zip("Toy", 5), "/page.zip": b"<html>not a zip</html>",
                             "/packed.zip": gzip.compress(tu_zip("Toy", 5))}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.folder = tempfile.TemporaryDirectory()
        self.cache = pathlib.Path(self.folder.name, "deep", "cache")

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def leman(self, *words, **environment):
        inherited = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        inherited.pop("LEMAN_CACHE", None)
        return subprocess.run([LEMAN, "download", *words], capture_output=True, text=True, timeout=60,
                              env={**inherited, **environment})

    def good(self, *words, **environment):
        done = self.leman(*words, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def bad(self, status, pattern, *words):
        done = self.leman(*words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(done.stderr.count("\n"), 1)
        return done

    def toy(self):
        return ["Toy", "--url", self.url("/Toy.zip"), "--cache", str(self.cache)]

    def test_prints_the_path_of_a_checked_file(self):
        done = self.good(*self.toy())
        path = pathlib.Path(done.stdout.rstrip("\n"))
        self.assertEqual(path, self.cache / "Toy.zip")
        self.assertEqual(path.read_bytes(), self.server.files["/Toy.zip"])
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.assertEqual(pathlib.Path(f"{path}.sha256").read_text(), f"{digest}  Toy.zip\n")
        self.assertEqual(sorted(p.name for p in self.cache.iterdir()), ["Toy.zip", "Toy.zip.sha256"])

    def test_second_time_from_the_cache(self):
        first = self.good(*self.toy()).stdout
        self.assertEqual(self.good(*self.toy()).stdout, first)
        self.assertEqual(self.good("Toy", "--offline", LEMAN_CACHE=str(self.cache)).stdout, first)
        self.assertEqual(self.server.asked, ["/Toy.zip"])

    def test_folder_from_the_environment(self):
        xdg = pathlib.Path(self.folder.name, "xdg")
        done = self.good("Toy", "--url", self.url("/Toy.zip"), XDG_CACHE_HOME=str(xdg))
        self.assertEqual(done.stdout, f"{xdg}/leman/Toy.zip\n")

    def test_json(self):
        done = self.good(*self.toy(), "--json")
        self.assertEqual(json.loads(done.stdout), {"name": "Toy", "path": str(self.cache / "Toy.zip")})

    def test_offline_without_the_file(self):
        self.bad(1, r"Toy\.zip: is not there", "Toy", "--offline", "--cache", str(self.cache))
        self.assertFalse(self.cache.exists())

    def test_refresh(self):
        self.good(*self.toy())
        self.server.files["/Toy.zip"] = tu_zip("Toy", 6)
        self.good(*self.toy())
        self.assertEqual(len(self.server.asked), 1)
        self.assertIn("changed", self.good(*self.toy(), "--refresh").stderr)
        self.assertEqual((self.cache / "Toy.zip").read_bytes(), self.server.files["/Toy.zip"])

    def test_refusals(self):
        cache = ["--cache", str(self.cache)]
        self.bad(1, r"HTTP 404", "Toy", "--url", self.url("/none.zip"), *cache)
        self.bad(1, r"is not a TU zip", "Toy", "--url", self.url("/page.zip"), *cache)
        self.bad(1, r"packed\.zip: is not a TU zip: found .* gzip .*, expected a zip", "Toy", "--url", self.url("/packed.zip"), *cache)
        self.bad(1, r"found 1 graph .* expected 188", "MUTAG", "--url", self.url("/Toy.zip"), *cache)
        self.assertEqual([p.name for p in self.cache.iterdir() if p.name.endswith(".zip")], [])
        (self.cache / "Toy.zip").write_bytes(self.server.files["/packed.zip"])  # put there by hand
        self.bad(1, r"Toy\.zip: is not a TU zip: found .* gzip .*, expected a zip", *self.toy())
        (self.cache / "Toy.zip").unlink()
        self.good(*self.toy())
        (self.cache / "Toy.zip").write_bytes(b"something else")
        self.bad(1, r"SHA-256.*refresh", *self.toy())
        for words in (["../Toy"], ["a/b"], ["Toy.zip"], ["Toy", "--url", "file:///etc/passwd"]):
            done = self.leman(*words, *cache)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertEqual(done.stdout, "")
            self.assertTrue(re.search(r"expected", done.stderr), done.stderr)


def available():
    """Is the sub-command in this program, and libcurl in this build?"""
    with tempfile.TemporaryDirectory() as cache:
        words = [LEMAN, "download", "Toy", "--url", "http://127.0.0.1:9/", "--cache", cache]
        asked = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return asked.returncode == 1 and "no libcurl" not in asked.stderr


if __name__ == "__main__":
    if not available():
        print("skipped: this build has no libcurl")
        sys.exit(77)
    program.main()
