package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis that answers and does not fit {@code mykit.delay.redis.uri}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisMisfitIT {
    private static final String KEY = "mykit.delay.redis.uri";

    @TempDir
    static Path dir;

    private RedisServer server;
    private RedisServer open;

    @BeforeAll
    void start() {
        server = RedisServer.start(dir.resolve("closed"), "r1ght");
        open = RedisServer.start(dir.resolve("open"), "");
        server.command("ACL", "SETUSER", "all", "on", ">pw", "~*", "&*", "+@all");
        server.command("ACL", "SETUSER", "mute", "on", ">pw", "~*", "resetchannels", "+@all");
        server.command("ACL", "SETUSER", "reader", "on", ">pw", "~*", "&*", "+@read", "+time");
        server.command("ACL", "SETUSER", "unscripted", "on", ">pw", "~*", "&*", "+@all", "-@scripting");
        server.command("ACL", "SETUSER", "unsorted", "on", ">pw", "~*", "&*", "+@all", "-zadd");
        server.command("ACL", "SETUSER", "elsewhere", "on", ">pw", "~other:*", "&*", "+@all");
        // Enough for the index, and not for INFO: then its policy is not known.
        server.command(
                "ACL",
                "SETUSER",
                "least",
                "on",
                ">pw",
                "~test.delay:*",
                "&test.delay:*",
                "+@read",
                "+@write",
                "+@scripting",
                "+@pubsub",
                "+time",
                "+select",
                "+ping");
    }

    @AfterAll
    void stop() {
        server.close();
        open.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://:wr0ng@CLOSED|WRONGPASS|correct the user and the password",
                "redis://nobody:r1ght@CLOSED|WRONGPASS|correct the user and the password",
                "redis://CLOSED|NOAUTH|demands a password",
                "redis://:pw@OPEN|ERR AUTH|leave it out",
                "redis://OPEN/99|DB index is out of range|the database number",
                "redis-cluster://OPEN|cluster support disabled|use redis://",
                "redis://mute:pw@CLOSED|NOPERM the user may not publish to test.delay|README.md",
                "redis://reader:pw@CLOSED|NOPERM|README.md",
                "redis://unscripted:pw@CLOSED|NOPERM|README.md",
                "redis://unsorted:pw@CLOSED|NOPERM the user may not zadd|README.md",
                "redis://elsewhere:pw@CLOSED|NOPERM|README.md",
                "redis-sentinel://:sent1nel@SENTINEL/nobody|does not know the master 'nobody'|the name of the master",
                "redis://ONESENTINEL|unknown command|another kind of server",
                "redis-sentinel://OPEN/mykit|unknown command|another kind of server"
            })
    void isToldAtStartAndNamesTheKey(String uri, String answer, String advice) {
        assertThatThrownBy(() -> new IndexSettings(real(uri), "misfit").open().close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(answer)
                .hasMessageContaining(advice)
                .hasMessageContaining(KEY)
                .hasMessageNotContainingAny("wr0ng", "r1ght", "sent1nel");
    }

    @Test
    void theLeastRightsAreEnough() {
        try (MessageIndex index = new IndexSettings(real("redis://least:pw@CLOSED"), "misfit").open()) {
            assertThat(index.check().up()).as("%s", index.check()).isTrue();
            assertThat(index.check().details()).doesNotContainKey(MessageIndex.EVICTING);
        }
    }

    @Test
    void aRedisThatIsAwayIsNone() {
        for (String uri :
                new String[] {"redis://127.0.0.1:1", "redis-sentinel://127.0.0.1:1/m", "redis-cluster://127.0.0.1:1"}) {
            try (MessageIndex index = new IndexSettings(uri, "misfit").open()) {
                assertThat(index.check().up()).isFalse();
                assertThat(index.check().details().toString()).doesNotContain(KEY);
            }
        }
    }

    @Test
    void aPasswordThatIsWrongLaterIsTold() {
        server.command("ACL", "SETUSER", "later", "on", ">pw", "~*", "&*", "+@all");
        try (MessageIndex index = new IndexSettings(real("redis://later:pw@CLOSED"), "misfit").open()) {
            server.command("ACL", "SETUSER", "later", "resetpass", ">other");
            server.command("CLIENT", "KILL", "USER", "later");
            await().until(() -> index.check().details().toString().contains("WRONGPASS"));
            assertThat(index.check().details().get("reason")).asString().contains(KEY);
            server.command("ACL", "SETUSER", "later", ">pw");
            await().until(() -> index.check().up());
        }
    }

    @Test
    void aPolicyThatDropsKeysIsToldAndChangesNothing() {
        open.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (MessageIndex index = new IndexSettings(open.uri(), "misfit").open()) {
            assertThat(new ScheduleMeters(index, meters)).isNotNull();
            assertThat(index.check().up()).isTrue();
            assertThat(index.check().details())
                    .containsEntry(MessageIndex.EVICTING, Map.of(open.address().toString(), "allkeys-lru"));
            assertThat(index.check().details().get("warning")).asString().contains("noeviction");
            assertThat(meters.get("mykit.delay.index.evicting").gauge().value()).isEqualTo(1);

            open.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            open.command("CLIENT", "KILL", "TYPE", "normal");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !index.check().details().containsKey(MessageIndex.EVICTING));
            assertThat(meters.get("mykit.delay.index.evicting").gauge().value()).isZero();
        } finally {
            open.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    private String real(String uri) {
        String sentinel = SharedServers.redisSentinel().uri();
        return uri.replace("CLOSED", server.address().toString())
                .replace("OPEN", open.address().toString())
                .replace("ONESENTINEL", sentinel.substring(sentinel.lastIndexOf('@') + 1, sentinel.indexOf(',')))
                .replace("SENTINEL", sentinel.substring(sentinel.lastIndexOf('@') + 1, sentinel.lastIndexOf("/mykit")));
    }
}
