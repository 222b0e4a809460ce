# PostgreSQL 17 with pgvector and memory, by the conventions of the official PostgreSQL image (tools/container).
#   docker build -t memory . && docker run -e POSTGRES_PASSWORD=secret -p 5432:5432 memory
FROM debian:trixie AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    g++ make pkg-config libicu-dev postgresql-server-dev-17 libpq-dev libcurl4-openssl-dev nlohmann-json3-dev
COPY . /memory
RUN make -C /memory -j"$(nproc)" install DESTDIR=/out

FROM debian:trixie
# No cluster at installation: tools/container makes one in the volume when it starts.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
    && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/none.conf \
    && apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    postgresql-17 postgresql-17-pgvector libcurl4 ca-certificates xz-utils zstd && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres -m 700 /var/lib/postgresql/data \
    && install -d -o postgres -g postgres -m 2775 /var/run/postgresql && mkdir /docker-entrypoint-initdb.d
COPY --from=build /out/ /
COPY tools/container /usr/local/bin/memory-container
ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
VOLUME /var/lib/postgresql/data
EXPOSE 5432
STOPSIGNAL SIGINT
# Over TCP: while the cluster is made, the server listens on its socket alone.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD pg_isready --quiet --host localhost
ENTRYPOINT ["memory-container"]
CMD ["postgres"]
