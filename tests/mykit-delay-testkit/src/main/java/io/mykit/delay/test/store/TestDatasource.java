package io.mykit.delay.test.store;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.DatasourceConfig;
import java.time.Duration;
import java.util.Optional;

/** A data source's configuration, by hand. */
public record TestDatasource(
        String url,
        Optional<String> username,
        Optional<Secret> password,
        int maxActive,
        Duration timeout,
        Schema schema)
        implements DatasourceConfig {

    /** The configuration of a user that gives an address and an account only. */
    public static TestDatasource of(String url, String user) {
        return new TestDatasource(url, Optional.of(user), Optional.empty(), 16, Duration.ofSeconds(5), Schema.APPLY);
    }

    public TestDatasource with(Schema other) {
        return new TestDatasource(url, username, password, maxActive, timeout, other);
    }

    public TestDatasource with(Duration other) {
        return new TestDatasource(url, username, password, maxActive, other, schema);
    }

    public TestDatasource at(String otherUrl) {
        return new TestDatasource(otherUrl, username, password, maxActive, timeout, schema);
    }
}
