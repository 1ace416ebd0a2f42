"""The container's files keep their rules; each rule is broken once."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from container_files import compose_faults, docker_faults, read_dockerfile, sent_files

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text()
IGNORE = (ROOT / ".dockerignore").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
TRACKED = [
    str(one.relative_to(ROOT))
    for place in (".", "requirements", "src", "tests")
    for one in (ROOT / place).glob("*")
]


def faults(dockerfile: str) -> list[str]:
    return docker_faults(read_dockerfile(dockerfile), TRACKED, IGNORE)


def test_the_dockerfile_keeps_the_rules() -> None:
    assert faults(DOCKERFILE) == []


def test_compose_keeps_the_rules() -> None:
    assert compose_faults(COMPOSE, read_dockerfile(DOCKERFILE)[-1]) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("FROM python:3.12-slim\n", "FROM python\n", "python has no version"),
        ("FROM python:3.12-slim\n", "FROM python:latest\n", "python:latest has no version"),
        ("USER 10001\n", "", "the last stage runs as root"),
        ("USER 10001\n", "USER root:root\n", "the last stage runs as root"),
        ("HEALTHCHECK ", "LABEL ", "has no HEALTHCHECK"),
        ("COPY src src", "COPY nowhere src", "nowhere is not in git"),
        ("COPY src src", "COPY tests tests", "tests is not in git, or .dockerignore leaves it out"),
        ("--from=build", "--from=other", "there is no stage other"),
        ('RUN ["retruco", "prepare"]', "RUN curl -O address", "nothing is fetched without a hash"),
    ],
)
def test_a_dockerfile_that_breaks_a_rule_is_refused(old: str, new: str, fault: str) -> None:
    assert old in DOCKERFILE
    (found,) = faults(DOCKERFILE.replace(old, new))
    assert fault in found


@pytest.mark.parametrize("text", ["ADD src src", "RUN true", "", "FROM python:3.12\nFETCH src"])
def test_what_is_no_dockerfile_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Dockerfile: "):
        read_dockerfile(text)


@pytest.mark.parametrize(
    ("service", "key", "value", "fault"),
    [
        ("table", "user", "root", "runs as root"),
        ("table", "read_only", False, "its file system can be written"),
        ("table", "cap_drop", [], "keeps capabilities"),
        ("table", "security_opt", [], "may gain privileges"),
        ("table", "ports", ["8321:8321"], "port 8321:8321 is open to the world"),
        ("table", "volumes", ["data:/data"], "the Dockerfile declares ['/cache', '/data']"),
        ("database", "image", "postgres", "postgres has no version"),
        ("database", "volumes", ["/srv:/var/lib/postgresql/data"], "is not a named volume"),
    ],
)
def test_a_service_that_breaks_a_rule_is_refused(service: str, key: str, value: Any, fault: str) -> None:
    compose = copy.deepcopy(COMPOSE)
    compose["services"][service][key] = value
    (found,) = compose_faults(compose, read_dockerfile(DOCKERFILE)[-1])
    assert fault in found


def test_a_database_without_health_check_is_refused() -> None:
    compose = copy.deepcopy(COMPOSE)
    del compose["services"]["database"]["healthcheck"]
    assert compose_faults(compose, read_dockerfile(DOCKERFILE)[-1]) == [
        "compose.yaml: database: there is no health check"
    ]


def test_only_what_the_image_needs_is_sent_to_the_builder() -> None:
    files = ["README.md", "src/a.py", "src/__pycache__/a.pyc", "tests/a.py", "docs/README.md", "hands.jsonl"]
    assert list(sent_files(files, IGNORE)) == ["README.md", "src/a.py"]
