#!/usr/bin/env python3
"""leman download: prints the path of a checked zip, from a server on the loopback and then from the cache."""
import functools
import http.server
import os
import threading
import unittest

import program
from program import Case, leman


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def can_download():
    result = leman("download", "NAME", "--cache", "/nonexistent/cache", "--url", "http://127.0.0.1:9/NAME.zip")
    return "libcurl" not in result.stderr


class Download(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("site"))
        self.succeeds("generate", "molecules", "--graphs", "10", "-o", self.path("site", "TOY.zip"))
        handler = functools.partial(Silent, directory=self.path("site"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_port}/TOY.zip"
        self.cache = ["--cache", self.path("cache")]

    @unittest.skipUnless(can_download(), "built without libcurl")
    def test_first_from_the_network_then_from_the_cache(self):
        first = self.succeeds("download", "TOY", "--url", self.url, *self.cache)
        path = first.stdout.rstrip("\n")
        self.assertEqual(self.json("info", path)["graphs"], 10)
        self.assertEqual(self.succeeds("download", "TOY", "--offline", *self.cache).stdout, first.stdout)
        self.assertEqual(self.json("download", "TOY", "--offline", *self.cache), {"name": "TOY", "path": path})
        self.succeeds("download", "TOY", "--refresh", "--url", self.url, *self.cache)

    def test_failures(self):
        self.fails("download", "TOY", "--offline", *self.cache, words=["TOY"])
        self.assertEqual(leman("download", "TOY", "--url", self.url + ".not", *self.cache).returncode, 1)
        self.wrong("download", words=["NAME is missing"])
        self.wrong("download", "TOY", "--offline", "--refresh", *self.cache, words=["--offline", "--refresh"])
        self.assertIn(leman("download", "../TOY", *self.cache, "--offline").returncode, (1, 2))


if __name__ == "__main__":
    program.main()
