package io.mykit.delay.test.outbox;

import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The PostgreSQL of this machine (Debian: apt install postgresql), with a data directory of its own, on 127.0.0.1. It does not run
 * as root, so root changes to the account that the package has made.
 */
final class PostgreSqlServer implements AutoCloseable {
    static final String USER = "postgres";
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path dir;
    private final int port;
    private final ServerProcess process;

    private PostgreSqlServer(Path dir, int port, ServerProcess process) {
        this.dir = dir;
        this.port = port;
        this.process = process;
    }

    /** The directory of the programs; empty = it is not installed. */
    static Optional<Path> programs() {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                    .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PostgreSqlServer start() {
        Path bin = programs().orElseThrow();
        try {
            // Not below a directory of root's, which the account could not enter.
            Path dir = Files.createTempDirectory("mykit-delay-postgresql-");
            run(dir, List.of("chown", accountIfRoot(), dir.toString()));
            Path data = dir.resolve("data");
            List<String> initialize = asAccount(
                    bin.resolve("initdb").toString(),
                    "--pgdata=" + data,
                    "--username=" + USER,
                    "--auth=trust",
                    "--encoding=UTF8",
                    "--no-sync");
            run(dir, initialize);
            int port = FreePorts.next();
            List<String> serve = asAccount(
                    bin.resolve("postgres").toString(),
                    "-D",
                    data.toString(),
                    "-p",
                    Integer.toString(port),
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "unix_socket_directories=" + dir);
            PostgreSqlServer server =
                    new PostgreSqlServer(dir, port, ServerProcess.start("postgresql", dir, serve, Map.of()));
            server.process.awaitReady(() -> {
                server.execute("SELECT 1");
                return true;
            });
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String accountIfRoot() {
        return isRoot() ? USER : System.getProperty("user.name");
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> asAccount(String... command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private static void run(Path dir, List<String> command) throws IOException {
        Path log = Files.createTempFile("postgresql-", ".log");
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command + " failed:\n" + Files.readString(log));
            }
            Files.delete(log);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The JDBC URL of an empty database. */
    String freshDatabase(String name) {
        execute("DROP DATABASE IF EXISTS " + name);
        execute("CREATE DATABASE " + name);
        return url(name);
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable";
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        process.close();
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
