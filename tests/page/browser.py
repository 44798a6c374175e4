"""A headless Chromium behind a pipe, spoken to in the DevTools protocol."""

import argparse
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
]


class Browser:
    """One browser with one tab. Use in a `with` statement."""

    def __init__(self, chromium, seconds=60):
        self.seconds = seconds
        self.profile = tempfile.mkdtemp(prefix="page-test-")
        to_read, self.writing = os.pipe()
        self.reading, to_write = os.pipe()
        # The browser expects its pipe at descriptors 3 and 4; a shell puts the ends there.
        command = [chromium, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "browser", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=[to_read, to_write], start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=self._first_page(),
                                 flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.writing)
        os.close(self.reading)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self):
        end = time.monotonic() + self.seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reading], [], [], max(0, end - time.monotonic()))
            chunk = os.read(self.reading, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser ended" if ready else "the browser did not answer")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writing, json.dumps(request).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def _first_page(self):
        """The tab, which a slow browser opens only after it has begun to answer."""
        end = time.monotonic() + self.seconds
        while True:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return target["targetId"]
            if time.monotonic() > end:
                raise RuntimeError("the browser opened no tab")
            time.sleep(0.02)

    def open(self, path, width=1280, height=900, dark=False):
        """Returns once all is loaded and has been drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        # Not the page before: that may say only now that it is loaded.
        loader = self.call("Page.navigate", url="file://" + os.path.abspath(path))["loaderId"]
        while not any(event["method"] == "Page.lifecycleEvent"
                      and event["params"]["name"] == "load"
                      and event["params"]["loaderId"] == loader for event in self.events):
            message = self._message()
            if "method" in message:
                self.events.append(message)
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def value(self, expression):
        """What an expression of the page evaluates to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, key, shift=False):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      modifiers=8 if shift else 0)

    def move_to(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def complaints(self):
        """Errors and warnings of the console, exceptions, and requests that leave the file."""
        self.value("new Promise((done) => setTimeout(done, 50))")
        found = []
        for event in self.events:
            kind, body = event["method"], event["params"]
            if kind == "Runtime.exceptionThrown":
                found.append(str(body["exceptionDetails"]))
            elif (kind == "Runtime.consoleAPICalled"
                  and body["type"] in ("error", "warning", "assert")):
                found.append(str(body["args"]))
            elif kind == "Log.entryAdded" and body["entry"]["level"] in ("error", "warning"):
                found.append(str(body["entry"]))
            elif kind == "Network.requestWillBeSent":
                url = body["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    found.append("request for " + url)
        return found

    def screenshot(self, path, whole=True):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))


class PageCase(unittest.TestCase):
    """Tests of pages that a program of the tests writes into a folder."""

    options = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([cls.options.writer, cls.folder.name], check=True)
        cls.browser = Browser(cls.options.chromium)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, name, **how):
        self.browser.open(os.path.join(self.folder.name, name), **how)
        self.assertEqual(self.browser.complaints(), [])

    def value(self, expression):
        return self.browser.value(expression)

    def made(self, name, *arguments):
        """The path of a page that the program writes: made(name, verb, algorithm, ...)."""
        page = os.path.join(self.folder.name, name + ".html")
        if not os.path.exists(page):
            ended = subprocess.run([self.options.program, *arguments, "--quiet", "--html", page],
                                   check=False)
            self.assertIn(ended.returncode, [0, 1])  # 1: a run did not reach its goal
        return page

    def text(self, selector):
        return self.value(f"document.querySelector({selector!r}).textContent")

    def choose(self, name, value):
        """Chooses a value of a list."""
        self.value(f"""(() => {{ byId("{name}").value = "{value}";
            byId("{name}").dispatchEvent(new Event("change")); }})()""")

    def expect_to_open_and_fit(self, pages, looks):
        """Opens each page at these widths, in the dark or not: nothing is wider than the window."""
        for name in pages:
            for width, dark in looks:
                with self.subTest(page=name, width=width, dark=dark):
                    self.open(name, width=width, dark=dark)
                    self.assertLessEqual(self.value("document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.value("document.documentElement.dataset.theme"),
                                     "dark" if dark else "light")

    @classmethod
    def main(cls, description):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--chromium", required=True)
        parser.add_argument("--writer", required=True, help="the program that writes the pages")
        parser.add_argument("--program", required=True, help="the program equipoise")
        cls.options, rest = parser.parse_known_args()
        unittest.main(argv=sys.argv[:1] + rest)
