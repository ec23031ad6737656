# SPDX-License-Identifier: BSD-3-Clause
# Debian 12 with the packages to build, test and check Acre; podman and buildah read this file too:
#   docker build -t acre . && docker run --rm --shm-size=2g acre make demo
FROM debian:12

# hadolint ignore=DL3008
RUN apt-get -qq update && apt-get -qq install -y --no-install-recommends ca-certificates git make \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /acre
# Packages are a layer of their own, which lasts until their list changes.
COPY packages.txt ./
COPY tools/packages tools/
ARG PACKAGES="build test lint docs"
RUN tools/packages $PACKAGES && rm -rf /var/lib/apt/lists/*
COPY . .
CMD ["make", "help"]
