# syntax=docker/dockerfile:1
# One image for every process of Attune. The command chooses the process; the default is api/main.ts.
#   docker build --tag attune:local .

# The tag follows the security releases of Node 24. Debian 13 has ffmpeg 7.1 and util-linux.
ARG NODE_IMAGE=node:24-trixie-slim

# Production packages. No package may run scripts: all native parts are prebuilt, and instead of the ffmpeg that one
# package would download, the image has Debian's, which gets security updates. Temporal's package contains its core for
# every system; those for other systems than Linux (80 MB) are removed.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@temporalio/core-bridge/releases/*-apple-darwin node_modules/@temporalio/core-bridge/releases/*-windows-msvc

# The two data files of Debian's OCR packages, without the engine, which is an npm package here.
FROM ${NODE_IMAGE} AS tessdata
WORKDIR /tmp/tessdata
RUN apt-get update \
  && apt-get download tesseract-ocr-rus tesseract-ocr-eng \
  && for archive in ./*.deb; do dpkg-deb --extract "$archive" unpacked; done \
  && install -D --mode=0644 --target-directory=/tessdata \
       unpacked/usr/share/tesseract-ocr/5/tessdata/rus.traineddata \
       unpacked/usr/share/tesseract-ocr/5/tessdata/eng.traineddata

# Bundles of the browser tag, the cabinet's web app and the workflows. The bundlers are development packages, so only
# their output is kept. Without a bundle, a worker would bundle the workflows at every start.
FROM ${NODE_IMAGE} AS bundles
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN node tools/scripts/tag.ts && node tools/scripts/cabinet.ts && node tools/scripts/bundleWorkflows.ts /workflows.js

# DuckDB's extensions for the lake, loaded once by the DuckDB that will use them, which checks their signatures. They
# come from DuckDB's own host. If only package mirrors can be reached, they can be taken from Python packages:
#   docker build --build-arg DUCKDB_EXTENSIONS_FROM=pypi .
FROM packages AS extensions
ARG DUCKDB_EXTENSIONS_FROM=duckdb
RUN if [ "$DUCKDB_EXTENSIONS_FROM" = pypi ]; then \
    apt-get update && apt-get install --yes --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*; \
  fi
COPY tools/scripts/engines tools/scripts/engines
RUN node tools/scripts/engines/install/installExtensions.ts /extensions "$DUCKDB_EXTENSIONS_FROM"

# Weights of the built-in models, from packages whose hashes are pinned.
FROM ${NODE_IMAGE} AS encoder
WORKDIR /app
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
COPY tools/scripts/engines tools/scripts/engines
COPY providers/builtin/encoder/encoderFiles.ts providers/builtin/encoder/encoderFiles.ts
COPY providers/builtin/nudity/classifierFiles.ts providers/builtin/nudity/classifierFiles.ts
COPY providers/builtin/voice/voiceDetectorFile.ts providers/builtin/voice/voiceDetectorFile.ts
RUN node tools/scripts/engines/install/installSentenceEncoder.ts /sentence-encoder && node tools/scripts/engines/install/installNudityModel.ts /nudity-model \
  && node tools/scripts/engines/install/installVoiceModel.ts /voice-model

# Networks and dictionaries for reading texts, from Python packages whose hashes are pinned.
FROM ${NODE_IMAGE} AS readers
WORKDIR /app
RUN apt-get update && apt-get install --yes --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
COPY tools/scripts/engines tools/scripts/engines
COPY providers/builtin/reading/common/readerFiles.ts providers/builtin/reading/common/readerFiles.ts
RUN node tools/scripts/engines/install/installTextReaders.ts /text-readers

FROM ${NODE_IMAGE}
# ffmpeg reads media, setpriv (util-linux) ends it together with its worker, and tini reaps orphaned processes.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates ffmpeg tini util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 attune \
  && useradd --uid 10001 --gid attune --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin attune \
  && install -d --owner=attune --group=attune --mode=0750 /var/lib/attune /var/lib/attune/blobs /var/lib/attune/lake /var/lib/attune/work

COPY --from=tessdata /tessdata /usr/local/share/tessdata
COPY --from=encoder /sentence-encoder /usr/local/share/sentence-encoder
COPY --from=encoder /nudity-model /usr/local/share/nudity-model
COPY --from=encoder /voice-model /usr/local/share/voice-model
COPY --from=readers /text-readers /usr/local/share/text-readers
COPY --from=extensions /extensions /usr/local/lib/duckdb
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
# Owned by root, so that a process can read its program but not change it. .dockerignore says what is copied.
COPY . .
COPY --from=bundles /app/clients/tag/dist ./clients/tag/dist
COPY --from=bundles /app/cabinet/dist ./cabinet/dist
COPY --from=bundles /workflows.js /usr/local/lib/attune/workflows.js

ENV NODE_ENV=production \
    ATTUNE_DATA_DIR=/var/lib/attune \
    HOST=0.0.0.0 \
    FFMPEG_PATH=/usr/bin/ffmpeg \
    DUCKDB_EXTENSIONS_DIR=/usr/local/lib/duckdb \
    TESSDATA_DIRS=/usr/local/share/tessdata \
    SENTENCE_ENCODER_DIR=/usr/local/share/sentence-encoder \
    NUDITY_MODEL_DIR=/usr/local/share/nudity-model \
    VOICE_MODEL_DIR=/usr/local/share/voice-model \
    RUSSIAN_NETWORKS_DIR=/usr/local/share/text-readers/russianNetworks \
    RUSSIAN_WORDS_DIR=/usr/local/share/text-readers/russianWords \
    ENGLISH_NETWORK_DIR=/usr/local/share/text-readers/english \
    WORKFLOW_BUNDLE=/usr/local/lib/attune/workflows.js

USER 10001:10001
EXPOSE 8080
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "api/main.ts"]
