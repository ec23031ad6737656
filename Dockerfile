# Debian 12 with the packages to build, test and check Acre:
#   docker build -t acre . && docker run --rm acre make demo
FROM debian:12

RUN apt-get -qq update && apt-get -qq install -y --no-install-recommends ca-certificates git make
WORKDIR /acre
# Packages are a layer of their own, which lasts until their list changes.
COPY packages.txt ./
COPY tools/packages tools/
ARG PACKAGES="build test lint docs"
RUN tools/packages $PACKAGES && rm -rf /var/lib/apt/lists/*
COPY . .
CMD ["make", "help"]
