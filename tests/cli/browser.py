"""Chromium for tests: a page opened at a width, in light, dark or print, and questions to it. The browser is spoken to
through its debugging pipe (descriptors 3 and 4, JSON messages ended by NUL), so nothing but Python's own library is
needed."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

WAIT = 60  # seconds for an answer


def installed():
    """The path of a Chromium that starts, or None. Ubuntu's package is a script that asks for a snap."""
    for path in filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        if subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0:
            return path
    return None


class Browser:
    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="leman-browser-")
        ours_in, self.out = os.pipe()
        self.input, theirs_out = os.pipe()

        def place():
            os.dup2(ours_in, 10)  # away from 3 and 4 first, which may be among them
            os.dup2(theirs_out, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=place)
        os.close(ours_in)
        os.close(theirs_out)
        self.buffer, self.number, self.session, self.noticed = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def close(self):
        os.close(self.out)
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        """The next message of the browser."""
        end = time.monotonic() + WAIT
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.input, 1 << 20)
            if not more:
                raise ConnectionError("the browser went away")
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.noticed.append(answer)

    def open(self, path, width, height=900, scheme="light", media="screen"):
        """Loads the page and returns what went wrong meanwhile: console messages, exceptions, requests that leave it."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.ask("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.noticed = []
        address = "file://" + path
        self.ask("Page.navigate", url=address)
        while not any(n.get("method") == "Page.loadEventFired" for n in self.noticed):
            self.noticed.append(self.message())
        wrong = []
        for n in self.noticed:
            what, about = n.get("method"), n.get("params", {})
            if what in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                wrong.append((what, about))
            if what == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if url != address and not url.startswith("data:"):
                    wrong.append((what, url))
        return wrong

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")
