# docker build --tag orch .
# docker run --rm --read-only --publish 6443:6443 --volume orch:/data orch
#
# What is in the image: scripts/image/root-filesystem.mjs.
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/node-release/package.json scripts/node-release/
# Not npm ci: see scripts/setup.sh. Compiled parts come in optional packages, so no scripts of packages need to run.
RUN npm install --no-save --ignore-scripts
COPY . .
RUN node scripts/build.mjs && node scripts/image/root-filesystem.mjs /image

FROM scratch
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /image/data /data
USER 65532:65532
WORKDIR /data
# Compiled code is kept beside the data; a start without it takes a fifth longer.
ENV XDG_CACHE_HOME=/data/.cache
# One pool of the C library for all threads (docs/decisions/0027).
ENV MALLOC_ARENA_MAX=1
VOLUME /data
EXPOSE 6443
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/node", "--max-semi-space-size=16", "/opt/orch/core/cli/main.js"]
CMD ["serve", "--data-dir", "/data", "--bind-address", "0.0.0.0"]
