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
 * SQLite in a file with a write-ahead log. A commit is on the disk when it returns (fsync). It survives the death of this
 * process, and a power failure too, unless the disk reports writes that it has not made.
 *
 * <p>This class keeps no connection open. The message store has the connections, and the last one that closes writes the
 * log into the file. Thread-safe once started.
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
        // The path is a URI, so a question mark in it does not begin the parameters.
        this.url = "jdbc:sqlite:" + file.toUri();
    }

    /** The settings with which the message store connects to it, by configuration key. */
    public Map<String, String> settings() {
        return Map.of("mykit.delay.datasource.url", url);
    }

    /**
     * @throws StartException if the file cannot be opened and written
     */
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
        // Each commit is on the disk.
    }

    /**
     * Refuses an H2 file, because its messages would seem lost. No released version wrote such a file, so this version does
     * not read it.
     */
    private void refuseFormerDatabase() {
        Path former = dir.resolve("mykit-delay.mv.db");
        if (Files.exists(former)) {
            throw new StartException("the data directory has an H2 database of an earlier build, " + former
                    + ", which this version cannot read: move the file away to begin without its messages, or run that build"
                    + " until all of them are delivered" + OTHER_DIRECTORY);
        }
    }

    /**
     * The driver unpacks its library below the data directory, because not every /tmp allows programs. A killed process
     * leaves the library there. The lock on the data directory guarantees that such leftovers have no owner.
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

    /** Detects a damaged or foreign file, missing rights, and another program that locks the file. */
    private void tryToWrite() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("ROLLBACK");
        }
    }
}
