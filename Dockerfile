# The web table for people who host it; see docs/hosting.md.
#
#     docker build --tag retruco .
#
# What is installed is pinned by hash in requirements/. The table runs as a user of its own, with
# everything read-only but /data (matches, case bases) and /cache (compiled code).

FROM python:3.12-slim AS build
WORKDIR /build
COPY requirements requirements
ENV PIP_NO_CACHE_DIR=1
RUN python -m venv --without-pip /opt/retruco && \
    python -m pip --python /opt/retruco/bin/python install --require-hashes \
        -r requirements/serve.txt -r requirements/postgresql.txt && \
    python -m venv /opt/build && \
    /opt/build/bin/python -m pip install --require-hashes -r requirements/build.txt
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY src src
RUN /opt/build/bin/python -m pip wheel --no-deps --no-build-isolation --no-index --wheel-dir wheels . && \
    python -m pip --python /opt/retruco/bin/python install --no-deps --no-index wheels/*.whl

FROM python:3.12-slim
ENV PATH=/opt/retruco/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    RETRUCO_HOME=/data \
    NUMBA_CACHE_DIR=/cache
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin retruco && \
    install --directory --owner retruco --mode 0700 /data /cache
COPY --from=build /opt/retruco /opt/retruco
USER 10001
RUN ["retruco", "prepare"]
VOLUME ["/data", "/cache"]
EXPOSE 8321
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/api/opponents', timeout=4)"]
ENTRYPOINT ["retruco"]
CMD ["serve", "--host", "0.0.0.0", "--behind-proxy", "--name", "localhost", "--no-browser"]
