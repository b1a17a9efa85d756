package io.mykit.delay.test.server;

import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of one process per server. Thread-safe while no server is restarted. */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private final List<ZooKeeperServer> servers;

    private ZooKeeperEnsemble(List<ZooKeeperServer> servers) {
        this.servers = servers;
    }

    /**
     * Starts it and waits until every server serves.
     *
     * @param size 3, or 1 for a server of its own
     */
    public static ZooKeeperEnsemble start(Path dir, int size) {
        int[] quorumPorts = IntStream.range(0, size).map(i -> FreePorts.next()).toArray();
        int[] electionPorts =
                IntStream.range(0, size).map(i -> FreePorts.next()).toArray();
        String peers = size == 1
                ? ""
                : IntStream.range(0, size)
                        .mapToObj(i -> "server." + (i + 1) + "=127.0.0.1:" + quorumPorts[i] + ":" + electionPorts[i])
                        .collect(Collectors.joining("\n"));
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(IntStream.rangeClosed(1, size)
                .mapToObj(id -> new ZooKeeperServer(
                        dir.toAbsolutePath().resolve("zookeeper-" + id), id, FreePorts.next(), peers))
                .toList());
        ensemble.awaitServing();
        return ensemble;
    }

    /** For {@code mykit.delay.registry.server-list}: all servers. */
    public String connectString() {
        return servers.stream().map(ZooKeeperServer::address).collect(Collectors.joining(","));
    }

    public List<ZooKeeperServer> servers() {
        return servers;
    }

    /** The server that leads the ensemble itself. */
    public ZooKeeperServer leader() {
        return servers.stream()
                .filter(server ->
                        server.mode().equals("leader") || server.mode().equals("standalone"))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no server leads"));
    }

    /** Servers that follow the leader. */
    public List<ZooKeeperServer> followers() {
        return servers.stream()
                .filter(server -> server.mode().equals("follower"))
                .toList();
    }

    /** Waits until every server serves. */
    public void awaitServing() {
        servers.forEach(server -> server.process().awaitReady(server::isServing));
    }

    @Override
    public void close() {
        servers.forEach(ZooKeeperServer::close);
    }
}
