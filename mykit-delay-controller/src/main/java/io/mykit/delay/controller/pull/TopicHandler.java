package io.mykit.delay.controller.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.body.BodyView;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.outcome.HoldJson;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.reply.SettingsJson;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.query.PeekedMessage;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicSort;
import io.mykit.delay.queue.query.TopicView;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /peek} and {@code /topics}. */
final class TopicHandler {
    static final ParameterNames PEEK = ParameterNames.of("topic", "state", "limit", "body", Bodies.UNMASK);
    static final ParameterNames TOPICS = ParameterNames.of("topic", "prefix", "after", "limit", "sort", "trouble");

    private static final int MAX_PEEK = 100;
    private static final int PEEK_LIMIT = 10;
    private static final int MAX_TOPICS = 1000;
    private static final int TOPICS_LIMIT = 100;

    private final QueueView view;
    private final Consumers consumers;
    private final Operators operators;
    private final Bodies bodies;
    private final Workers workers;

    TopicHandler(QueueView view, Consumers consumers, Operators operators, Bodies bodies, Workers workers) {
        this.view = view;
        this.consumers = consumers;
        this.operators = operators;
        this.bodies = bodies;
        this.workers = workers;
    }

    CompletableFuture<Reply> peek(Call call) {
        Parameters given = call.parameters();
        String topic = name(given, "topic").orElseThrow(() -> invalid("topic is required"));
        Location where = given.text("state").map(TopicHandler::state).orElse(Location.READY);
        int limit = given.number("limit", 1, MAX_PEEK).orElse((long) PEEK_LIMIT).intValue();
        Optional<BodyView> body = given.flag("body", false) ? Optional.of(bodies.of(call)) : Optional.empty();
        return workers.run(() -> Envelope.success(view.topics().peek(topic, where, limit).stream()
                .map(message -> data(message, body))
                .toList()));
    }

    CompletableFuture<Reply> topics(Call call) {
        Parameters given = call.parameters();
        Optional<String> topic = name(given, "topic");
        if (topic.isPresent()) {
            given.requireOnly(List.of("topic"));
            return workers.run(() -> Envelope.success(List.of(one(topic.get()))));
        }
        String prefix = name(given, "prefix").orElse("");
        String after = name(given, "after").orElse("");
        int limit =
                given.number("limit", 1, MAX_TOPICS).orElse((long) TOPICS_LIMIT).intValue();
        Optional<TopicSort> sort = given.text("sort").map(TopicHandler::sort);
        boolean trouble = given.flag("trouble", false);
        if (trouble && sort.isEmpty()) {
            throw invalid("trouble needs sort: the states of topics are in the sorted list only");
        }
        if (sort.isPresent()) {
            TopicListOrder order = new TopicListOrder(prefix, trouble, sort.get(), after, limit);
            return workers.run(() -> Envelope.success(TopicJson.of(view.topics(order), order.sort())));
        }
        return workers.run(() -> Envelope.success(view.topics().topics(prefix, after, limit).stream()
                .map(TopicJson::of)
                .toList()));
    }

    private Map<String, Object> one(String name) {
        TopicView topic = view.topics().topic(name);
        Map<String, Object> data = TopicJson.of(topic);
        TopicJson.putState(topic.pause().isPresent(), view.state(name), data);
        if (consumers.isPulled(name)) {
            data.put(
                    "consumers",
                    TopicJson.consumers(consumers.waiting(name), view.topics().holders(name)));
        }
        data.put("settings", SettingsJson.of(operators.settings(name)));
        data.put("policy", SettingsJson.of(operators.policy(name)));
        return data;
    }

    private static TopicSort sort(String text) {
        return Arrays.stream(TopicSort.values())
                .filter(sort -> sort.word().equals(text))
                .findFirst()
                .orElseThrow(() -> invalid("sort must be one of name, overdue, waiting, dead, trouble"));
    }

    private static Location state(String text) {
        return switch (text) {
            case "ready" -> Location.READY;
            case "waiting" -> Location.WAITING;
            case "taken" -> Location.TAKEN;
            default -> throw invalid("state must be ready, waiting or taken");
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
        HoldJson.put(peeked.hold(), data);
        body.ifPresent(view -> view.body(message.body(), message.extras().binary(), OptionalInt.empty(), data));
        return data;
    }
}
