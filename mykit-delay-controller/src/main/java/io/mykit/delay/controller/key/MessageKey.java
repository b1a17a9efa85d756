package io.mykit.delay.controller.key;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Parameters;
import java.util.Optional;

/** A business key, and the topic that tells its owner: other topics may have the same keys. Immutable. */
public record MessageKey(String topic, String bizKey) {
    private static final String TOPIC = "topic";
    private static final String BIZ_KEY = "bizKey";

    /** The key of a call; empty = the call names one message by its id. A call has one of the two. */
    public static Optional<MessageKey> of(Call call) {
        Parameters given = call.parameters();
        Optional<String> topic = given.text(TOPIC);
        Optional<String> bizKey = given.text(BIZ_KEY);
        if (bizKey.isEmpty()) {
            if (topic.isPresent()) {
                throw invalid("topic goes with bizKey; without bizKey leave it out");
            }
            if (!call.namesMessage()) {
                throw invalid("jobId or bizKey is required");
            }
            return Optional.empty();
        }
        if (call.namesMessage()) {
            throw invalid("jobId and bizKey exclude each other");
        }
        return Optional.of(new MessageKey(
                FieldRules.required(
                        TOPIC,
                        topic.orElseThrow(
                                () -> invalid("bizKey needs topic: other topics may have messages with the same key")),
                        MessageLimits.MAX_TOPIC),
                FieldRules.required(BIZ_KEY, bizKey.get(), MessageLimits.MAX_BIZ_KEY)));
    }
}
