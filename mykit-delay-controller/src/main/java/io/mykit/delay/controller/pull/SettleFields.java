package io.mykit.delay.controller.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.queue.pull.Settlement;
import io.mykit.delay.queue.pull.Verb;
import java.time.Duration;
import java.util.Optional;

/** The fields of a call that settles a message, checked. Stateless. */
final class SettleFields {
    private static final Duration MIN_TTR = Duration.ofSeconds(1);
    private static final Duration MAX_TTR = Duration.ofHours(24);
    private static final Duration MAX_DELAY = Duration.ofDays(30);
    private static final int MAX_RECEIPT = 64;
    /** The stores keep the first 250 characters. */
    private static final int MAX_DETAIL = 1000;

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
                call,
                call.parameters().text("receipt").map(SettleFields::receipt).orElse(null));
    }

    static Settlement withReceipt(Call call) {
        String receipt = call.parameters().text("receipt").orElseThrow(() -> invalid("receipt is required"));
        return settlement(call, receipt(receipt));
    }

    private static Settlement settlement(Call call, String receipt) {
        Parameters given = call.parameters();
        return new Settlement(
                call.messageId(),
                receipt,
                given.duration("delay", Duration.ZERO, MAX_DELAY).orElse(null),
                ttr(given),
                given.text("detail")
                        .map(detail -> FieldRules.plain("detail", detail, MAX_DETAIL))
                        .orElse(""),
                result(given));
    }

    /** The result of an ack; null = not given. */
    private static MessageResult result(Parameters given) {
        Optional<MessageResult> text = given.text("result").map(value -> result("result", value, false));
        Optional<MessageResult> bytes = given.text("resultBase64").map(value -> result("resultBase64", value, true));
        if (text.isPresent() && bytes.isPresent()) {
            throw invalid("result and resultBase64 exclude each other");
        }
        return text.or(() -> bytes).orElse(null);
    }

    private static MessageResult result(String field, String value, boolean binary) {
        MessageResult result =
                new MessageResult(binary ? FieldRules.base64(field, value) : FieldRules.paired(field, value), binary);
        if (result.isTooLarge()) {
            throw new DelayException(
                    ErrorCode.TOO_LARGE, field + " is larger than " + MessageLimits.MAX_RESULT_BYTES + " bytes");
        }
        return result;
    }

    /** The time for which a consumer holds a message; null = not given. */
    static Duration ttr(Parameters given) {
        return given.duration("ttr", MIN_TTR, MAX_TTR).orElse(null);
    }

    private static String receipt(String receipt) {
        if (receipt.isEmpty()) {
            throw invalid("receipt is empty");
        }
        return FieldRules.name("receipt", receipt, MAX_RECEIPT);
    }
}
