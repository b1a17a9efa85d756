package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Test
    void completesAMySqlUrl() {
        assertThat(JdbcUrl.complete("jdbc:mysql://h:3306/d", TIMEOUT).value())
                .startsWith("jdbc:mysql://h:3306/d?cachePrepStmts=true&")
                .contains("&connectTimeout=5000&socketTimeout=5000&connectionTimeZone=UTC&openTelemetry=DISABLED")
                .endsWith("&sessionVariables=innodb_lock_wait_timeout=2");
    }

    @Test
    void whatTheUserGaveWins() {
        String url = JdbcUrl.complete("jdbc:mysql://h/d?socketTimeout=77&SSLMode=REQUIRED", TIMEOUT)
                .value();
        assertThat(url).startsWith("jdbc:mysql://h/d?socketTimeout=77&SSLMode=REQUIRED&");
        assertThat(url.split("socketTimeout", -1)).hasSize(2);
        assertThat(JdbcUrl.forMigration(url).value().split("socketTimeout", -1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://h/d?", "jdbc:mysql://h/d?a=b&"})
    void keepsOneSeparator(String url) {
        assertThat(JdbcUrl.complete(url, TIMEOUT).value())
                .doesNotContain("??", "?&", "&&")
                .startsWith(url + "cache");
    }

    @Test
    void leavesOthersAlone() {
        String url = "jdbc:other:file:./data/store;MODE=MySQL";
        assertThat(JdbcUrl.complete(url, TIMEOUT).value()).isEqualTo(url);
        assertThat(JdbcUrl.forMigration(url).value()).isEqualTo(url);
    }

    /** FULL makes a commit durable. */
    @Test
    void sqliteWaitsForTheDisk() {
        String url = "jdbc:sqlite:file:///data/store.db";
        assertThat(JdbcUrl.complete(url, TIMEOUT).value())
                .startsWith(url + "?journal_mode=WAL&synchronous=FULL&")
                .endsWith("&busy_timeout=2500");
        assertThat(JdbcUrl.forMigration(url).value()).contains("synchronous=FULL");
        assertThat(JdbcUrl.complete(url + "?synchronous=OFF", TIMEOUT).value()).doesNotContain("FULL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://h/d?useAffectedRows=true", "jdbc:mysql://h/d?a=b&useaffectedrows=TRUE"})
    void refusesWhatWouldMakeItLie(String url) {
        assertThatThrownBy(() -> JdbcUrl.complete(url, TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.datasource.url")
                .hasMessageContaining("useAffectedRows");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:mysql://h:3306/d?user=u&password=geheim | jdbc:mysql://h:3306/d",
                "jdbc:mysql://u:geheim@h/d | jdbc:mysql://h/d",
                "jdbc:mysql://(host=h,user=u,password=geheim)/d | jdbc:mysql://(host=h,user=u,password=***)/d",
                "jdbc:other:file:/data/store;MODE=MySQL;PASSWORD=geheim | jdbc:other:file:/data/store",
                "jdbc:sqlite:file:///data/a%3Fb?synchronous=FULL | jdbc:sqlite:file:///data/a%3Fb"
            })
    void showsNoSecrets(String url, String shown) {
        assertThat(JdbcUrl.withoutSecrets(url)).isEqualTo(shown);
        assertThat(new JdbcUrl(url)).hasToString(shown);
    }
}
