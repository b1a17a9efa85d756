package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.DatasourceConfig;
import java.sql.SQLException;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Applies the scripts of the {@link Dialect} that have not been applied yet. The caller holds the {@link SchemaLock}.
 */
final class Migration {
    private static final Set<Integer> REFUSED = Set.of(
            1044, // MySQL ER_DBACCESS_DENIED_ERROR
            1142, // MySQL ER_TABLEACCESS_DENIED_ERROR
            1227); // MySQL ER_SPECIFIC_ACCESS_DENIED_ERROR

    private final JdbcUrl url;
    private final DatasourceConfig config;

    Migration(JdbcUrl url, DatasourceConfig config) {
        this.url = url;
        this.config = config;
    }

    /** @throws FlywayException if a script fails */
    void run(SchemaState before) {
        Flyway.configure(getClass().getClassLoader())
                .loggers(FlywayToDebug.class.getName())
                .dataSource(
                        url.value(),
                        config.username().orElse(null),
                        config.password().map(Secret::reveal).orElse(null))
                .table(SchemaState.HISTORY)
                .locations("classpath:" + url.dialect().migrations())
                .failOnMissingLocations(true)
                .cleanDisabled(true)
                // The same database may hold tables of other applications.
                .baselineOnMigrate(!before.hasHistory())
                .baselineVersion(before.baseline())
                .load()
                .migrate();
    }

    /** True if the account lacks a privilege. */
    static boolean isRefused(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && REFUSED.contains(sql.getErrorCode())) {
                return true;
            }
        }
        return false;
    }
}
