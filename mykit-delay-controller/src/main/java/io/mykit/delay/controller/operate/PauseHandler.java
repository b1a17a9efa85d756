package io.mykit.delay.controller.operate;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.text.Misspelling;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicView;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /topics/pause} and {@code /topics/resume}. */
final class PauseHandler {
    static final ParameterNames PAUSE = ParameterNames.orJson("topic", "for");
    static final ParameterNames RESUME = ParameterNames.orJson("topic");

    private static final JsonParameters PAUSE_BODY = new JsonParameters(PAUSE, Set.of(), Set.of(), Set.of("for"));
    private static final JsonParameters RESUME_BODY = JsonParameters.ofTexts(RESUME);
    private static final Duration MIN = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofDays(365);

    /** Of the topics that may have been meant. */
    private static final int MAX_KNOWN = 1000;

    private final Operators operators;
    private final TopicLookup topics;
    private final Workers workers;

    PauseHandler(Operators operators, TopicLookup topics, Workers workers) {
        this.operators = operators;
        this.topics = topics;
        this.workers = workers;
    }

    CompletableFuture<Reply> pause(Call raw) {
        Parameters given = PAUSE_BODY.read(raw).parameters();
        String topic = topic(given);
        Optional<Duration> length = given.duration("for", MIN, MAX);
        return workers.run(() -> {
            Map<String, Object> data = data(topic, Optional.of(operators.pause(topic, length)));
            hint(topic).ifPresent(hint -> data.put("hint", hint));
            return Envelope.success(data);
        });
    }

    /** A topic may be paused before its first message, and a misspelt name pauses nothing. */
    private Optional<String> hint(String topic) {
        try {
            TopicView view = topics.topic(topic);
            if (view.waiting() + view.ready() + view.held() + view.dead() > 0) {
                return Optional.empty();
            }
            List<String> others = topics.topics("", "", MAX_KNOWN).stream()
                    .map(TopicView::topic)
                    .filter(other -> !other.equals(topic))
                    .toList();
            return Optional.of("no message of this topic is in Redis, and it has no dead letters"
                    + Misspelling.nearest(topic, others)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse(""));
        } catch (DelayException away) {
            return Optional.empty();
        }
    }

    CompletableFuture<Reply> resume(Call raw) {
        String topic = topic(RESUME_BODY.read(raw).parameters());
        return workers.run(() -> {
            operators.resume(topic);
            return Envelope.success(data(topic, Optional.empty()));
        });
    }

    /**
     * The exact name of one topic. A name that ends with {@code *} is refused: it is meant as a pattern, and would do nothing.
     */
    static String topic(Parameters given) {
        String topic = DeadFields.topic(given, "topic").orElseThrow(() -> invalid("topic is required"));
        if (topic.endsWith("*")) {
            throw invalid("topic ends with *: this call takes the exact name of one topic, and no pattern");
        }
        return topic;
    }

    private static Map<String, Object> data(String topic, Optional<TopicPause> pause) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("topic", topic);
        data.put("paused", pause.isPresent());
        data.put("pausedUntil", pause.flatMap(TopicPause::endMs).orElse(null));
        return data;
    }
}
