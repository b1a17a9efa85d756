package io.mykit.delay.controller;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.controller.call.Role;
import io.mykit.delay.controller.log.Logging;
import io.mykit.delay.controller.log.RequestLog;
import io.mykit.delay.controller.pull.TopicParts;
import io.mykit.delay.controller.trace.RequestTraces;
import io.mykit.delay.queue.cancel.CancelResult;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.delivery.Objection;
import io.mykit.delay.queue.intake.PushResult;
import io.mykit.delay.queue.intake.PushRules;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.pull.PullSettings;
import io.mykit.delay.queue.query.MessageView;
import io.mykit.delay.queue.recovery.ClearReport;
import io.mykit.delay.queue.recovery.Progress;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.RecoveryKind;
import io.mykit.delay.queue.recovery.RestoreOrder;
import io.mykit.delay.queue.recovery.RestoreReport;
import io.mykit.delay.queue.recovery.Restoring;
import io.mykit.delay.queue.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    /** The topics of the messages that were accepted. */
    final Queue<String> accepted = new ConcurrentLinkedQueue<>();

    final StubOverviews overviews = new StubOverviews();
    final StubPulling pulling = new StubPulling();
    final StubAwaiting awaiting = new StubAwaiting();
    final StubSearch search = new StubSearch();
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

    private final RecoveryBoard board = new RecoveryBoard(new SimpleMeterRegistry());
    private final String loggedRequests;

    /** @param loggedRequests the value of {@code log.requests} */
    StubBackend(String loggedRequests) {
        this.loggedRequests = loggedRequests;
    }

    Backend backend() {
        return new Backend(
                this::push,
                new PushRules(
                        () -> "generated", InstantSource.fixed(Instant.ofEpochMilli(NOW)), StubBackend::objection),
                this::cancel,
                this::find,
                new Restore(),
                order -> {
                    Progress progress = board.begin(RecoveryKind.CLEAR, "Clear of " + order, order.dryRun());
                    try {
                        pass();
                    } finally {
                        board.end(RecoveryKind.CLEAR, progress);
                    }
                    return new ClearReport(order.topic().isPresent() ? order.dueOnly() ? 2 : 1 : 7, 8, false, 0);
                },
                new StubDeadLetters(),
                board,
                pulling,
                new PullSettings(Duration.ofMinutes(1), 10, Duration.ofMinutes(1), 10),
                awaiting,
                new TopicParts(new StubTopics(), StubSearch::topics, StubSearch::state, StubSearch::policy),
                new StubPausing(),
                topic -> topic.equals("led-here"),
                message -> new MessageRoute("webhook", Optional.of("https://" + message.topic() + ":443")),
                InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                new Elector(),
                List.of(
                        check("store", () -> store.get(), List::of),
                        check("index", () -> index.get(), List::of),
                        check("loops", () -> loops.get(), () -> beyondRepair)),
                "1.2.3",
                new ConsoleParts(
                        overviews,
                        Map.of("mykit.delay.http.port", "1"),
                        Map.of("mykit.delay.http.port", "6355"),
                        accepted::add,
                        Optional.of(StubOverviews::asset)),
                search.parts(),
                new Logging(new RequestLog(loggedRequests, new SimpleMeterRegistry()), new StubLogLevels()),
                new RequestTraces(Tracing.OFF, true, 0));
    }

    private static Optional<Objection> objection(DelayMessage message) {
        if (message.topic().equals("headless") && !message.extras().headers().isEmpty()) {
            return Optional.of(Objection.invalid("the channel takes no headers"));
        }
        return message.topic().equals("forbidden")
                ? Optional.of(Objection.invalid("the broker forbids the topic forbidden"))
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
                : MessageExtras.NONE;
        DelayMessage message = new DelayMessage(id, "t", "s", "k", body, 5, 10, 15, 1, 2, 0, extras);
        return Optional.of(new MessageView(
                message,
                finished.containsKey(id) ? MessageStatus.FINISH : MessageStatus.READY,
                4,
                9,
                "HTTP 503",
                finished.get(id),
                id.equals("held") ? StubTopics.HOLD : null,
                16,
                List.of(
                        new StatusFlow(id, null, MessageStatus.DELAY, 10, "intake", "h", 0, ""),
                        new StatusFlow(id, MessageStatus.DELAY, MessageStatus.READY, 15, "bucket-1", "h", 0, "due"))));
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

    private final class Restore implements Restoring {
        @Override
        public RestoreReport restoreAll(RestoreOrder order) {
            pass();
            return new RestoreReport(
                    order.topic().isPresent() ? 1 : 5,
                    order.restoreOverdue() ? 5 : 2,
                    order.restoreOverdue() ? 0 : 3,
                    9,
                    order.resume(),
                    0);
        }

        @Override
        public boolean restoreOne(String id) {
            return !id.equals("unknown");
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
