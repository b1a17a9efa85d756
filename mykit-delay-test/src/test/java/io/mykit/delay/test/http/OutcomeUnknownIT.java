package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.network.CommitProxy;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a producer hears when the database has its COMMIT and does not say whether it carries it out. */
@Tag("long")
class OutcomeUnknownIT {
    private static final String NAME = "outcome_unknown";
    private static final String PUSH = "{\"topic\":\"t\",\"delay\":1800000,\"body\":\"b\"";
    /** The server has other commits too, and the proxy takes the next one of any. */
    private static final int TRIES = 20;

    @Test
    void theAnswerHasTheIdSoThatARetryIsTheSameMessage(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        try (CommitProxy proxy = new CommitProxy(SharedServers.mysql().port())) {
            String url = proxy.through(SharedServers.mysql().url(NAME));
            Map<String, String> settings = Map.of("datasource.url", url, "datasource.timeout", "4s");
            try (HttpFixture fixture = new HttpFixture(NAME, dir, settings)) {
                // The first push of a node has a COMMIT before its own: that of the author's number.
                fixture.client().post("/push", PUSH + "}");
                Answer unknown = pushUntilInDoubt(fixture, proxy);
                assertThat(unknown.status()).isEqualTo(503);
                String id = unknown.data();
                assertThat(id).as("a generated id, in %s", unknown.text()).isNotBlank();
                proxy.letGo();
                Answer again = fixture.client().post("/push", PUSH + ",\"id\":\"" + id + "\"}");
                assertThat(again.status()).as(again.text()).isEqualTo(200);
                assertThat(again.data()).isEqualTo(id);
                assertThat(fixture.client().job(id).dataObject().getJSONArray("flow"))
                        .as("pushed once")
                        .hasSize(1);
            }
        }
    }

    private static Answer pushUntilInDoubt(HttpFixture fixture, CommitProxy proxy) {
        for (int i = 0; i < TRIES; i++) {
            proxy.holdNextCommit();
            Answer answer = fixture.client().post("/push", PUSH + "}");
            if ("OUTCOME_UNKNOWN".equals(answer.error())) {
                return answer;
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            proxy.letGo();
        }
        throw new AssertionError("no push of " + TRIES + " was in doubt");
    }
}
