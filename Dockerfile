FROM python:3.11-slim AS build
COPY requirements.lock .
RUN python -m venv /erma/.venv \
    && /erma/.venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home erma \
    && install -d -o erma -g erma /erma/var
WORKDIR /erma
COPY --from=build /erma/.venv .venv
COPY alembic.ini ./
COPY migrations migrations
COPY static static
COPY app app
USER erma
ENV PYTHONUNBUFFERED=1 ERMA_HOST=0.0.0.0 ERMA_DATABASE_URL=sqlite:////erma/var/erma.sqlite3
VOLUME /erma/var
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD [".venv/bin/python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]
CMD [".venv/bin/python", "-m", "app", "serve"]
