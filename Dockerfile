# The image of Heliograph: one program, `heliograph`, whose roles and engines are chosen by environment variables.
#
#   docker build -t heliograph .
#   docker run --init -p 127.0.0.1:3000:3000 -v heliograph:/data heliograph
#
# Left out: tests, benchmarks, source maps, development packages, npm and yarn, and the SQLite of the registry, since Node.js
# 24 has one of its own. There is no shell script between the container and the program, and nothing to install at start.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without scripts: `prepare` would build here, before there is anything to build, and no package needs one of its own.
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsc -p deploy \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/@photostructure node_modules/.package-lock.json \
 && chmod +x dist/ops/cli.js

FROM node:24-slim
# For safety, not for size: what is not there cannot be used by whoever gets in.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
           /usr/local/bin/yarn /usr/local/bin/yarnpkg \
 && ln -s /app/dist/ops/cli.js /usr/local/bin/heliograph \
 && install -d -o 1000 -g 1000 -m 700 /data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    HELIOGRAPH_DATA_DIR=/data
# The user `node` of the base image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# The program ends itself within ten seconds of SIGTERM: give it a little more (`docker stop -t 15`). It starts no processes,
# so there is nothing to reap; `--init` only makes it end on a signal that comes before it is ready to hear one.
STOPSIGNAL SIGTERM
# Only a node with the role `api` listens; switch this off for the others.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/ops/cli.js"]
CMD ["serve"]
