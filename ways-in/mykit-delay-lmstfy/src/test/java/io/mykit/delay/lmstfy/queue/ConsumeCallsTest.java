package io.mykit.delay.lmstfy.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.lmstfy.token.Gate;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.consumer.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A consumer that waits ten minutes, over an engine that waits one and whose time passes by hand. */
class ConsumeCallsTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Principal CALLER = new Principal(
            "token 1", List.of(Role.CONSUMER), "shop", Optional.of("1"), Optional.empty(), CallerLimits.NONE);

    private final Workers workers = new Workers("test", 1, 1);
    private final Later later = new Later("test-timer");
    private final EmptyEngine consumers = new EmptyEngine();
    private final QueueCalls calls = calls();
    private Instant now = Instant.parse("2027-01-01T00:00:00Z");
    private volatile KnownTokens.Found found = new KnownTokens.Found(CALLER, null);
    private Permit permit = Permit.GO;

    private QueueCalls calls() {
        Engine engine =
                new Engine(null, consumers, null, null, Namespaces.NONE, () -> now, workers, later, new OwnLimits());
        Tokens tokens = new Tokens(ConfigLoader.load(Map.of()).http(), new OwnToken());
        Gate gate = new Gate(false, tokens, new TokenMeters(new SimpleMeterRegistry()), later);
        Defaults defaults = new Defaults(DAY, Duration.ZERO, 1, DAY, TEN_MINUTES);
        return new QueueCalls(engine, gate, "lm/", defaults, false, TEN_MINUTES, new Traffic(System::nanoTime));
    }

    @AfterEach
    void close() {
        later.close();
        workers.close(Duration.ZERO);
    }

    private CompletableFuture<Reply> consume() {
        return calls.answer(new Request(
                "GET",
                List.of("api", "shop", "orders"),
                "/api/shop/orders",
                Query.NONE,
                List.of(Map.entry("X-Token", "secret")),
                new byte[0],
                false,
                "127.0.0.1",
                then -> {}));
    }

    /** A token that is not known is looked at some times. */
    private static void assertNoJob(CompletableFuture<Reply> coming) {
        assertThat(coming).succeedsWithin(Duration.ofSeconds(30)).satisfies(reply -> {
            assertThat(reply.status()).isEqualTo(404);
            assertThat(new String(reply.body(), UTF_8)).isEqualTo("{\"msg\":\"no job available\"}");
        });
    }

    @Test
    void theEngineIsAskedAgainUntilTheWaitIsOver() {
        CompletableFuture<Reply> reply = consume();
        for (int minute = 1; minute < 10; minute++) {
            consumers.passMinute();
            assertThat(consumers.orders).hasSize(minute + 1);
            assertThat(reply).isNotDone();
        }
        consumers.passMinute();
        assertNoJob(reply);
        assertThat(consumers.orders).hasSize(10);
    }

    @Test
    void aTokenThatIsTakenBackDuringTheWaitGetsNoJob() {
        CompletableFuture<Reply> reply = consume();
        consumers.passMinute();
        found = KnownTokens.Found.refused(new DelayException(ErrorCode.UNAUTHORIZED, "the token is not known"));
        consumers.passMinute();
        assertNoJob(reply);
        assertThat(consumers.orders).hasSize(2);
    }

    @Test
    void aTokenThatIsOverItsRateDuringTheWaitGetsNoJob() {
        CompletableFuture<Reply> reply = consume();
        permit = new Permit(1500, "over");
        consumers.passMinute();
        assertNoJob(reply);
        assertThat(consumers.orders).hasSize(1);
    }

    @Test
    void aTokenThatCannotBeCheckedEndsTheWait() {
        CompletableFuture<Reply> reply = consume();
        found = KnownTokens.Found.refused(new DelayException(ErrorCode.STORE_UNAVAILABLE, "the table is away"));
        consumers.passMinute();
        assertThat(reply).isCompletedExceptionally();
        assertThat(consumers.orders).hasSize(1);
    }

    private final class OwnToken implements KnownTokens {
        @Override
        public Found find(String token) {
            return found;
        }

        @Override
        public boolean any() {
            return true;
        }

        @Override
        public boolean anyHas(Role... roles) {
            return true;
        }
    }

    private final class OwnLimits implements CallLimits {
        @Override
        public CompletableFuture<Permit> ask(Principal caller, Kind kind, int items) {
            return CompletableFuture.completedFuture(permit);
        }

        @Override
        public void passed(Principal caller, Kind kind, int items) {}

        @Override
        public NamespaceBounds bounds(String namespace) {
            return NamespaceBounds.NONE;
        }
    }

    /** It has no messages. */
    private final class EmptyEngine implements Consumers {
        private final List<PullOrder> orders = new ArrayList<>();
        private Consumer<PullAnswer> last;

        /** Until the wait of the last order is over. */
        void passMinute() {
            now = now.plus(limits().maxWait());
            last.accept(PullAnswer.NOTHING);
        }

        @Override
        public boolean isPulled(String topic) {
            return true;
        }

        @Override
        public PullSettings limits() {
            return new PullSettings(DAY, 1, Duration.ofMinutes(1), 0);
        }

        @Override
        public Map<String, Integer> waiting(String topic) {
            return Map.of();
        }

        @Override
        public Waiting pull(PullOrder order, Consumer<PullAnswer> answer) {
            orders.add(order);
            last = answer;
            return () -> {};
        }

        @Override
        public void giveBack(List<PulledMessage> messages) {}

        @Override
        public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
            throw new UnsupportedOperationException("nothing is handed out");
        }
    }
}
