package io.mykit.delay.controller.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import java.time.Duration;
import java.util.Optional;

/** The fields of a call that settles a message, checked. Stateless. */
final class SettleFields {
    private SettleFields() {}

    static ParameterNames names(Verb verb) {
        return switch (verb) {
            case ACK -> ParameterNames.orJson("id", "jobId", "JobId", "receipt", "result", "resultBase64");
            case NACK -> ParameterNames.orJson("id", "jobId", "JobId", "receipt", "delay", "detail");
            case RELEASE -> ParameterNames.orJson("id", "jobId", "JobId", "receipt", "delay");
            case EXTEND -> ParameterNames.orJson("id", "jobId", "JobId", "receipt", "ttr");
            case BURY -> ParameterNames.orJson("id", "jobId", "JobId", "receipt", "detail");
        };
    }

    /** A settlement without a receipt is for the message itself, and for any consumer that holds it. */
    static Settlement withoutReceipt(Call call) {
        return settlement(
                call, call.parameters().text("receipt").map(PullRules::receipt).orElse(null));
    }

    static Settlement withReceipt(Call call) {
        String receipt = call.parameters().text("receipt").orElseThrow(() -> invalid("receipt is required"));
        return settlement(call, PullRules.receipt(receipt));
    }

    private static Settlement settlement(Call call, String receipt) {
        Parameters given = call.parameters();
        return new Settlement(
                call.messageId(),
                receipt,
                given.duration("delay", Duration.ZERO, PullRules.MAX_DELAY).orElse(null),
                ttr(given),
                given.text("detail").map(PullRules::detail).orElse(""),
                result(given));
    }

    /** The result of an ack; null = not given. */
    private static MessageResult result(Parameters given) {
        Optional<MessageResult> text = given.text("result").map(value -> PullRules.result("result", value, false));
        Optional<MessageResult> bytes =
                given.text("resultBase64").map(value -> PullRules.result("resultBase64", value, true));
        if (text.isPresent() && bytes.isPresent()) {
            throw invalid("result and resultBase64 exclude each other");
        }
        return text.or(() -> bytes).orElse(null);
    }

    /** The time for which a consumer holds a message; null = not given. */
    static Duration ttr(Parameters given) {
        return given.duration("ttr", PullRules.MIN_TTR, PullRules.MAX_TTR).orElse(null);
    }
}
