package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.test.server.RedisAccount;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the index with the account of docs/security.md, which has no other rights. */
@Tag("nightly")
class RedisAccountIT extends RedisIndexContract {
    @TempDir
    private static Path dir;

    private static RedisServer server;
    private static String uri;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start(dir, "admin");
        uri = RedisAccount.make(server, "test.delay");
    }

    @AfterAll
    static void closeServer() {
        try {
            assertThat(RedisAccount.refusals(server)).isEmpty();
        } finally {
            server.close();
        }
    }

    @Override
    protected String uri() {
        return uri;
    }

    @Override
    protected List<RedisServer> masters() {
        return List.of(server);
    }

    @Test
    void aWrongPasswordIsTold() {
        IndexSettings wrong = new IndexSettings(RedisAccount.uri(server, "not-the-password"), "wrong");
        try {
            assertThatThrownBy(wrong::open)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageContaining("mykit.delay.redis.uri")
                    .hasMessageNotContaining("not-the-password");
        } finally {
            server.command("ACL", "LOG", "RESET");
        }
    }
}
