# The server as an image: what it needs to run and nothing else, for a user without rights on a file system that is only read.
# scripts/deploy/README.md says how to run it.

FROM node:24.11-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY schemas schemas
COPY scripts scripts
COPY src src
RUN npm run build && chmod 755 dist/cli.js
# What is optional and wanted all the same: docker build --build-arg WITH="@opentelemetry/sdk-node@0.222.0 @fastify/otel@0.21.2" .
ARG WITH
RUN npm prune --omit=dev --ignore-scripts && if [ -n "$WITH" ]; then npm install --save-prod --omit=dev --ignore-scripts $WITH; fi
# What only people and compilers read: a quarter of the files' size.
RUN find node_modules dist -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24.11-slim
LABEL org.opencontainers.image.title="exploration-mcp" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Room for young objects: 8 MB in place of 32, for no more processor time that could be measured.
ENV NODE_OPTIONS=--max-semi-space-size=4
# The C library gives memory back to the system that is free for good. Without it, it keeps more with each large buffer.
ENV MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json LICENSE ./
COPY schemas schemas
COPY --from=build /app/dist dist
# The folder of the embedded database, where no other is named, belongs into a volume.
RUN mkdir /data && chown 1000:1000 /data && ln -s /app/dist/cli.js /usr/local/bin/exploration-mcp
USER 1000:1000
EXPOSE 8080
# Lives, not ready: who restarts what is unhealthy should not restart it because its database is away.
HEALTHCHECK --interval=10s --timeout=6s --start-period=120s --start-interval=1s CMD ["node", "/app/dist/cli.js", "health", "--live"]
# A heap may hold a quarter more than what is in use before all of its garbage is collected; by itself V8 waits until it is up to four times as large.
ENTRYPOINT ["node", "--heap-growing-percent=25", "/app/dist/cli.js"]
CMD ["serve"]
