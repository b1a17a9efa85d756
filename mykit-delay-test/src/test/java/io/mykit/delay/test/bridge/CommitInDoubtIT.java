package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.test.fault.network.CommitProxy;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The answers and the arrivals when the database executes a COMMIT long after the request. */
@Tag("long")
class CommitInDoubtIT extends BridgeFixture {
    private CommitProxy proxy;

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        proxy = new CommitProxy(SharedServers.mysql().port());
        settings.computeIfPresent("mykit.delay.datasource.url", (key, url) -> proxy.through(url));
        settings.put("mykit.delay.datasource.timeout", "3s");
        return settings;
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Test
    void cancelledIsNotSaidOfWhatIsDelivered() throws Exception {
        bridge.push(bridge.message("x", "t", 3500));
        proxy.holdNextCommit();
        assertThatThrownBy(() -> bridge.cancel("x")).isInstanceOf(StoreInDoubtException.class);
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !bridge.channel().arrivals("x").isEmpty());
        proxy.letGo();
        await().until(() -> status("x") == DELETE || status("x") == FINISH);
        // While the outcome of the delivery is on its way, the answer is OUTCOME_UNKNOWN.
        await().ignoreExceptionsInstanceOf(DelayException.class).until(() -> {
            assertThat(bridge.cancel("x")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
            return true;
        });
        awaitStatus("x", FINISH);
        assertThat(bridge.cancel("x")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(bridge.channel().arrivals("x")).hasSize(1);
        assertLegalPath("x");
        assertIndexEmpty();
    }

    /** The old version is delivered and the new one is not lost. */
    @Test
    void aReplacementThatCameThroughAfterAllIsDelivered() throws Exception {
        bridge.push(bridge.message("x", "t", 3500));
        DelayMessage next = bridge.message("x", "t", 9000).withBody("new");
        proxy.holdNextCommit();
        assertThat(bridge.pushAsync(next, true))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .havingRootCause()
                .isNotNull();
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !bridge.channel().arrivals("x").isEmpty());
        proxy.letGo();
        bridge.pushAsync(next, true).get(20, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().arrivals("x").size() == 2);
        awaitStatus("x", FINISH);
        assertThat(bridge.channel().arrivals("x"))
                .extracting(arrival -> arrival.message().body())
                .containsExactly("body of x", "new");
        assertThat(bridge.channel().arrivals("x").get(1).atMs()).isGreaterThanOrEqualTo(next.dueTimeMs());
        assertLegalPath("x");
        assertIndexEmpty();
    }

    private Object status(String id) {
        return bridge.store().states(List.of(id)).stream()
                .map(RowState::status)
                .findFirst()
                .orElse(DELAY);
    }
}
