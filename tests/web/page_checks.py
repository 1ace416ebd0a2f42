"""What every page owes its readers, looked at in a real Chromium: axe-core finds nothing, and nothing sticks out sideways."""

from typing import Any, Final

from requirements import require

try:
    from axe_playwright_python.base import AXE_SCRIPT
except ImportError:
    require("axe")

from playwright.sync_api import Page

LAPTOP: Final = (1366, 657)
SMALL: Final = (1280, 640)
PHONE: Final = (360, 640)
SIZES: Final = (LAPTOP, SMALL, PHONE)
AT_NIGHT: Final = ["color-contrast", "scrollable-region-focusable", "target-size"]
"""The rules whose answer depends on colours or on the size of the window."""

REPEATED: Final = ".page.api section:nth-of-type(n + 16)"
"""What axe-core may leave out: the same few lines of a template for each further call of the interface."""


def findings(page: Page) -> list[str]:
    """What is wrong with a page: by day as wide as it is, by night on a phone; and where it does not fit a window."""
    before = page.viewport_size
    page.evaluate(AXE_SCRIPT)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = _run_axe(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        whole = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{page.url} is {whole} wide in a window of {width}"] if whole > width else []
    found += _run_axe(page, AT_NIGHT)
    page.emulate_media(color_scheme="null")
    if before is not None:
        page.set_viewport_size(before)
    return found


def too_low(page: Page, selector: str) -> list[str]:
    """What cannot be seen without scrolling, on any size of window."""
    before, found = page.viewport_size, []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        for part in page.locator(selector).all():
            place = part.bounding_box()
            assert place is not None
            end = place["y"] + place["height"]
            if end > height:
                found.append(f"{page.url}: {part.inner_text()!r} ends at {end:.0f} of {height}, {width} wide")
    if before is not None:
        page.set_viewport_size(before)
    return found


def _run_axe(page: Page, rules: list[str] | None = None) -> list[str]:
    """Run all rules of axe-core, or some, and list what they find."""
    options: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    answer = page.evaluate(
        "([repeated, options]) => axe.run({ exclude: [[repeated]] }, options)", [REPEATED, options]
    )
    return [
        f"{page.url} {wrong['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for wrong in answer["violations"]
        for node in wrong["nodes"]
    ]
