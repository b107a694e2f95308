# The hub as one image: server (default), worker and commands.
#
#   docker build -t uda-hub .
#   docker run -p 3000:3000 -v hub-data:/var/lib/hub uda-hub
#
# Not run where this file was written: no container engine was there. Its steps are those of the README (npm ci, npm start) on
# Debian, which are tried with every change.

FROM node:20-bookworm AS build
WORKDIR /app
ENV NODE_ENV=production
# better-sqlite3 is compiled here: the image above has python3, make and g++.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm rebuild better-sqlite3
COPY . .
# The pages and the commands as JavaScript, so that a container writes into its data directory alone.
RUN npm run build:web && node scripts/build-programs.mjs

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HUB_ENV_FILE=none HUB_HOST=0.0.0.0 PORT=3000 HUB_DATA_DIR=/var/lib/hub
COPY --from=build --chown=root:root /app /app
RUN install -d -o node -g node -m 0700 /var/lib/hub
USER node
VOLUME /var/lib/hub
EXPOSE 3000
# Without a shell or npm between: SIGTERM reaches the server, which ends its turns (HUB_STOP_SECONDS).
ENTRYPOINT ["node", "scripts/run.mjs"]
CMD ["serve"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
