# The command as a container, built from this clone:
#   docker build -t isoskin .
#   docker run --rm -v "$PWD:/data" isoskin measure model.glb
# On Kubernetes and in render queues: docs/cluster.md and deploy/.
FROM node:22.20-bookworm-slim AS build
WORKDIR /isoskin
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm prune --omit=dev --no-audit --no-fund --ignore-scripts

FROM node:22.20-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /isoskin/package.json /isoskin/LICENSE /isoskin/
COPY --from=build /isoskin/node_modules /isoskin/node_modules
COPY --from=build /isoskin/packages /isoskin/packages
COPY --from=build /isoskin/apps /isoskin/apps
RUN ln -s /isoskin/packages/cli/bin/isoskin.js /usr/local/bin/isoskin
WORKDIR /data
USER node
ENTRYPOINT ["isoskin"]
CMD ["--help"]
