package io.mykit.delay.controller.operate;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.DeadGroups;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Answers {@code /dead}, {@code /dead/respawn} and {@code /dead/discard}. */
final class DeadHandler {
    static final ParameterNames LIST =
            ParameterNames.of("topic", "prefix", "after", "since", "until", "reason", "limit", "reasons");
    static final ParameterNames RESPAWN = ParameterNames.orJson(
            "topic",
            "prefix",
            "since",
            "until",
            "reason",
            "limit",
            "perSecond",
            "delay",
            "dryRun",
            "stop",
            "jobId",
            "JobId",
            "id");
    static final ParameterNames DISCARD = ParameterNames.orJson(
            "topic", "prefix", "since", "until", "reason", "limit", "dryRun", "stop", "jobId", "JobId", "id");

    private static final JsonParameters RESPAWN_BODY = body(RESPAWN);
    private static final JsonParameters DISCARD_BODY = body(DISCARD);

    private final Operators operators;
    private final Workers workers;
    private final OperatorLane lane;

    DeadHandler(Operators operators, Workers workers, OperatorLane lane) {
        this.operators = operators;
        this.workers = workers;
        this.lane = lane;
    }

    private static JsonParameters body(ParameterNames known) {
        return new JsonParameters(
                known, Set.of("dryRun", "stop"), Set.of("limit", "perSecond"), Set.of("delay", "since", "until"));
    }

    CompletableFuture<Reply> list(Call call) {
        Parameters given = call.parameters();
        return DeadFields.topic(given, "topic").map(topic -> page(topic, given)).orElseGet(() -> topics(given));
    }

    private CompletableFuture<Reply> topics(Parameters given) {
        String prefix = DeadFields.topic(given, "prefix").orElse("");
        for (String name : List.of("after", "since", "until", "reason", "reasons")) {
            if (given.text(name).isPresent()) {
                throw invalid(name + " needs topic");
            }
        }
        int limit = DeadFields.pageLimit(given);
        return workers.run(() -> Envelope.success(operators.deadTopics(prefix, limit).stream()
                .map(topic -> fields(
                        "topic", topic.topic(),
                        "count", topic.count(),
                        "oldest", topic.oldestMs(),
                        "newest", topic.newestMs()))
                .toList()));
    }

    private CompletableFuture<Reply> page(String topic, Parameters given) {
        if (given.text("prefix").isPresent()) {
            throw invalid("topic and prefix exclude each other");
        }
        DeadQuery query = DeadFields.query(given);
        DeadCursor after = DeadFields.cursor(given);
        int limit = DeadFields.pageLimit(given);
        boolean reasons = given.flag("reasons", false);
        return workers.run(() -> {
            List<DeadLetter> page = operators.deadLetters(topic, query, after, limit);
            String next = page.size() < limit
                    ? null
                    : DeadFields.text(page.get(page.size() - 1).cursor());
            Map<String, Object> data =
                    fields("items", page.stream().map(DeadHandler::item).toList(), "next", next);
            if (reasons) {
                putReasons(operators.deadGroups(topic), data);
            }
            return Envelope.success(data);
        });
    }

    private static void putReasons(DeadGroups groups, Map<String, Object> into) {
        into.put(
                "reasons",
                groups.groups().stream()
                        .map(group -> fields(
                                "reason", group.reason().name(),
                                "text", group.text(),
                                "count", group.count(),
                                "newest", group.newestMs()))
                        .toList());
        into.put("reasonsOf", groups.of());
    }

    private static Map<String, Object> item(DeadLetter letter) {
        return fields(
                "id", letter.id(),
                "topic", letter.topic(),
                "bizKey", letter.bizKey(),
                "attempts", letter.attempts(),
                "reason", letter.reason().name(),
                "detail", letter.detail(),
                "dueTime", letter.dueTimeMs(),
                "deadTime", letter.deadTimeMs());
    }

    CompletableFuture<Reply> respawn(Call raw) {
        Call call = RESPAWN_BODY.read(raw);
        if (call.namesMessage()) {
            return one(call, id -> operators.respawnOne(id, Duration.ZERO));
        }
        if (call.parameters().flag("stop", false)) {
            return lane.stop(call);
        }
        DeadOrder order = DeadFields.order(call.parameters());
        Pace pace = DeadFields.pace(call.parameters());
        return lane.run(call, () -> Envelope.success(data("respawned", order, operators.respawn(order, pace))));
    }

    CompletableFuture<Reply> discard(Call raw) {
        Call call = DISCARD_BODY.read(raw);
        if (call.namesMessage()) {
            return one(call, operators::discardOne);
        }
        if (call.parameters().flag("stop", false)) {
            return lane.stop(call);
        }
        DeadOrder order = DeadFields.order(call.parameters());
        return lane.run(call, () -> Envelope.success(data("discarded", order, operators.discard(order))));
    }

    private CompletableFuture<Reply> one(Call call, Predicate<String> change) {
        call.parameters().requireOnly(ParameterNames.ID.names());
        String id = call.messageId();
        return workers.run(() -> change.test(id)
                ? Envelope.success(id)
                : ErrorMapper.failure(Operators.noDeadLetter(id)).reply());
    }

    private static Map<String, Object> data(String changed, DeadOrder order, DeadReport report) {
        Map<String, Object> data =
                fields("matched", report.matched(), changed, report.changed(), "milliseconds", report.milliseconds());
        if (order.dryRun()) {
            data.put("dryRun", true);
        }
        if (report.stopped()) {
            data.put("stopped", true);
        }
        return data;
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
