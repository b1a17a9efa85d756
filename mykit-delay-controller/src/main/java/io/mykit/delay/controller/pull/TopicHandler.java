package io.mykit.delay.controller.pull;

import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.body.BodyView;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.text.FieldRules;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.query.PeekedMessage;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicView;
import io.mykit.delay.queue.store.TopicPause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /peek} and {@code /topics}. */
final class TopicHandler {
    static final ParameterNames PEEK = ParameterNames.of("topic", "state", "limit", "body", Bodies.UNMASK);
    static final ParameterNames TOPICS = ParameterNames.of("topic", "prefix", "after", "limit");

    private static final int MAX_PEEK = 100;
    private static final int PEEK_LIMIT = 10;
    private static final int MAX_TOPICS = 1000;
    private static final int TOPICS_LIMIT = 100;

    private final TopicLookup lookup;
    private final Bodies bodies;
    private final Workers workers;

    TopicHandler(TopicLookup lookup, Bodies bodies, Workers workers) {
        this.lookup = lookup;
        this.bodies = bodies;
        this.workers = workers;
    }

    CompletableFuture<Reply> peek(Call call) {
        Parameters given = call.parameters();
        String topic = name(given, "topic").orElseThrow(() -> invalid("topic is required"));
        Location where = given.text("state").map(TopicHandler::state).orElse(Location.READY);
        int limit = given.number("limit", 1, MAX_PEEK).orElse((long) PEEK_LIMIT).intValue();
        Optional<BodyView> body =
                given.flag("body", false) ? Optional.of(bodies.of(call)) : Optional.empty();
        return workers.run(() -> Envelope.success(lookup.peek(topic, where, limit).stream()
                .map(message -> data(message, body))
                .toList()));
    }

    CompletableFuture<Reply> topics(Call call) {
        Parameters given = call.parameters();
        Optional<String> topic = name(given, "topic");
        if (topic.isPresent()) {
            given.requireOnly(List.of("topic"));
            return workers.run(() -> Envelope.success(List.of(data(lookup.topic(topic.get())))));
        }
        String prefix = name(given, "prefix").orElse("");
        String after = name(given, "after").orElse("");
        int limit =
                given.number("limit", 1, MAX_TOPICS).orElse((long) TOPICS_LIMIT).intValue();
        return workers.run(() -> Envelope.success(lookup.topics(prefix, after, limit).stream()
                .map(TopicHandler::data)
                .toList()));
    }

    private static Location state(String text) {
        return switch (text) {
            case "ready" -> Location.READY;
            case "waiting" -> Location.WAITING;
            default -> throw invalid("state must be ready or waiting");
        };
    }

    /** An empty text is refused: it comes from a script whose variable is not set. */
    private static Optional<String> name(Parameters given, String field) {
        return given.text(field).map(text -> {
            if (text.isEmpty()) {
                throw invalid(field + " is empty");
            }
            return FieldRules.name(field, text, MessageLimits.MAX_TOPIC);
        });
    }

    private static Map<String, Object> data(PeekedMessage peeked, Optional<BodyView> body) {
        DelayMessage message = peeked.message();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", message.id());
        data.put("bizKey", message.bizKey());
        data.put("dueTime", message.firstDueMs());
        if (message.dueTimeMs() != message.firstDueMs()) {
            data.put("nextAttempt", message.dueTimeMs());
        }
        data.put("priority", message.priority());
        data.put("attempts", peeked.attempts());
        body.ifPresent(
                view -> view.body(message.body(), message.extras().binary(), OptionalInt.empty(), data));
        return data;
    }

    private static Map<String, Object> data(TopicView topic) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("topic", topic.topic());
        data.put("channel", topic.channel());
        data.put("waiting", topic.waiting());
        data.put("ready", topic.ready());
        data.put("taken", topic.held());
        data.put("dead", topic.dead());
        data.put("paused", topic.pause().isPresent());
        data.put("pausedUntil", topic.pause().flatMap(TopicPause::endMs).orElse(null));
        topic.oldestReadyMs().ifPresent(oldest -> data.put("oldestReady", oldest));
        return data;
    }
}
