package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.lmstfy.call.Numbers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.job.Attributes;
import io.mykit.delay.lmstfy.job.JobArray;
import io.mykit.delay.lmstfy.job.JobIds;
import io.mykit.delay.lmstfy.token.Admitted;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.CertainPush;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Via;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Publish, bulk publish and republish. Thread-safe; does not block. */
final class PublishCalls {
    /** The maximum of bytes in a job. */
    static final int MAX_JOB = 1 << 20;

    private static final int MAX_JOBS = 64;
    private static final int INT = 32;
    private static final int SHORT = 16;
    private static final long SECOND_MS = 1000;

    private final Engine engine;
    private final Defaults defaults;
    private final Rates rates;
    private final JobIds ids;
    /** A client that gets an error publishes again under another id. */
    private final CertainPush pushes;

    PublishCalls(Engine engine, Defaults defaults, Rates rates) {
        this.engine = engine;
        this.defaults = defaults;
        this.rates = rates;
        this.ids = new JobIds(engine.clock());
        this.pushes = new CertainPush(engine, Via.LMSTFY);
    }

    CompletableFuture<Reply> publish(Request request, Admitted in, Queue queue) {
        return publishOne(request, in, queue).thenApply(PublishCalls::published);
    }

    /** Commits the new job first: a crash in between leaves both. */
    CompletableFuture<Reply> republish(Request request, Admitted in, Queue queue, AckCalls acks) {
        return publishOne(request, in, queue)
                .thenCompose(id -> acks.end(queue, request.path().get(4)).thenApply(done -> published(id)));
    }

    CompletableFuture<Reply> bulk(Request request, Admitted in, Queue queue) {
        Order order = order(request.query());
        if (request.tooLarge()) {
            throw Refusal.tooLarge("body too large");
        }
        List<byte[]> jobs = JobArray.split(request.body(), MAX_JOBS)
                .orElseThrow(() -> Refusal.bad("request body should be an array of objects"));
        if (jobs.isEmpty()) {
            throw Refusal.bad("no jobs");
        }
        rates.passed(in.caller(), Kind.PUSH, Math.min(jobs.size(), MAX_JOBS) - 1);
        if (jobs.size() > MAX_JOBS) {
            throw Refusal.bad("too many jobs");
        }
        if (jobs.stream().anyMatch(job -> job.length > MAX_JOB)) {
            throw Refusal.tooLarge("job too large");
        }
        Map<String, String> attributes = Attributes.of(request);
        List<CheckedPush> checked = new ArrayList<>();
        List<String> jobIds = new ArrayList<>();
        for (byte[] job : jobs) {
            String id = ids.next(order.delaySeconds(), !attributes.isEmpty());
            jobIds.add(id);
            checked.add(checked(in, queue, id, order, attributes, job));
        }
        return place(in, queue)
                .thenCompose(place -> CompletableFuture.allOf(
                        checked.stream().map(pushes::push).toArray(CompletableFuture<?>[]::new)))
                .thenApply(done -> Reply.created(Json.object()
                        .raw("job_ids", Json.array(jobIds))
                        .text("msg", "published")
                        .end()));
    }

    private CompletableFuture<String> publishOne(Request request, Admitted in, Queue queue) {
        Order order = order(request.query());
        if (request.tooLarge()) {
            throw Refusal.tooLarge("body too large");
        }
        Map<String, String> attributes = Attributes.of(request);
        String id = ids.next(order.delaySeconds(), !attributes.isEmpty());
        CheckedPush push = checked(in, queue, id, order, attributes, request.body());
        return place(in, queue).thenCompose(place -> pushes.push(push)).thenApply(done -> id);
    }

    private Order order(Query query) {
        long delay = Numbers.unsigned(query, "delay", INT, defaults.delay().toSeconds());
        long ttl = Numbers.unsigned(query, "ttl", INT, defaults.ttl().toSeconds());
        if (ttl > 0 && ttl < delay) {
            throw Refusal.bad("ttl is shorter than delay");
        }
        long tries = Numbers.unsigned(query, "tries", SHORT, defaults.tries());
        if (tries == 0) {
            throw Refusal.bad("tries shouldn't be zero");
        }
        return new Order(delay, ttl, (int) tries);
    }

    private CheckedPush checked(
            Admitted in, Queue queue, String id, Order order, Map<String, String> attributes, byte[] job) {
        NewPush push = new NewPush()
                .topic(queue.topic())
                .id(queue.stored(id))
                .body(job)
                .delay(order.delaySeconds() * SECOND_MS)
                .ttl(order.ttlFromDue())
                .retry(order.retry());
        attributes.forEach((name, value) -> push.header(Attributes.header(name), value));
        CheckedPush checked = engine.producers().rules().check(push, message -> message);
        rates.bounds(in.caller()).objection(checked.message()).ifPresent(objection -> {
            throw objection;
        });
        return checked;
    }

    /** Fails if the namespace has no place for the topic. */
    private CompletableFuture<Void> place(Admitted in, Queue queue) {
        return rates.bounds(in.caller())
                .topic(queue.place())
                .thenCompose(objection -> objection.isPresent()
                        ? CompletableFuture.<Void>failedFuture(objection.get())
                        : CompletableFuture.<Void>completedFuture(null));
    }

    private static Reply published(String id) {
        return Reply.created(
                Json.object().text("job_id", id).text("msg", "published").end());
    }

    /** The parameters of a publish; times in seconds. */
    private record Order(long delaySeconds, long ttlSeconds, int tries) {
        /** lmstfy counts the ttl from the publish, and the engine from the due time. */
        long ttlFromDue() {
            return ttlSeconds == 0
                    ? 0
                    : Math.min(MessageLimits.MAX_TTL_SECONDS, Math.max(1, ttlSeconds - delaySeconds));
        }

        /** A job whose consumer did not delete it is ready again at once. */
        RetryOptions retry() {
            return new RetryOptions(Math.min(RetryLimits.MAX_ATTEMPTS, tries), 0L, 1.0, null, null, null);
        }
    }
}
