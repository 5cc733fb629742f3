# A gateway in a container. `--target slim` has the gateway alone; `--target full` adds the programs that it runs on this machine.
# docs/operate/containers.md says how to start both.

FROM node:24-bookworm-slim AS build
ENV HOOKS=off
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY clients/command/package.json clients/command/
COPY clients/typescript/package.json clients/typescript/
COPY reader/package.json reader/
COPY scripts/install-hooks.js scripts/trim-packages.js scripts/
RUN npm ci
COPY . .
# The built gateway contains the workspaces, so the links to them lead nowhere in the image. Node runs no TypeScript below
# node_modules, so a fifth of it is never read.
RUN npm run prepack \
 && npm prune --omit=dev --ignore-scripts \
 && rm -r node_modules/@tollway \
 && find node_modules -type f -regex '.*\.\([cm]?ts\|map\)' -delete

FROM node:24-bookworm-slim AS slim
# The first process of a container must collect the processes that others have left. Node does not.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
USER 1000:1000
VOLUME /data
EXPOSE 4020
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/app/bin/is-ready.js"]
ENTRYPOINT ["tini", "--", "node", "/app/bin/tollway.js"]

FROM slim AS full
USER 0:0
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
    bubblewrap \
    ca-certificates \
    chromium \
    chromium-headless-shell \
    espeak-ng \
    ffmpeg \
    fonts-dejavu-core \
    fonts-noto-cjk \
    fonts-noto-color-emoji \
    fonts-noto-core \
    git \
    python3 \
    tesseract-ocr \
 && rm -rf /var/lib/apt/lists/*
USER 1000:1000
