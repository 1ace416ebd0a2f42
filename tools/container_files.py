"""Dockerfile and compose.yaml as data, and the rules that they must keep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any, Final, NamedTuple

KNOWN: Final = frozenset(
    (
        *("FROM", "ARG", "COPY", "RUN", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE"),
        *("HEALTHCHECK", "ENTRYPOINT", "CMD", "LABEL", "STOPSIGNAL"),
    )
)
"""ADD is not among them: it fetches and unpacks without being asked."""

ROOTS: Final = frozenset(("", "0", "root"))


class Step(NamedTuple):
    """One instruction of a Dockerfile."""

    name: str
    flags: dict[str, str]
    value: str

    @property
    def words(self) -> list[str]:
        """The arguments: of the exec form, or parted at spaces."""
        return (
            [str(one) for one in json.loads(self.value)] if self.value.startswith("[") else self.value.split()
        )


@dataclass
class Stage:
    """One stage of a Dockerfile: what it starts from and its steps."""

    image: str
    name: str
    steps: list[Step] = field(default_factory=list)

    def last(self, name: str) -> Step | None:
        """The instruction that counts, of those that may be given anew."""
        return next((step for step in reversed(self.steps) if step.name == name), None)


def read_dockerfile(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for line in re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines():
        step = read_step(line)
        if step.name == "FROM":
            image, _, name = step.value.partition(" AS ")
            stages.append(Stage(image.strip(), name.strip()))
        elif not stages:
            raise ValueError(f"Dockerfile: {step.name} stands before FROM")
        else:
            stages[-1].steps.append(step)
    if not stages:
        raise ValueError("Dockerfile: there is no FROM")
    return stages


def read_step(line: str) -> Step:
    """An instruction, the flags before its value, and the value."""
    name, _, value = line.strip().partition(" ")
    if name not in KNOWN:
        raise ValueError(f"Dockerfile: {name} is not one of {', '.join(sorted(KNOWN))}")
    flags = {}
    while found := re.match(r"\s*--([a-z-]+)=(\S+)\s+", value):
        flags[found[1]] = found[2]
        value = value[found.end() :]
    return Step(name, flags, value.strip())


def docker_faults(stages: list[Stage], tracked: Iterable[str], ignore: str) -> list[str]:
    """What is wrong with a Dockerfile, a line for each."""
    files = list(sent_files(tracked, ignore))
    faults = [fault for stage in stages for fault in stage_faults(stage, stages, files)]
    final = stages[-1]
    user, health = final.last("USER"), final.last("HEALTHCHECK")
    if user is None or user.value.partition(":")[0] in ROOTS:
        faults.append("Dockerfile: the last stage runs as root: name another USER")
    if health is None or not health.value.startswith("CMD ["):
        faults.append("Dockerfile: the last stage has no HEALTHCHECK with a list of words")
    return faults


def stage_faults(stage: Stage, stages: list[Stage], files: list[str]) -> Iterator[str]:
    """What is wrong with one stage."""
    yield from image_faults("Dockerfile", stage.image)
    for step in stage.steps:
        if step.name == "RUN" and re.search(r"\b(curl|wget)\b", step.value):
            yield f"Dockerfile: nothing is fetched without a hash: {step.value}"
        if step.name == "COPY" and "from" in step.flags:
            if step.flags["from"] not in {one.name for one in stages}:
                yield f"Dockerfile: there is no stage {step.flags['from']}"
        elif step.name == "COPY":
            for source in step.words[:-1]:
                if not any(file == source or file.startswith(f"{source}/") for file in files):
                    yield f"Dockerfile: {source} is not in git, or .dockerignore leaves it out"


def image_faults(where: str, image: str) -> Iterator[str]:
    """An image is named with its version."""
    tag = image.rpartition("/")[2].partition(":")[2]
    if tag in ("", "latest"):
        yield f"{where}: {image} has no version"


def sent_files(tracked: Iterable[str], ignore: str) -> Iterator[str]:
    """The files in git that .dockerignore lets through; of its rules the last that fits counts."""
    rules = [line for line in ignore.splitlines() if line and not line.startswith("#")]
    for file in tracked:
        out = False
        for rule in rules:
            pattern = rule.removeprefix("!")
            if fits(file, pattern):
                out = not rule.startswith("!")
        if not out:
            yield file


def fits(file: str, pattern: str) -> bool:
    """Whether a rule names a file or a folder above it."""
    parts = file.split("/")
    above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    if pattern.startswith("**/"):
        return any(fnmatch(part, pattern[3:]) for part in parts)
    return any(one.count("/") == pattern.count("/") and fnmatch(one, pattern) for one in above)


def compose_faults(compose: dict[str, Any], final: Stage) -> list[str]:
    """What is wrong with compose.yaml, whose built service is the last stage of the Dockerfile."""
    faults = []
    for name, service in compose["services"].items():
        where = f"compose.yaml: {name}"
        faults += [f"{where}: {fault}" for fault in service_faults(service)]
        faults += volume_faults(where, service, compose.get("volumes", {}))
        if "build" in service:
            mounted = {one.split(":")[1] for one in service.get("volumes", ())}
            declared = {path for step in final.steps if step.name == "VOLUME" for path in step.words}
            if mounted != declared:
                faults.append(
                    f"{where}: mounts {sorted(mounted)}, the Dockerfile declares {sorted(declared)}"
                )
        else:
            faults += image_faults(where, service["image"])
            faults += [] if "healthcheck" in service else [f"{where}: there is no health check"]
    return faults


def service_faults(service: dict[str, Any]) -> Iterator[str]:
    """A service has no more rights than it needs."""
    if str(service.get("user", "")).partition(":")[0] in ROOTS:
        yield "runs as root"
    if service.get("read_only") is not True:
        yield "its file system can be written"
    if service.get("cap_drop") != ["ALL"]:
        yield "keeps capabilities"
    if "no-new-privileges:true" not in service.get("security_opt", ()):
        yield "may gain privileges"
    for port in service.get("ports", ()):
        if not str(port).startswith("127.0.0.1:"):
            yield f"port {port} is open to the world"


def volume_faults(where: str, service: dict[str, Any], declared: dict[str, Any]) -> Iterator[str]:
    """Every volume is one that compose.yaml names."""
    for volume in service.get("volumes", ()):
        if volume.split(":")[0] not in declared:
            yield f"{where}: {volume} is not a named volume"
