package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis before 6.2, which has no ZMSCORE. */
class OldRedisIT {
    @TempDir
    static Path dir;

    @Test
    void scoresAreReadOneByOne() throws IOException {
        String entries;
        try (InputStream in = getClass().getResourceAsStream("/lua/entries.lua")) {
            entries = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String asked = entries + "return cjson.encode(scores(KEYS[1], {'a', 'none', 'b'}))";
        assertThat(asked).contains("'ZMSCORE'");
        try (RedisServer server = RedisServer.start(dir, "")) {
            server.command("ZADD", "z", "1", "a", "2", "b");
            for (String script : new String[] {asked, asked.replace("'ZMSCORE'", "'ZNONE'")}) {
                byte[] answer = (byte[]) server.command("EVAL", script, "1", "z");
                assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("[\"1\",false,\"2\"]");
            }
        }
    }
}
