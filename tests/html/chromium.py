"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: messages are JSON, each ends in a zero byte."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 60


class PageError(Exception):
    pass


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("no Chromium found: these tests open pages in a real browser; install Debian's package chromium")


class Browser:
    """with Browser() as browser: page = browser.open(path)"""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.output = self._pipe()
        self.input, from_browser = self._pipe()

        def hand_over():
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        # Without a sandbox, because containers that run tests as root have none. The pages are our own.
        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=hand_over, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.received, self.next_id, self.events = b"", 0, []
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(timeout=10)
        except (PageError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.profile.cleanup()

    @staticmethod
    def _pipe():
        """Both ends, out of the way of 3 and 4, which are the browser's."""
        ends = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends]
        for end in ends:
            os.close(end)
        return high

    def send(self, method, session=None, **params):
        """What the browser answers."""
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(PATIENCE_S)
            if answer is None:
                raise PageError(f"no answer to {method} within {PATIENCE_S} s")
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, timeout_s):
        """The next message, or None where none comes in time."""
        deadline = time.monotonic() + timeout_s
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.input], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return None
            chunk = os.read(self.input, 1 << 20)
            if not chunk:
                raise PageError("the browser has ended")
            self.received += chunk
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def open(self, path, width=1280, height=900, scheme="light", state=""):
        return Page(self, path, width, height, scheme, state)


KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
        "ArrowRight": 39, "ArrowDown": 40, " ": 32}


class Page:
    """A tab with a page that has said that it is ready. `seen` has the requests, console messages and exceptions so far."""

    def __init__(self, browser, path, width, height, scheme, state):
        self.browser = browser
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.events.clear()
        self.url = path.resolve().as_uri()
        self.send("Page.navigate", url=self.url + (f"#{state}" if state else ""))
        deadline = time.monotonic() + PATIENCE_S
        while self.evaluate("document.documentElement?.dataset.state") != "ready":
            if time.monotonic() > deadline or self.problems():
                raise PageError(f"{path.name} is not ready: {self.problems() or 'it takes too long'}")
            time.sleep(0.02)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def send(self, method, **params):
        return self.browser.send(method, self.session, **params)

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is waited for."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise PageError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def press(self, key, times=1):
        code = KEYS.get(key, ord(key.upper()[0]))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
        for _ in range(times):
            down = {"type": "keyDown" if text else "rawKeyDown", "key": key, "windowsVirtualKeyCode": code}
            self.send("Input.dispatchKeyEvent", **down, **({"text": text} if text else {}))
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, times=1):
        for count in range(1, times + 1):
            self.mouse("mousePressed", x, y, button="left", clickCount=count)
            self.mouse("mouseReleased", x, y, button="left", clickCount=count)
        self.settle()

    def drag(self, x, y, to_x, to_y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for part in (0.3, 0.7, 1):
            self.mouse("mouseMoved", x + (to_x - x) * part, y + (to_y - y) * part, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)
        self.settle()

    def wheel(self, x, y, delta, ctrl=True):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta, modifiers=2 if ctrl else 0)
        self.settle()

    def pinch(self, x, y, begin, end):
        """Two fingers about the point, from one distance to another."""
        for kind, distance in (("touchStart", begin), ("touchMove", (begin + end) / 2), ("touchMove", end), ("touchEnd", None)):
            points = [] if distance is None else [{"x": x + side * distance / 2, "y": y, "id": number}
                                                  for number, side in enumerate((-1, 1))]
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.settle()

    def box(self, selector):
        """{x, y, width, height} of the element, scrolled into sight."""
        return self.evaluate(f"(() => {{ const node = document.querySelector({json.dumps(selector)});"
                             "node.scrollIntoView({block: 'center'}); return node.getBoundingClientRect().toJSON(); })()")

    def go_to(self, hash_part):
        """Changes the part of the address after the #."""
        self.evaluate(f"location.hash = {json.dumps(hash_part)}")
        self.settle()

    def wait_for(self, condition):
        """Until the JavaScript expression is true. Between two pages it cannot be evaluated, which is no more than not yet."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.holds(condition):
            if time.monotonic() > deadline:
                raise PageError(f"{condition}: not within {PATIENCE_S} s")
            time.sleep(0.02)
        self.settle()

    def holds(self, condition):
        try:
            return self.evaluate(f"Boolean({condition})")
        except PageError:
            return False

    def settle(self):
        """Waits until the page has been drawn anew."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def set_field(self, element_id, value):
        self.evaluate(f"(() => {{ const field = document.getElementById({json.dumps(element_id)});"
                      f"field.value = {json.dumps(value)};"
                      "field.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.settle()

    def _events(self, method):
        return [event["params"] for event in self.browser.events
                if event.get("method") == method and event.get("sessionId") == self.session]

    def requests(self):
        """Requests other than for the page itself; data: URLs are part of the page."""
        urls = [event["request"]["url"] for event in self._events("Network.requestWillBeSent")]
        return [url for url in urls if url != self.url and not url.startswith("data:")]

    def problems(self):
        """Exceptions, and errors and warnings on the console."""
        thrown = [event["exceptionDetails"].get("exception", {}).get("description", "exception")
                  for event in self._events("Runtime.exceptionThrown")]
        logged = [str(event["args"]) for event in self._events("Runtime.consoleAPICalled")
                  if event["type"] in ("error", "warning", "assert")]
        entries = [event["entry"]["text"] for event in self._events("Log.entryAdded")
                   if event["entry"]["level"] in ("error", "warning")]
        return thrown + logged + entries

    def screenshot(self, path, whole=False):
        import base64
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
