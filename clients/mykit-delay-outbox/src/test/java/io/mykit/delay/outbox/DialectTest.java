package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectTest {
    @ParameterizedTest
    @CsvSource({
        "MySQL, 8.0.31, mysql.sql, true",
        "MySQL, 9.1.0-cloud, mysql.sql, true",
        "MySQL, 8.0.0-dmr, mysql.sql, false",
        "MySQL, 5.7.44-log, mysql.sql, false",
        "MySQL, 11.4.5-MariaDB, mysql.sql, true",
        "MySQL, 5.5.5-10.5.29-MariaDB, mysql.sql, false",
        "MariaDB, 10.6.0-MariaDB, mysql.sql, true",
        "PostgreSQL, 15.9 (Debian 15.9-0+deb12u1), postgresql.sql, true",
        "H2, 2.3.232 (2024-08-11), h2.sql, true",
        "H2, 2.1.214 (2022-06-13), h2.sql, false"
    })
    void theVersionTellsWhatTheDatabaseHas(String product, String version, String file, boolean skipsLocked) {
        Dialect dialect = Dialect.of(product, version);
        assertThat(dialect.file()).isEqualTo("io/mykit/delay/outbox/" + file);
        assertThat(dialect.skipsLocked()).isEqualTo(skipsLocked);
        assertThat(DialectTest.class.getResource("/" + dialect.file())).isNotNull();
    }

    @Test
    void anUnknownDatabaseIsNamed() {
        assertThatThrownBy(() -> Dialect.of("Oracle", "23"))
                .hasMessage("the outbox knows MySQL, MariaDB, PostgreSQL and H2, and not Oracle 23");
    }
}
