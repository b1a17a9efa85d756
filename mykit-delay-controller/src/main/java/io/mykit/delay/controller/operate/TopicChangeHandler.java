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
import io.mykit.delay.controller.reply.SettingsJson;
import io.mykit.delay.queue.operator.Operators;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /topics/change}: gives one topic another channel, or a label of its own in the metrics. */
final class TopicChangeHandler {
    private static final JsonParameters FIELDS =
            new JsonParameters(ParameterNames.of("topic", "channel", "metrics"), Set.of("metrics"), Set.of(), Set.of());
    private static final String DEFAULT = "default";
    private static final int MAX_CHANNEL = 100;

    private final Operators operators;
    private final Workers workers;

    TopicChangeHandler(Operators operators, Workers workers) {
        this.operators = operators;
        this.workers = workers;
    }

    CompletableFuture<Reply> change(Call call) {
        // An HTML form of a foreign page cannot send this type.
        if (!call.declaresJson()) {
            return CompletableFuture.completedFuture(ErrorMapper.notJson());
        }
        Parameters given = FIELDS.read(call).parameters();
        String topic = PauseHandler.topic(given);
        Map<String, Optional<String>> changes = new LinkedHashMap<>();
        given.text("channel").ifPresent(name -> changes.put("channel", channel(name)));
        given.text("metrics")
                .ifPresent(flag -> changes.put("metrics", Optional.of(flag).filter("true"::equals)));
        if (changes.isEmpty()) {
            throw invalid("channel or metrics is required");
        }
        return workers.run(() -> {
            operators.changeTopic(topic, changes);
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("topic", topic);
            data.put("settings", SettingsJson.of(operators.settings(topic)));
            return Envelope.success(data);
        });
    }

    private static Optional<String> channel(String name) {
        if (name.isEmpty() || name.length() > MAX_CHANNEL) {
            throw invalid("channel must have 1 to " + MAX_CHANNEL + " characters; \"" + DEFAULT
                    + "\" gives it back to the configuration");
        }
        return Optional.of(name).filter(text -> !text.equals(DEFAULT));
    }
}
