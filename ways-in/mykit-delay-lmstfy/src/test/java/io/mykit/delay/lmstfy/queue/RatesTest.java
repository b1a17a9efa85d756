package io.mykit.delay.lmstfy.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.call.Reply;
import io.mykit.delay.lmstfy.token.Admitted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static final Admitted IN = new Admitted(Principal.PRODUCER, "secret");

    private final List<String> told = new ArrayList<>();
    private final Workers workers = new Workers("test", 1, 1);
    private Permit permit = Permit.GO;
    private final Rates rates = new Rates(
            new CallLimits() {
                @Override
                public CompletableFuture<Permit> ask(Principal caller, Kind kind, int items) {
                    told.add("ask " + kind + " " + items);
                    return CompletableFuture.completedFuture(permit);
                }

                @Override
                public void passed(Principal caller, Kind kind, int items) {
                    told.add("passed " + kind + " " + items);
                }

                @Override
                public NamespaceBounds bounds(String namespace) {
                    throw new AssertionError("a token of no namespace has no bounds");
                }
            },
            workers);

    @AfterEach
    void close() {
        workers.close(Duration.ZERO);
    }

    @Test
    void aCallBelowItsRateGoesOn() {
        assertThat(within(CallLimits.Kind.PUSH, 1)).isSameAs(Reply.DONE);
        rates.passed(IN, CallLimits.Kind.PUSH, 3);
        assertThat(told).containsExactly("ask PUSH 1", "passed PUSH 3");
        assertThat(rates.bounds(IN)).isSameAs(NamespaceBounds.NONE);
    }

    @Test
    void aRefusalHasTheTextOfLmstfy() {
        permit = new Permit(1500, "over");
        assertRefused(CallLimits.Kind.PUSH, "produce");
        assertRefused(CallLimits.Kind.PULL, "consume");
    }

    private void assertRefused(CallLimits.Kind kind, String word) {
        Reply reply = catchThrowableOfType(Refusal.class, () -> within(kind, 0)).reply();
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.retryAfter()).isEqualTo(2);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"msg\":\"token(secret) " + word + " reach the limit rate, please retry later\"}");
    }

    private Reply within(CallLimits.Kind kind, int items) {
        return rates.within(IN, kind, items, () -> CompletableFuture.completedFuture(Reply.DONE))
                .join();
    }
}
