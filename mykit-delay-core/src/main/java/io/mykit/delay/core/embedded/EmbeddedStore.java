package io.mykit.delay.core.embedded;

import io.mykit.delay.common.lifecycle.Service;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * H2 in MySQL mode, in a file. A commit is with the operating system when it returns: it outlives the death of this
 * process, not necessarily a power failure. Thread-safe once started.
 */
public final class EmbeddedStore implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);
    private static final String USER = "sa";

    private final String url;
    private final Path file;
    private Connection keeper;

    public EmbeddedStore(Path dataDir) {
        this.file = dataDir.resolve("store/mykit-delay");
        // WRITE_DELAY=0: by default H2 writes a commit up to half a second after it was confirmed.
        // DB_CLOSE_ON_EXIT=FALSE: its own shutdown hook would close the database under a server that is stopping.
        this.url = "jdbc:h2:async:" + file.toString().replace(";", "\\;")
                + ";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
                + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE";
    }

    /** The settings that lead to it, by configuration key. */
    public Map<String, String> settings() {
        return Map.of(
                "mykit.delay.datasource.url", url,
                "mykit.delay.datasource.username", USER,
                "mykit.delay.datasource.password", "");
    }

    /** @throws StartException if it cannot be opened */
    @Override
    public void start() {
        try {
            keeper = DriverManager.getConnection(url, USER, "");
        } catch (SQLException e) {
            throw new StartException(
                    "the embedded database " + file + " cannot be opened (" + firstLine(e)
                            + "); another data directory can be chosen with mykit.delay.data-dir",
                    e);
        }
    }

    /** Writes everything out; connections that are still open are cut. */
    @Override
    public void close() {
        if (keeper == null) {
            return;
        }
        try (Connection connection = keeper;
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException e) {
            LOG.warn("the embedded database was not closed cleanly; it repairs itself at the next start", e);
        }
        keeper = null;
    }

    private static String firstLine(SQLException e) {
        return e.getMessage().lines().findFirst().orElse("");
    }
}
