package io.mykit.delay.test.lmstfy;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.ports.RawHttp;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The ports of lmstfy with the settings that are off by default: no tokens, public sizes, other defaults, no prefix. */
@Tag("long")
class LmstfyOpenIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final int port = FreePorts.next();
    private final int adminPort = FreePorts.next();

    private DelayServer start(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("lmstfy.port", "" + port);
        all.put("lmstfy.admin-port", "" + adminPort);
        return DelayServer.start("lmstfy", dir, all);
    }

    @Test
    void anOpenServerWantsNoTokensAndSharesTopicsWithoutAPrefix() throws IOException {
        Map<String, String> settings = Map.of(
                "lmstfy.open", "true",
                "lmstfy.topic-prefix", "/",
                "delivery.topics.shop/*", "pull",
                "lmstfy.default-tries", "4",
                "lmstfy.default-ttl", "50s",
                "lmstfy.default-timeout", "1s");
        try (DelayServer server = start(settings);
                RawHttp http = new RawHttp(port);
                RawHttp admin = new RawHttp(adminPort)) {
            assertThat(http.ask("PUT /api/shop/orders", "", "theirs").status()).isEqualTo(201);
            JSONObject job =
                    JSON.parseObject(http.ask("GET /api/shop/orders", "", "").body());
            assertThat(job.getIntValue("remain_tries")).isEqualTo(3);
            assertThat(job.getLongValue("ttl")).isBetween(30L, 50L);
            assertThat(server.client().get("/topics?prefix=shop/").data()).contains("\"taken\":1");
            assertThat(http.ask("DELETE /api/shop/orders/job/" + job.getString("job_id"), "", ""))
                    .hasToString("204 ");
            assertThat(server.client().get("/topics?prefix=shop/").data())
                    .as("the hold ends with the ack")
                    .isEqualTo("[]");
            assertThat(server.client()
                            .post("/push", "{\"topic\":\"shop/orders\",\"body\":\"native\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(http.ask("GET /api/shop/orders?count=5", "", "").body()).contains("\"bmF0aXZl\"");
            assertThat(http.ask("GET /api/shop/orders", "X-Token: p:x\r\n", ""))
                    .as("a pool is looked at nevertheless")
                    .hasToString("404 {\"error\":\"pool not found\"}");
            assertThat(admin.ask("GET /limits", "", "")).hasToString("200 []");
            assertThat(byAnotherName(port, "GET /api/shop/orders/size")).isEqualTo(403);
            assertThat(byAnotherName(adminPort, "GET /limits")).isEqualTo(403);
            assertThat(admin.ask("GET /token/shop", "", "")).hasToString("200 {\"tokens\":{}}");
        }
    }

    /** As a page does whose own name leads here for the moment. */
    private static int byAnotherName(int port, String line) throws IOException {
        try (RawHttp page = new RawHttp(port)) {
            page.send(line + " HTTP/1.1\r\nHost: evil.example\r\n\r\n", new byte[0]);
            return page.read().status();
        }
    }

    @Test
    void publicSizesNeedNoTokenAndTheRestDoes() throws IOException {
        Map<String, String> settings = Map.of(
                "lmstfy.public-size", "true",
                "lmstfy.admin-user", "boss",
                "lmstfy.admin-password", "secret-of-the-boss");
        try (DelayServer server = start(settings);
                RawHttp http = new RawHttp(port)) {
            assertThat(server.isAlive()).isTrue();
            for (String path : new String[] {"size", "deadletter/size"}) {
                assertThat(http.ask("GET /api/shop/orders/" + path, "", ""))
                        .hasToString("200 {\"namespace\":\"shop\",\"queue\":\"orders\",\"size\":0}");
                assertThat(http.ask("GET /api/shop/or.ders/" + path, "", "").status())
                        .isEqualTo(400);
            }
            assertThat(byAnotherName(port, "GET /api/shop/orders/peek"))
                    .as("a token is needed, so any name is good")
                    .isEqualTo(401);
            assertThat(byAnotherName(port, "GET /api/shop/orders/size"))
                    .as("public, so a page could read it")
                    .isEqualTo(403);
            assertThat(byAnotherName(adminPort, "GET /info"))
                    .as("needs no account")
                    .isEqualTo(403);
            assertThat(byAnotherName(adminPort, "GET /token/shop")).isEqualTo(401);
            for (String line : new String[] {"GET /api/shop/orders/peek", "GET /api/shop/orders/deadletter"}) {
                assertThat(http.ask(line, "", "")).hasToString("401 {\"error\":\"token not found\"}");
            }
        }
    }
}
