# The image of Heliograph: one program, `heliograph`, whose roles and engines are chosen by environment variables.
#
#   docker build -t heliograph .
#   docker run --init -p 127.0.0.1:3000:3000 -v heliograph:/data heliograph
#
# Not in the image: tests, benchmarks, source maps, development packages, npm, yarn and the SQLite package (Node.js 24 has
# SQLite built in). No shell script runs between the container and the program, and nothing is installed at the start.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json ./dashboard/
# Without scripts: `prepare` would build before the sources are there, and no package needs its install script.
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsc -p deploy \
 && node scripts/bundle.mjs --no-source-maps \
 && node scripts/dashboard.mjs \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/@photostructure node_modules/heliograph-dashboard node_modules/.package-lock.json \
 && chmod +x dist/bin/cli.js

FROM node:24-slim
# For security, not for size: an intruder cannot use what is not there.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
           /usr/local/bin/yarn /usr/local/bin/yarnpkg \
 && ln -s /app/dist/bin/cli.js /usr/local/bin/heliograph \
 && install -d -o 1000 -g 1000 -m 700 /data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist

# With one heap for each thread, glibc keeps what SQLite and V8 have freed (see the operations guide, Sizing).
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    HOST=0.0.0.0 \
    PORT=3000 \
    HELIOGRAPH_DATA_DIR=/data
# The user `node` of the base image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# The program stops within ten seconds of SIGTERM: allow a little more (`docker stop -t 15`). It starts no processes, so
# there is nothing to reap; `--init` only lets it stop on a signal that arrives before its handlers are installed.
STOPSIGNAL SIGTERM
# Only a node with the role `api` listens; switch this off for the others.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/bin/cli.js"]
CMD ["serve"]
