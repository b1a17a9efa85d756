package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.lmstfy.call.Numbers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.job.Job;
import io.mykit.delay.lmstfy.token.Admitted;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Consumes. A request that cannot be served, because too many wait, because a part is away or because this node stops, rests for a second
 * before its answer: a client of lmstfy asks again without any pause. Thread-safe; does not block.
 */
final class ConsumeCalls {
    private static final int MAX_COUNT = PullRules.MAX_COUNT;
    private static final int INT = 32;
    private static final int NOT_FOUND = 404;
    private static final int NO_LIMIT = 65_535;
    private static final Duration REST = Duration.ofSeconds(1);
    /** A ttr of 0: the job is ready again, or dead, when its client has its answer. */
    private static final Duration SHORTEST_TTR = Duration.ofMillis(250);

    private static final Reply NO_JOB = Reply.of(NOT_FOUND, "{\"msg\":\"no job available\"}");

    private final Engine engine;
    private final Defaults defaults;
    private final Duration maxWait;
    private final Queues queues;
    private final KnownJobs known;
    private final Rates rates;
    private final Set<Consume> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    ConsumeCalls(Engine engine, Defaults defaults, Duration maxWait, Queues queues, KnownJobs known, Rates rates) {
        this.engine = engine;
        this.defaults = defaults;
        this.maxWait = maxWait;
        this.queues = queues;
        this.known = known;
        this.rates = rates;
    }

    /** @param entry lets the request in again during its wait */
    CompletableFuture<Reply> consume(Request request, Admitted in, Entry entry, String namespace, String names) {
        long ttr = Numbers.unsigned(request.query(), "ttr", INT, defaults.ttr().toSeconds());
        long timeout = Numbers.unsigned(
                request.query(), "timeout", INT, defaults.timeout().toSeconds());
        long count = Numbers.unsigned(request.query(), "count", INT, 1);
        if (count < 1 || count > MAX_COUNT) {
            throw Refusal.invalid("count");
        }
        List<Queue> asked = queues.several(namespace, names);
        Duration hold = ttr == 0 ? SHORTEST_TTR : min(Duration.ofSeconds(ttr), PullRules.MAX_TTR);
        Duration wait = min(Duration.ofSeconds(timeout), maxWait);
        Consume consume = new Consume(in, entry, asked, (int) count, hold, wait, request.address());
        open.add(consume);
        var unused = consume.reply.whenComplete((reply, failure) -> open.remove(consume));
        consume.ask();
        request.hangUp().accept(consume::hungUp);
        return consume.reply;
    }

    /** Answers the requests that wait. Later ones do not wait. */
    void stop() {
        stopping = true;
        open.forEach(Consume::stop);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** One request. Any thread may answer it; the first answer counts. */
    private final class Consume {
        private final Entry entry;
        private final Map<String, Queue> byTopic;
        private final List<String> topics;
        private final int count;
        private final Duration hold;
        private final String consumer;
        private final long untilMs;
        private final CompletableFuture<Reply> reply = new CompletableFuture<>();
        private volatile Admitted in;
        /** Null = the first look has not begun. */
        private volatile Waiting waiting;

        private volatile boolean over;

        Consume(Admitted in, Entry entry, List<Queue> queues, int count, Duration hold, Duration wait, String address) {
            this.in = in;
            this.entry = entry;
            this.byTopic = queues.stream().collect(Collectors.toMap(Queue::topic, Function.identity()));
            this.topics = queues.stream().map(Queue::topic).toList();
            this.count = count;
            this.hold = hold;
            this.consumer = PullRules.consumerAt(address);
            this.untilMs = engine.nowMs() + wait.toMillis();
        }

        void ask() {
            long askedMs = engine.nowMs();
            Duration left = Duration.ofMillis(stopping ? 0 : Math.max(0, untilMs - askedMs));
            PullOrder order = new PullOrder(topics, count, left, hold, false, consumer);
            waiting = engine.consumers().pull(order, answer -> answered(answer, askedMs, left));
            if (over) {
                waiting.cancel();
            }
        }

        private void answered(PullAnswer answer, long askedMs, Duration left) {
            if (answer.failure() != null) {
                boolean busy = answer.failure().code() == ErrorCode.BUSY;
                Reply after = busy ? NO_JOB : Refusal.of(answer.failure());
                engine.later().in(REST, () -> reply.complete(after));
            } else if (!answer.messages().isEmpty()) {
                give(answer.messages());
            } else if (stopping) {
                engine.later().in(REST, () -> reply.complete(NO_JOB));
            } else if (waitedWhole(askedMs, left) && engine.nowMs() < untilMs && !over) {
                askAgain();
            } else {
                reply.complete(NO_JOB);
            }
        }

        /** The engine waits less long than this port. A token that was taken back meanwhile, or is over its rate, gets no more jobs. */
        private void askAgain() {
            var unused = entry.enter(now -> {
                        in = now;
                        ask();
                        return reply;
                    })
                    .exceptionally(failure -> {
                        if (Causes.of(failure) instanceof Refused) {
                            reply.complete(NO_JOB);
                        } else {
                            reply.completeExceptionally(failure);
                        }
                        return null;
                    });
        }

        /** Otherwise the engine ended the wait, because it stops. */
        private boolean waitedWhole(long askedMs, Duration left) {
            Consumers consumers = engine.consumers();
            return engine.nowMs() - askedMs
                            >= min(left, consumers.limits().maxWait()).toMillis() - 100
                    && !left.isZero()
                    && !consumers.limits().maxWait().isZero();
        }

        private void give(List<PulledMessage> messages) {
            Runnable giveBack = () -> engine.consumers().giveBack(messages);
            try {
                messages.forEach(pulled ->
                        known.note(pulled.message().id(), pulled.message().topic(), pulled.receipt()));
                Reply full = Reply.ok(json(messages)).ifUnsent(giveBack);
                if (reply.complete(full)) {
                    rates.passed(in.caller(), Kind.PULL, messages.size());
                } else {
                    full.takeBack();
                }
            } catch (RuntimeException | Error defect) {
                giveBack.run();
                reply.completeExceptionally(defect);
            }
        }

        private String json(List<PulledMessage> messages) {
            long nowMs = engine.nowMs();
            List<String> jobs =
                    messages.stream().map(pulled -> json(pulled, nowMs)).toList();
            return count == 1 ? jobs.get(0) : "[" + String.join(",", jobs) + "]";
        }

        private String json(PulledMessage pulled, long nowMs) {
            Queue queue = byTopic.get(pulled.message().topic());
            int most = pulled.maxAttempts() == 0 ? NO_LIMIT : pulled.maxAttempts();
            return new Job(
                            queue.namespace(),
                            queue.name(),
                            queue.jobId(pulled.message().id()),
                            pulled.message(),
                            false)
                    .consumed(Math.max(0, most - pulled.attempt()), nowMs);
        }

        void hungUp() {
            end();
            reply.complete(NO_JOB);
        }

        void stop() {
            end();
            engine.later().in(REST, () -> reply.complete(NO_JOB));
        }

        private void end() {
            over = true;
            Waiting current = waiting;
            if (current != null) {
                current.cancel();
            }
        }
    }
}
