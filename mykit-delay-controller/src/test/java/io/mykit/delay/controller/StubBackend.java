package io.mykit.delay.controller;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.limit.NodeLimits;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.intake.PushMeters;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.memory.MemoryLimits;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A backend that answers by the id of the call, and that can be held up. */
final class StubBackend {
    static final long NOW = 1_700_000_000_000L;
    /** Characters of the body of the message "large": more than the system keeps for a client that does not read. */
    static final int LARGE = 8_000_000;

    final ConcurrentMap<String, DelayMessage> pushed = new ConcurrentHashMap<>();
    /** How many came to the gate so far. */
    final AtomicInteger atGate = new AtomicInteger();
    /** The caller of the last cancel. */
    volatile String cancelledBy;

    final StubAudit audit = new StubAudit();
    final StubOverviews overviews = new StubOverviews();
    final StubPulling pulling = new StubPulling();
    final StubAwaiting awaiting = new StubAwaiting();
    final StubSearch search = new StubSearch(overviews);
    /** The bodies of messages that have others than the usual one. */
    final ConcurrentMap<String, String> bodies = new ConcurrentHashMap<>();
    /** Messages that have finished, with their results. */
    final ConcurrentMap<String, MessageResult> finished = new ConcurrentHashMap<>();

    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile CompletableFuture<Void> commit = CompletableFuture.completedFuture(null);
    volatile Supplier<Health> store = () -> Health.up(Map.of("rows", 3));
    volatile Supplier<Health> index = () -> Health.up(Map.of());
    volatile Supplier<Health> loops = () -> Health.up(Map.of());
    volatile List<String> beyondRepair = List.of();

    /** Redis as the limits of callers see it. */
    final MemoryLimits shared = new MemoryLimits(InstantSource.fixed(Instant.ofEpochMilli(NOW)));

    /** The metrics of the server and of this stub. */
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    final MemoryMessageStore database = new MemoryMessageStore(clock);
    final TokenTable tokens = new TokenTable(database.tokens(), () -> {}, clock);

    final NodeLimits limits = new NodeLimits(shared, tokens::limits, () -> 1, clock, registry);

    private final String loggedRequests;

    /** @param loggedRequests the value of {@code log.requests} */
    StubBackend(String loggedRequests) {
        this.loggedRequests = loggedRequests;
        readTokens();
    }

    /** One round of the loop that reads the tokens, which fails while the database is away. */
    void readTokens() {
        try {
            Duration unused = tokens.runOnce();
        } catch (DelayException away) {
            // The table knows it now.
        }
    }

    Backend backend() {
        return new Backend(
                new Maker(),
                pulling,
                new StubOperators(this::pass),
                search,
                InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                new Elector(),
                List.of(
                        check("store", () -> store.get(), List::of),
                        check("index", () -> index.get(), List::of),
                        check("loops", () -> loops.get(), () -> beyondRepair)),
                "1.2.3",
                new ConsoleParts(
                        search.console(),
                        Map.of("mykit.delay.http.port", "1"),
                        Map.of("mykit.delay.http.port", "6355"),
                        Optional.of(StubOverviews::asset)),
                new Logging(new RequestLog(loggedRequests, new SimpleMeterRegistry()), new StubLogLevels()),
                new RequestTraces(Tracing.OFF, true, 0),
                Optional.empty(),
                tokens,
                StubAudit.trail(audit),
                limits);
    }

    private static Optional<DelayException> objection(DelayMessage message) {
        if (message.topic().equals("headless") && !message.extras().headers().isEmpty()) {
            return Optional.of(FieldRules.invalid("the channel takes no headers"));
        }
        return message.topic().equals("forbidden")
                ? Optional.of(FieldRules.invalid("the broker forbids the topic forbidden"))
                : Optional.empty();
    }

    private CompletableFuture<PushResult> push(DelayMessage message, boolean replace) {
        ErrorCode refusal = refusal(message.id());
        if (refusal != null) {
            return CompletableFuture.failedFuture(new DelayException(refusal, "message " + message.id() + " refused"));
        }
        if (message.id().equals("defect")) {
            throw new IllegalStateException("password=secret");
        }
        return commit.thenApply(done -> {
            pushed.put(message.id(), message);
            if (message.id().equals("repeated")) {
                return PushResult.same(MessageStatus.FINISH);
            }
            return replace ? PushResult.REPLACED : PushResult.ACCEPTED;
        });
    }

