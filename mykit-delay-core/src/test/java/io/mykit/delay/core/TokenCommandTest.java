package io.mykit.delay.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.core.embedded.DataDir;
import io.mykit.delay.core.embedded.EmbeddedStore;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path dir;

    @Test
    void makesATokenInTheEmbeddedDatabaseAndPrintsItAlone() {
        int code = run(
                "create", "--roles", "admin,producer", "--description=the first", "--expires-in=90d", "--push-rate=50");
        assertThat(err.toString(UTF_8)).startsWith("made token ").contains("the roles producer,admin;");
        assertThat(code).isZero();
        String token = out.toString(UTF_8).strip();
        assertThat(token).matches("mykd_\\w{12}_\\w{32}");
        assertThat(err.toString(UTF_8)).doesNotContain(token.substring(18));
        try (MessageStore store = open()) {
            assertThat(store.tokens().tokens(10)).singleElement().satisfies(row -> {
                assertThat(row.roles()).isEqualTo("producer,admin");
                assertThat(row.namespace()).isEqualTo("*");
                assertThat(row.pushRate()).isEqualTo(50);
                assertThat(row.pullRate()).isZero();
                assertThat(row.description()).isEqualTo("the first");
                assertThat(row.createdBy())
                        .startsWith("command line of ")
                        .hasSizeLessThanOrEqualTo(StoredToken.MAX_CREATED_BY);
                assertThat(row.expiresMs() - row.createdMs())
                        .isEqualTo(Duration.ofDays(90).toMillis());
            });
            TokenTable table = new TokenTable(store.tokens(), () -> {}, new ClusterClock());
            assertThat(table.runOnce()).isPositive();
            assertThat(table.find(token).refusal()).isNull();
        }
    }

    @Test
    void aServerThatRunsOnTheDirectoryIsNamed() {
        DataDir other = new DataDir(dir);
        other.start();
        try {
            assertThat(run("create", "--roles=admin")).isEqualTo(1);
        } finally {
            other.close();
        }
        assertThat(err.toString(UTF_8)).contains("is in use by another server");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "remove|usage: mykit-delay token create",
                "create|usage: mykit-delay token create",
                "create --roles|--roles: needs a value",
                "create --roles=admin --roles=viewer|--roles is given twice",
                "create --roles=boss|roles must be of producer, consumer, viewer, operator, admin",
                "create --roles=admin --expires-in=1s|expiresIn must be from 1m to 3650d",
                "create --roles=admin --pull-rate=1000001|--pull-rate must be between 0 and 1000000",
                "create --roles=admin --push-rate=-1|--push-rate must be between 0 and 1000000",
                "create --roles=admin --expires-in=soon|--expires-in must be a number of milliseconds",
                "create --roles=admin --nope=1|nope",
            })
    void refusesWrongOptions(String options, String message) {
        assertThat(run(options.split(" "))).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains(message);
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    private int run(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add(1, "--mykit.delay.data-dir=" + dir);
        return TokenCommand.run(all, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    private MessageStore open() {
        DelayConfig config = ConfigLoader.load(CommandLine.parse("--mykit.delay.data-dir=" + dir))
                .config();
        EmbeddedStore embedded = new EmbeddedStore(dir);
        embedded.start();
        return MyBatisMessageStore.open(
                config.datasource(),
                embedded.settings().get("mykit.delay.datasource.url"),
                config.flowLog(),
                "test",
                new ClusterClock(),
                new SimpleMeterRegistry());
    }
}
