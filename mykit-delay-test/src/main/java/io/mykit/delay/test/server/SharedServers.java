package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One server of each kind for all tests of a JVM that do it no harm: started when first asked for, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {

    private SharedServers() {}

    /** A ZooKeeper ensemble of three. */
    public static ZooKeeperEnsemble zooKeeper() {
        return ZooKeeperHolder.ENSEMBLE;
    }

    private static Path newDir(String name) {
        try {
            Path parent = Files.createDirectories(Path.of("target/servers"));
            return Files.createTempDirectory(parent.toAbsolutePath(), name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class ZooKeeperHolder {
        static final ZooKeeperEnsemble ENSEMBLE = ZooKeeperEnsemble.start(newDir("zookeeper"), 3);
    }
}
