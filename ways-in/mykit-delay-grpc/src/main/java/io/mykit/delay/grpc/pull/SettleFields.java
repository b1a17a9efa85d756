package io.mykit.delay.grpc.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.Settlement;
import java.time.Duration;
import java.util.Base64;

/** The fields of a call that settles messages, checked. A field that the verb has not is refused. Stateless. */
final class SettleFields {
    private SettleFields() {}

    static Verb verb(SettleRequest request) {
        return switch (request.getVerb()) {
            case ACK -> Verb.ACK;
            case NACK -> Verb.NACK;
            case RELEASE -> Verb.RELEASE;
            case EXTEND -> Verb.EXTEND;
            case BURY -> Verb.BURY;
            case SETTLE_VERB_UNSPECIFIED -> throw invalid("verb is required: ACK, NACK, RELEASE, EXTEND or BURY");
            case UNRECOGNIZED ->
                throw invalid("verb " + request.getVerbValue()
                        + " is unknown; known are ACK (1), NACK (2), RELEASE (3), EXTEND (4) and BURY (5)");
        };
    }

    static io.mykit.delay.queue.consumer.Settlement of(Verb verb, Settlement item) {
        only(verb, "delay", item.hasDelay(), verb == Verb.NACK || verb == Verb.RELEASE);
        only(verb, "ttr", item.hasTtr(), verb == Verb.EXTEND);
        only(verb, "detail", !item.getDetail().isEmpty(), verb == Verb.NACK || verb == Verb.BURY);
        only(verb, "result", item.getResultCase() != Settlement.ResultCase.RESULT_NOT_SET, verb == Verb.ACK);
        if (item.getReceipt().isEmpty()) {
            throw invalid("receipt is required");
        }
        return new io.mykit.delay.queue.consumer.Settlement(
                FieldRules.id("id", item.getId()),
                PullRules.receipt(item.getReceipt()),
                item.hasDelay() ? delay(item.getDelay()) : null,
                item.hasTtr() ? PullFields.ttr(item.getTtr()) : null,
                PullRules.detail(item.getDetail()),
                result(item));
    }

    private static void only(Verb verb, String field, boolean given, boolean known) {
        if (given && !known) {
            throw invalid(field + " is no field of " + verb);
        }
    }

    private static Duration delay(long milliseconds) {
        return FieldRules.range("delay", Duration.ofMillis(milliseconds), Duration.ZERO, PullRules.MAX_DELAY);
    }

    private static MessageResult result(Settlement item) {
        return switch (item.getResultCase()) {
            case RESULT_TEXT -> PullRules.result("resultText", item.getResultText(), false);
            case RESULT_DATA ->
                PullRules.result(
                        "resultData",
                        Base64.getEncoder().encodeToString(item.getResultData().toByteArray()),
                        true);
            case RESULT_NOT_SET -> null;
        };
    }
}
