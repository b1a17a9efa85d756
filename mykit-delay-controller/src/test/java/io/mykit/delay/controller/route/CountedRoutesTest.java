package io.mykit.delay.controller.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CountedRoutesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final Traffic traffic = new Traffic(nanos::get);

    private void call(Access access) {
        call(access, "/r");
    }

    private void call(Access access, String path) {
        Route route = new Route(
                "r",
                access,
                Route.READ,
                path,
                ParameterNames.NOTHING,
                1,
                call -> CompletableFuture.completedFuture(Envelope.success(List.of())));
        assertThat(new CountedRoutes(traffic).noted(route).handler().handle(null))
                .isCompleted();
    }

    @Test
    void probesAndScrapesAreNoTraffic() {
        assertThat(traffic.isWithin(MINUTE)).isFalse();
        call(Access.PROBES);
        call(Access.SCRAPES);
        call(Access.EVERYBODY, "/health");
        assertThat(traffic.isWithin(MINUTE)).isFalse();
    }

    @Test
    void aCallCountsForItsTime() {
        call(Access.PRODUCERS);
        nanos.addAndGet(MINUTE.toNanos());
        assertThat(traffic.isWithin(MINUTE)).isTrue();
        nanos.incrementAndGet();
        assertThat(traffic.isWithin(MINUTE)).isFalse();
        call(Access.VIEWERS);
        assertThat(traffic.isWithin(MINUTE)).isTrue();
    }
}
