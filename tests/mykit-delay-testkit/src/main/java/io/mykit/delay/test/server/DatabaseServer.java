package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A MySQL or MariaDB server on 127.0.0.1 and a data directory of its own. Its account is {@value #USER}, without a
 * password. Every commit is flushed to disk. Reads are thread-safe; starting and killing is for one thread.
 */
public abstract sealed class DatabaseServer implements AutoCloseable permits MySqlServer, MariaDbServer {
    public static final String USER = "root";

    /** The answer to KILL for a connection that has ended meanwhile: ER_NO_SUCH_THREAD. */
    private static final int NO_SUCH_THREAD = 1094;

    /** MySQL makes one where it is missing: servers of a replication must not have the same. */
    private static final String SERVER_ID = "auto.cnf";

    private static final Duration WRITE_TIMEOUT = Duration.ofMinutes(3);
    private static final String DIRTY_PAGES = "Innodb_buffer_pool_pages_dirty";

    private final String name;
    private final Path dir;
    private final int port = FreePorts.next();
    private volatile ServerProcess process;

    /** @param dir for data and log; survives {@link #close()} */
    DatabaseServer(String name, Path dir) {
        this.name = name;
        this.dir = dir.toAbsolutePath();
    }

    abstract List<String> command(Path data, int port);

    abstract Map<String, String> environment();

    final void launch(Path emptyData) {
        Path data = dir.resolve("data");
        if (!Files.exists(data)) {
            copy(emptyData, data);
        }
        process = ServerProcess.start(name.toLowerCase(Locale.ROOT), dir, command(data, port), environment())
                .awaitReady(() -> {
                    execute("SELECT 1");
                    return true;
                });
    }

    /** The arguments of each start of the program, both for making the data and for serving them; the caller adds more. */
    static List<String> program(Path base, String program, Path data, String redoLog) {
        // A server that starts removes the temporary tables of all others from a directory that they share.
        Path temporary = data.resolveSibling("tmp");
        try {
            Files.createDirectories(temporary);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ArrayList<>(List.of(
                base.resolve(program).toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--basedir=" + base,
                "--datadir=" + data,
                "--tmpdir=" + temporary,
                "--lc-messages-dir=" + base.resolve("share"),
                "--innodb-use-native-aio=0",
                redoLog,
                "--innodb-buffer-pool-size=67108864"));
    }

    /** MySQL or MariaDB. */
    public final String name() {
        return name;
    }

    public final int port() {
        return port;
    }

    /** The JDBC URL of an empty database, which is created, or emptied if it is there. */
    public final String freshDatabase(String database) {
        execute(
                "DROP DATABASE IF EXISTS " + database,
                "CREATE DATABASE " + database + " DEFAULT CHARACTER SET utf8mb4");
        return url(database);
    }

    /**
     * The JDBC URL of a database without rows. It keeps the tables of the test before, and the history of their migrations, which take
     * longer than most tests. Connections that test has left are ended: one may hold locks.
     */
    public final String emptiedDatabase(String database) {
        execute("CREATE DATABASE IF NOT EXISTS " + database + " DEFAULT CHARACTER SET utf8mb4");
        for (String id : column("SELECT id FROM information_schema.processlist WHERE db = '" + database + "'")) {
            try {
                execute("KILL " + id);
            } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof SQLException cause && cause.getErrorCode() == NO_SUCH_THREAD)) {
                    throw e;
                }
            }
        }
        execute(column("SHOW TABLES FROM " + database).stream()
                .filter(table -> !table.endsWith("_history"))
                .map(table -> "DELETE FROM " + database + "." + table)
                .toArray(String[]::new));
        return url(database);
    }

    /** The JDBC URL of a database, without encryption. */
    public final String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + database + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    /** Runs statements, one after the other, as {@value #USER}. */
    public final void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(url(""), USER, "");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(name + ": " + String.join("; ", statements), e);
        }
    }

    /** The first column of each row. */
    final List<String> column(String query) {
        try (Connection connection = DriverManager.getConnection(url(""), USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(name + " does not answer " + query, e);
        }
    }

    /**
     * Writes all that changed in memory to the data files, as fast as the disk takes it; changes that are made meanwhile may
     * be left.
     *
     * @throws IllegalStateException if that takes longer than three minutes
     */
    public final void writeBehind() throws InterruptedException {
        execute("SET GLOBAL innodb_io_capacity_max = 20000", "SET GLOBAL innodb_io_capacity = 20000");
        long deadline = System.nanoTime() + WRITE_TIMEOUT.toNanos();
        while (status(DIRTY_PAGES) > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        status(DIRTY_PAGES) + " pages were not written within " + WRITE_TIMEOUT);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        execute("SET GLOBAL innodb_io_capacity = 200", "SET GLOBAL innodb_io_capacity_max = 2000");
    }

    /** A number of {@code SHOW GLOBAL STATUS}, such as {@code Questions}; asking is a statement of its own. */
    public final long status(String variable) {
        try (Connection connection = DriverManager.getConnection(url(""), USER, "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + variable + "'")) {
            row.next();
            return row.getLong("Value");
        } catch (SQLException e) {
            throw new IllegalStateException(name + " does not tell " + variable, e);
        }
    }

    public final long pid() {
        return process.pid();
    }

    /** SIGKILL; committed transactions are on disk. */
    public final void kill() {
        process.kill();
    }

    /** SIGSTOP: connections stay open and nothing answers. */
    public final void freeze() {
        process.freeze();
    }

    /** SIGCONT. */
    public final void thaw() {
        process.thaw();
    }

    /** Kills it if it runs, and starts it on the same port and data. */
    public final void restart() {
        kill();
        launch(dir.resolve("data"));
    }

    @Override
    public final void close() {
        if (process != null) {
            process.close();
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                    Files.createDirectories(to.resolve(from.relativize(path)));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                    if (!path.endsWith(SERVER_ID)) {
                        Files.copy(path, to.resolve(from.relativize(path)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
