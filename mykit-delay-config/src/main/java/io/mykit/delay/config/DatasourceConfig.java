package io.mykit.delay.config;

import io.mykit.delay.common.value.Secret;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** {@code mykit.delay.datasource.*} */
public interface DatasourceConfig {
    String EMBEDDED = "embedded";

    /** {@code embedded}, or a JDBC URL. */
    @WithDefault(EMBEDDED)
    String url();

    Optional<String> username();

    Optional<Secret> password();

    /** Connections in the pool. */
    @WithDefault("16")
    int maxActive();

    /** The timeout of getting a connection, and of each statement. */
    @WithDefault("5s")
    Duration timeout();

    @WithDefault("apply")
    Schema schema();

    /** The treatment of the tables at start. */
    enum Schema {
        /** The server applies the missing scripts. */
        APPLY,
        /** The server only checks the tables, for accounts that may not create them. */
        CHECK
    }
}
