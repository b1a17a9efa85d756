package io.mykit.delay.core.embedded;

import io.mykit.delay.common.lifecycle.Service;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.sqlite.SQLiteJDBCLoader;

/**
 * SQLite, in a file and its write-ahead log. A commit has been written to the disk when it returns (fsync): it outlives the death
 * of this process, and a power failure too, unless the disk lies about what it has written.
 *
 * <p>Nothing stays open here: the message store has the connections, and the last one to be closed writes the log into the file.
 * Thread-safe once started.
 */
public final class EmbeddedStore implements Service {
    private static final String OTHER_DATABASE =
            "; name a database of your own with mykit.delay.datasource.url=jdbc:mysql://host:port/database";
    private static final String OTHER_DIRECTORY = "; another data directory can be chosen with mykit.delay.data-dir";

    private final Path dir;
    private final Path file;
    private final String url;

    public EmbeddedStore(Path dataDir) {
        this.dir = dataDir.resolve("store").toAbsolutePath().normalize();
        this.file = dir.resolve("mykit-delay.db");
        // As a URI, in which a question mark of the path is no beginning of parameters.
        this.url = "jdbc:sqlite:" + file.toUri();
    }

    /** The settings that lead to it, by configuration key. */
    public Map<String, String> settings() {
        return Map.of("mykit.delay.datasource.url", url);
    }

    /** @throws StartException if it cannot be opened and written to */
    @Override
    public void start() {
        refuseFormerDatabase();
        try {
            Files.createDirectories(dir);
            loadDriver();
            tryToWrite();
        } catch (IOException | SQLException e) {
            throw new StartException(
                    "the embedded database " + file + " cannot be used (" + e.getMessage() + ")" + OTHER_DIRECTORY, e);
        }
    }

    @Override
    public void close() {
        // What is committed is on the disk.
    }

    /** Its messages would seem to be lost. No version that wrote it was released, so nothing reads it. */
    private void refuseFormerDatabase() {
        Path former = dir.resolve("mykit-delay.mv.db");
        if (Files.exists(former)) {
            throw new StartException("the data directory has an H2 database of an earlier build, " + former
                    + ", which this version cannot read: move the file away to begin without its messages, or run that build"
                    + " until all of them are delivered" + OTHER_DIRECTORY);
        }
    }

    /**
     * The driver unpacks its library below the data directory, as programs cannot be loaded from every /tmp, and leaves it there
     * when the process is killed: the lock on the data directory says that those found are of the dead.
     */
    private void loadDriver() throws IOException {
        Path unpacked = Files.createDirectories(dir.resolve("native"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(unpacked, "sqlite-*")) {
            for (Path old : left) {
                Files.deleteIfExists(old);
            }
        }
        System.setProperty("org.sqlite.tmpdir", unpacked.toString());
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception | LinkageError e) {
            throw new StartException(
                    "no embedded database for " + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                            + " (" + e.getMessage() + ")" + OTHER_DATABASE,
                    e);
        }
    }

    /** Finds out about a damaged or foreign file, missing rights, and a program that keeps the file locked. */
    private void tryToWrite() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("ROLLBACK");
        }
    }
}