    private CancelResult cancel(String id, String caller) {
        cancelledBy = caller;
        pass();
        return switch (id) {
            case "unknown" -> CancelResult.UNKNOWN;
            case "dispatched" -> CancelResult.ALREADY_DISPATCHED;
            case "finished" -> CancelResult.ALREADY_FINISHED;
            case "STORE_UNAVAILABLE" -> throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
            default -> CancelResult.CANCELLED;
        };
    }

    private Optional<MessageView> find(String id) {
        if (id.equals("unknown")) {
            return Optional.empty();
        }
        if (id.equals("unreadable")) {
            throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
        }
        String body = id.equals("large") ? "b".repeat(LARGE) : bodies.getOrDefault(id, "{\"a\":\"é\"}");
        MessageExtras extras = id.startsWith("secret")
                ? new MessageExtras(
                        id.equals("secret-bytes"),
                        Map.of("x-token", "hush", "x-plain", "http://h/?token=hush&a=1"),
                        RetryOptions.NONE,
                        0,
                        Map.of(),
                        0)
                : new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0, List.of(), requestId(id));
        DelayMessage message = new DelayMessage(id, "t", "s", "k", body, 5, 10, 15, 1, 2, 0, extras);
        return Optional.of(new MessageView(
                message,
                finished.containsKey(id) ? MessageStatus.FINISH : MessageStatus.READY,
                4,
                9,
                "HTTP 503",
                finished.get(id),
                id.equals("held") ? StubTopics.HOLD : null,
                true,
                id.equals("requested") ? OptionalInt.of(3) : OptionalInt.empty(),
                16,
                List.of(
                        new StatusFlow(id, null, MessageStatus.DELAY, 10, "intake", "h", 0, ""),
                        new StatusFlow(id, MessageStatus.DELAY, MessageStatus.READY, 15, "bucket-1", "h", 0, "due"))));
    }

    private static String requestId(String id) {
        return id.equals("requested") ? "r-1" : "";
    }

    private void pass() {
        atGate.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static ErrorCode refusal(String id) {
        try {
            return ErrorCode.valueOf(id);
        } catch (IllegalArgumentException noCode) {
            return null;
        }
    }

    private static HealthCheck check(String name, Supplier<Health> health, Supplier<List<String>> beyondRepair) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Health check() {
                return health.get();
            }

            @Override
            public List<String> beyondRepair() {
                return beyondRepair.get();
            }
        };
    }

    /** What producers meet. */
    private final class Maker implements Producers {
        private final PushMeters meters = new PushMeters(registry, topic -> {});

        @Override
        public PushRules rules() {
            return new PushRules(
                    () -> "generated", InstantSource.fixed(Instant.ofEpochMilli(NOW)), StubBackend::objection);
        }

        @Override
        public CompletableFuture<PushResult> push(CheckedPush push, Via via) {
            return StubBackend.this
                    .push(push.message(), push.replace())
                    .whenComplete((result, failure) ->
                            meters.answered(via, push.message().topic(), result, failure));
        }

        @Override
        public void refused(ErrorCode why) {
            meters.refused(why);
        }

        @Override
        public CancelResult cancel(String id, String caller) {
            return StubBackend.this.cancel(id, caller);
        }

        @Override
        public Optional<Long> reschedule(String id, long dueTimeMs) {
            return search.reschedule(id, dueTimeMs);
        }

        @Override
        public Optional<MessageView> find(String id) {
            return StubBackend.this.find(id);
        }

        @Override
        public String channel(String topic) {
            return "console";
        }

        @Override
        public MessageRoute route(DelayMessage message) {
            return new MessageRoute("webhook", Optional.of("https://" + message.topic() + ":443"));
        }

        @Override
        public void requirePlace() {
            awaiting.requirePlace();
        }

        @Override
        public CompletableFuture<Void> ended(String id, Duration longest) {
            return awaiting.ended(id, longest);
        }

        @Override
        public void stopWaits() {
            awaiting.stop();
        }
    }

    private static final class Elector implements LeaderElector {
        @Override
        public Role role() {
            return Role.LEADER;
        }

        @Override
        public long epoch() {
            return 42;
        }

        @Override
        public String name() {
            return "registry";
        }

        @Override
        public Health check() {
            return Health.up(Map.of());
        }

        @Override
        public void start() {}

        @Override
        public void close() {}
    }
}
