package io.mykit.delay.controller.operate;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.config.PolicyText;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.reply.SettingsJson;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.PolicyKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Answers {@code /topics/policy}: changes the policy of one topic. */
final class PolicyHandler {
    private static final ParameterNames FIELDS = ParameterNames.orJson(
            Stream.concat(Stream.of("topic"), PolicyText.NAMES.stream()).toArray(String[]::new));
    /** A number is in milliseconds. */
    private static final Set<String> DURATIONS = Set.of("interval", "maxInterval", "ttl");

    private static final String DEFAULT = "default";
    private static final int MAX_VALUE = 500;

    private final Operators operators;
    private final Workers workers;

    PolicyHandler(Operators operators, Workers workers) {
        this.operators = operators;
        this.workers = workers;
    }

    CompletableFuture<Reply> change(Call call) {
        // An HTML form of a foreign page cannot send this type.
        if (!call.declaresJson()) {
            return CompletableFuture.completedFuture(ErrorMapper.notJson());
        }
        Parameters given = Parameters.of(read(call));
        String topic = PauseHandler.topic(given);
        Map<String, Optional<String>> changes = new LinkedHashMap<>();
        for (String name : PolicyText.NAMES) {
            given.text(name).ifPresent(value -> changes.put(name, value(value)));
        }
        if (changes.isEmpty()) {
            throw invalid("a value of the policy is required: one of " + String.join(", ", PolicyText.NAMES));
        }
        return workers.run(() -> {
            operators.changeTopic(topic, changes);
            return Envelope.success(data(topic, operators.policy(topic)));
        });
    }

    private static Optional<String> value(String given) {
        return Optional.of(given).filter(text -> !text.equals(DEFAULT));
    }

    private static Map<String, List<String>> read(Call call) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        try (JsonReader json = new JsonReader(call.json())) {
            json.beginObject();
            for (String name = json.nextField(); name != null; name = json.nextField()) {
                FIELDS.check(name);
                if (!json.isString() && !json.isNumber()) {
                    throw invalid(name + " must be a text or a number; \"default\" gives it back to the configuration");
                }
                String text = json.text();
                String value = DURATIONS.contains(name) && !json.isString() ? text + "ms" : text;
                if (value.length() > MAX_VALUE) {
                    throw invalid(name + " must have at most " + MAX_VALUE + " characters");
                }
                if (given.put(name, List.of(value)) != null) {
                    throw invalid(name + " is given twice");
                }
            }
            json.end();
        }
        return given;
    }

    private static Map<String, Object> data(String topic, List<PolicyKey> keys) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("topic", topic);
        data.put("policy", SettingsJson.of(keys));
        return data;
    }
}
