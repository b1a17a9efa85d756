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

    /** How long a request waits for a connection, and a statement for its answer. */
    @WithDefault("5s")
    Duration timeout();

    @WithDefault("apply")
    Schema schema();

    /** What is done with the tables at start. */
    enum Schema {
        /** Missing scripts are applied. */
        APPLY,
        /** The tables are only checked, for accounts that may not create them. */
        CHECK
    }
}
