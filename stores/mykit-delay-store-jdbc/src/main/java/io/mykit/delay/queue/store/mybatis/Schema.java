package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.DatasourceConfig;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the tables at start, or throws with the reason why they cannot be used. It changes a database only if it
 * understands all tables that it finds: tables of the original mykit-delay, which have the same names, stay as they
 * are. One thread, at start.
 */
final class Schema {
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);
    private static final String KEY = "mykit.delay.datasource.schema";

    private final DatasourceConfig config;
    private final String url;
    private final String scripts;

    private Schema(DatasourceConfig config, String url) {
        this.config = config;
        this.url = url;
        this.scripts = Dialect.of(url).scripts();
    }

    /**
     * Creates or checks the tables as configured.
     *
     * @throws StoreUnavailableException if the server cannot be reached
     * @throws ConfigException if the server is there, and refuses the account or does not have the database
     * @throws IllegalStateException if the tables do not have the expected form; the message says how to correct that
     */
    static void prepare(DatasourceConfig config, String url) {
        Schema schema = new Schema(config, url);
        switch (config.schema()) {
            case APPLY -> schema.apply();
            case CHECK -> schema.requireComplete(", or set " + KEY + "=apply");
        }
    }

    @SuppressWarnings("try") // The lock is only held.
    private void apply() {
        requireAnswer();
        JdbcUrl patient = JdbcUrl.forMigration(url);
        try (SchemaLock lock = new SchemaLock(connect(patient))) {
            SchemaState before = inspect();
            if (before.isForeign()) {
                throw new IllegalStateException(
                        "the database " + JdbcUrl.withoutSecrets(url) + " has " + before.foreign());
            }
            if (before.isHandmade()) {
                LOG.info(
                        "All tables exist, but no migration created them; set {}=check if you create the tables yourself",
                        KEY);
                return;
            }
            migrate(patient, before);
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    private void migrate(JdbcUrl patient, SchemaState before) {
        try {
            new Migration(patient, config).run(before);
        } catch (FlywayException e) {
            explain(e);
        }
        requireComplete("");
    }

    /**
     * Throws with the cause of a failed migration. If the account may not create tables but all tables exist, the
     * start goes on.
     */
    private void explain(FlywayException failure) {
        if (!Migration.isRefused(failure)) {
            if (Set.of(SqlFailure.UNAVAILABLE, SqlFailure.NO_WRITES).contains(SqlFailure.of(failure))) {
                throw unavailable(failure);
            }
            throw new IllegalStateException(
                    "cannot create the tables in " + JdbcUrl.withoutSecrets(url) + ": " + SqlFailure.reason(failure),
                    failure);
        }
        SchemaState state = inspect();
        List<String> missing = state.missing();
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "the account may not create tables in " + JdbcUrl.withoutSecrets(url) + ", and these are missing: "
                            + missing + ". Run " + state.scripts(scripts) + " with an account that may, and set " + KEY
                            + "=check",
                    failure);
        }
        LOG.info(
                "All tables exist, and the account may not create tables; set {}=check to skip the migration at start",
                KEY);
    }

    private void requireComplete(String otherwise) {
        SchemaState state = inspect();
        if (!state.missing().isEmpty()) {
            throw new IllegalStateException("the database " + JdbcUrl.withoutSecrets(url) + " lacks " + state.missing()
                    + ": run " + state.scripts(scripts) + otherwise);
        }
    }

    /**
     * Asks the server with the short timeout. The migration has a long timeout, and would wait long for a frozen
     * server.
     */
    private void requireAnswer() {
        try (Connection connection = connect(JdbcUrl.complete(url, config.timeout()))) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    private SchemaState inspect() {
        try (Connection connection = connect(JdbcUrl.complete(url, config.timeout()))) {
            return SchemaState.read(connection);
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    private Connection connect(JdbcUrl to) throws SQLException {
        Properties account = new Properties();
        config.username().ifPresent(name -> account.setProperty("user", name));
        config.password().map(Secret::reveal).ifPresent(secret -> account.setProperty("password", secret));
        return DriverManager.getConnection(to.value(), account);
    }

    private RuntimeException unavailable(Exception e) {
        String user = config.username().map(name -> " as " + name).orElse("");
        String what = "cannot connect to " + JdbcUrl.withoutSecrets(url) + user + ": " + SqlFailure.reason(e);
        return SqlFailure.keysToCorrect(e)
                .<RuntimeException>map(keys -> new ConfigException(what + "; correct " + keys, e))
                .orElseGet(() -> new StoreUnavailableException(what, e));
    }
}
