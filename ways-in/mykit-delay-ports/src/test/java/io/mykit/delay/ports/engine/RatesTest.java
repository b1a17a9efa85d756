package io.mykit.delay.ports.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static final Principal IN = Principal.PRODUCER;

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
    void aCallOverItsRateIsRefused() {
        permit = new Permit(1500, "over");
        assertThatThrownBy(() -> within(CallLimits.Kind.PULL, 0))
                .isInstanceOf(Refused.class)
                .hasMessage("again in 2");
        assertThat(told).containsExactly("ask PULL 0");
    }

    private Reply within(CallLimits.Kind kind, int items) {
        return rates.within(
                        IN,
                        kind,
                        items,
                        seconds -> new Refused(Reply.DONE, "again in " + seconds),
                        () -> CompletableFuture.completedFuture(Reply.DONE))
                .join();
    }
}
