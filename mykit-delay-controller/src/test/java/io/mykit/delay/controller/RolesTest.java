package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.controller.TestServer.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The roles on a real server: its answers to each token. */
class RolesTest {
    private static final TestConfig ALL = TestConfig.tokens("admin", "producer", "viewer", false);

    /** token -> role, pushes, reads, acts. */
    @ParameterizedTest
    @CsvSource({
        ",ANONYMOUS,false,false,false",
        "producer,PRODUCER,true,false,false",
        "viewer,VIEWER,false,true,false",
        "admin,OPERATOR,true,true,true"
    })
    void whoamiTellsTheRole(String token, String role, boolean pushes, boolean reads, boolean acts) {
        try (TestServer http = new TestServer(ALL)) {
            assertThat(get(http, "/whoami", token).json().getJSONObject("data"))
                    .containsEntry("role", role)
                    .containsEntry("tokensConfigured", true)
                    .containsEntry("pushes", pushes)
                    .containsEntry("reads", reads)
                    .containsEntry("acts", acts);
        }
    }

    @Test
    void withoutTokensEverybodyMayDoEverything() {
        try (TestServer http = new TestServer(TestConfig.open())) {
            assertThat(get(http, "/whoami", "anything").json().getJSONObject("data"))
                    .containsEntry("role", "ANONYMOUS")
                    .containsEntry("tokensConfigured", false)
                    .containsEntry("acts", true);
            assertThat(http.get("/whoami?x=1").message()).isEqualTo("unknown parameter x; this call has no parameters");
        }
    }

    /** call, token -> status. */
    @ParameterizedTest
    @CsvSource({
        "/metrics,,401",
        "/metrics,producer,403",
        "/metrics,viewer,200",
        "/metrics,admin,200",
        "/topics,producer,403",
        "/topics,viewer,200",
        "/dead,viewer,200",
        "/dead,,401",
        "/job/x,viewer,200",
        "/job/x,producer,200",
        "/job/x,,401",
        "/peek?topic=t,viewer,403",
        "/clearAll,viewer,403",
        "/delete?id=x,viewer,403",
        "/delete?topic=t&bizKey=k,viewer,403",
        "/delete?topic=t&bizKey=k,producer,200",
        "/messages?topic=t&bizKey=k,,401",
        "/messages?topic=t&bizKey=k,unknown,401",
        "/messages?topic=t&bizKey=k,producer,200",
        "/messages?status=DELAY&bizKey=k&topic=t,producer,200",
        "/messages?topic=t&bizKey=k,viewer,200",
        "/messages?topic=t&bizKey=k,admin,200",
        "/messages?bizKey=k,producer,403",
        "/messages?topic=t,producer,403",
        "/messages?status=DELAY&xtopic=t&bizKey=k,producer,403",
        "/messages?topic=t&b%69zKey=k,producer,403",
        "/messages?topic=t&b%69zKey=k,viewer,200",
        "/messages?topic=t&bizKey=,producer,400",
        "/messages?bizKey=k,,401",
        "/health,,200",
        "/health/live,,200",
        "/health/ready,unknown,200",
    })
    void eachRoleHasItsCalls(String call, String token, int status) {
        try (TestServer http = new TestServer(ALL)) {
            assertThat(get(http, call, token).response().statusCode()).isEqualTo(status);
        }
    }

    @Test
    void healthTellsItsDetailsToViewersOnly() {
        try (TestServer http = new TestServer(ALL)) {
            http.stub.store = () -> Health.down("10.1.2.3 refused");
            http.stub.loops = () -> Health.down("bucket-1 has not ticked");
            assertHidden(http, "/health", "/health/ready");
            http.stub.beyondRepair = List.of("bucket-1");
            assertHidden(http, "/health", "/health/ready", "/health/live");
            assertThat(get(http, "/health", null).json().getJSONObject("data"))
                    .isEqualTo(JSONObject.of("status", "DOWN"));
        }
    }

    private static void assertHidden(TestServer http, String... paths) {
        for (String path : paths) {
            assertThat(get(http, path, "producer").response().body()).as(path).doesNotContain("10.1.2.3", "bucket-1");
            assertThat(get(http, path, "viewer").response().body()).as(path).containsAnyOf("10.1.2.3", "bucket-1");
        }
    }

    @Test
    void metricsAndHealthMayBeOpened() {
        try (TestServer http = new TestServer(TestConfig.tokens("admin", null, "viewer", true))) {
            assertThat(get(http, "/metrics", null).response().statusCode()).isEqualTo(200);
            assertThat(get(http, "/health", null).json().getJSONObject("data")).containsKey("checks");
        }
    }

    @Test
    void tooManyUnknownTokensAreToldToWaitAndAKnownOnePasses() {
        try (TestServer http = new TestServer(ALL)) {
            for (int i = 0; i < 10; i++) {
                assertThat(get(http, "/whoami", "guess " + i).status()).isEqualTo(401);
            }
            Answer refused = get(http, "/topics", "guess");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.error()).isEqualTo("UNAUTHORIZED");
            assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 61);
            assertThat(get(http, "/topics", "viewer").status()).isEqualTo(200);
            assertThat(get(http, "/topics", null).status()).as("no token").isEqualTo(401);
        }
    }

    @Test
    void tooManyUnknownTokensHaveOneLineOfTheLog() {
        try (TestServer http = new TestServer(ALL);
                LogLines lines = new LogLines(FailedLogins.class.getName())) {
            for (int i = 0; i < 15; i++) {
                get(http, "/whoami", "guess " + i);
            }
            assertThat(lines.queue())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "More than 10 unknown tokens came from 127.0.0.1 within a minute; further ones are told to wait");
        }
    }

    @Test
    void aCancelNamesItsCaller() {
        try (TestServer http = new TestServer(ALL)) {
            assertThat(get(http, "/delete?jobId=1", "producer").status()).isEqualTo(200);
            assertThat(http.stub.cancelledBy).isEqualTo("producer from 127.0.0.1");
            assertThat(get(http, "/delete?jobId=1", "admin").status()).isEqualTo(200);
            assertThat(http.stub.cancelledBy).isEqualTo("operator from 127.0.0.1");
        }
    }

    private static Answer get(TestServer http, String path, String token) {
        return http.send(
                token == null ? http.request(path) : http.request(path).header("Authorization", "Bearer " + token));
    }
}
