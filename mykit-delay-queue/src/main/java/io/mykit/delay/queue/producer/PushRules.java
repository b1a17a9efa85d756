package io.mykit.delay.queue.producer;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.Namespaces;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes a message of a push, or refuses it with the reason: the same for each protocol. Thread-safe. */
public final class PushRules {
    private static final int FIRST_VERSION = 0;

    private final Supplier<String> ids;
    private final InstantSource clock;
    private final InstantSource earliest;
    private final Function<DelayMessage, Optional<DelayException>> objection;
    private final Namespaces namespaces;

    /**
     * @param ids makes ids for producers that give none
     * @param objection the refusal if the topic's channel does not take a message; must not block
     */
    public PushRules(
            Supplier<String> ids, InstantSource clock, Function<DelayMessage, Optional<DelayException>> objection) {
        this(ids, clock, objection, Namespaces.NONE);
    }

    /**
     * The rules with namespaces: a message is in one with its topic and its id, or with neither.
     */
    public PushRules(
            Supplier<String> ids,
            InstantSource clock,
            Function<DelayMessage, Optional<DelayException>> objection,
            Namespaces namespaces) {
        this(ids, clock, clock, objection, namespaces);
    }

    /**
     * The rules with two readings of the clock.
     *
     * @param clock an upper bound of the time: a delay that begins at it never ends early
     * @param earliest a lower bound: a message that is due now is due by it, so no other clock has to reach its due time
     */
    public PushRules(
            Supplier<String> ids,
            InstantSource clock,
            InstantSource earliest,
            Function<DelayMessage, Optional<DelayException>> objection,
            Namespaces namespaces) {
        this.ids = ids;
        this.clock = clock;
        this.earliest = earliest;
        this.objection = objection;
        this.namespaces = namespaces;
    }

    /**
     * The rules for producers that give other names than the queue has.
     *
     * @param full gives a message the names of the queue
     * @param own a further refusal, of a message as the producers name it; must not block
     */
    public PushRules named(UnaryOperator<DelayMessage> full, Function<DelayMessage, Optional<DelayException>> own) {
        return new PushRules(
                ids,
                clock,
                earliest,
                message -> own.apply(message).or(() -> objection.apply(full.apply(message))),
                Namespaces.NONE);
    }

    /**
     * Checks the fields together.
     *
     * @param traced adds the context of the caller's trace to the headers. A channel that takes no such headers gets the message without
     *     them: a trace refuses no push
     * @throws DelayException INVALID_REQUEST, or the code of the channel's objection
     */
    public CheckedPush check(NewPush push, UnaryOperator<DelayMessage> traced) {
        if (push.body != null && push.bodyBase64 != null) {
            throw invalid("body and bodyBase64 exclude each other");
        }
        if (push.topic.isEmpty()) {
            throw invalid("topic is required");
        }
        if (push.idempotencyKey != null && (!push.replace || !push.hasId())) {
            throw invalid(
                    "idempotencyKey needs replace and id; without replace, the id alone makes a repeated push safe");
        }
        DelayMessage message = message(push);
        objection.apply(message).ifPresent(refusal -> {
            throw refusal;
        });
        DelayMessage with = traced.apply(message);
        boolean keeps = with.equals(message) || objection.apply(with).isEmpty();
        return new CheckedPush(keeps ? with : message, push.replace);
    }

    private DelayMessage message(NewPush push) {
        long delayMs = push.delayMs == null ? 0 : push.delayMs;
        long createTimeMs = push.createTimeMs == null ? createTimeMs(push) : push.createTimeMs;
        long dueTimeMs = createTimeMs + delayMs;
        if (push.triggerAtMs != null) {
            if (push.delayMs != null) {
                throw invalid("delay and triggerAt exclude each other");
            }
            dueTimeMs = push.triggerAtMs;
            delayMs = Math.max(0, dueTimeMs - createTimeMs);
        }
        // Both terms are at most MAX_DUE_TIME_MS, so their sum is far from overflowing a long.
        if (dueTimeMs > MAX_DUE_TIME_MS) {
            throw invalid("createTime + delay must not be greater than " + MAX_DUE_TIME_MS);
        }
        return new DelayMessage(
                id(push),
                push.topic,
                push.subtopic,
                push.bizKey,
                body(push),
                delayMs,
                createTimeMs,
                dueTimeMs,
                push.priority,
                push.ttlSeconds,
                FIRST_VERSION,
                push.extras());
    }

    private long createTimeMs(NewPush push) {
        boolean now = push.triggerAtMs == null && (push.delayMs == null || push.delayMs == 0);
        return now ? earliest.millis() : clock.millis();
    }

    private String id(NewPush push) {
        String namespace = namespaces.prefix(push.topic);
        if (push.id.isEmpty()) {
            return namespace + (push.hasId() ? push.idElse : ids.get());
        }
        if (!namespaces.prefix(push.id).equals(namespace)) {
            throw invalid(
                    namespace.isEmpty()
                            ? "the id is in a namespace and the topic is not: the topic must begin with "
                                    + namespaces.prefix(push.id)
                            : "the topic is in a namespace and the id is not: the id must begin with " + namespace);
        }
        return push.id;
    }

    private static String body(NewPush push) {
        if (push.bodyBase64 != null) {
            return push.bodyBase64;
        }
        return push.body == null ? "" : push.body;
    }
}
