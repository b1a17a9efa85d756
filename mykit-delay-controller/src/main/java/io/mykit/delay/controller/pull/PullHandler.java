package io.mykit.delay.controller.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.PulledMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers {@code /pull} and {@code /get/{topic}}. */
final class PullHandler {
    static final ParameterNames PULL =
            ParameterNames.orJson("topic", "count", "wait", "ttr", "consumer").repeating("topic");
    static final ParameterNames GET = ParameterNames.orJson("wait", "ttr", "ack", "consumer");

    private static final JsonParameters PULL_BODY =
            new JsonParameters(PULL, Set.of(), Set.of("count"), Set.of("wait", "ttr"));
    private static final JsonParameters GET_BODY = new JsonParameters(GET, Set.of(), Set.of(), Set.of("wait", "ttr"));

    private final OpenPulls pulls;
    private final Duration maxWait;
    private final CallLimits limits;

    /**
     * @param maxWait the longest wait of a consumer
     */
    PullHandler(OpenPulls pulls, Duration maxWait, CallLimits limits) {
        this.pulls = pulls;
        this.maxWait = maxWait;
        this.limits = limits;
    }

    CompletableFuture<Reply> pull(Call raw) {
        Call call = PULL_BODY.read(raw);
        Parameters given = call.parameters();
        int count = given.number("count", 1, PullRules.MAX_COUNT).orElse(1L).intValue();
        PullOrder order = new PullOrder(
                PullRules.topics(given.texts("topic")),
                count,
                wait(given),
                SettleFields.ttr(given),
                false,
                consumer(call));
        return ask(
                order,
                call,
                messages ->
                        Envelope.success(messages.stream().map(PulledJson::of).toList()));
    }

    /** One message, or null. */
    CompletableFuture<Reply> get(Call raw) {
        Call call = GET_BODY.read(raw);
        Parameters given = call.parameters();
        PullOrder order = new PullOrder(
                List.of(PullRules.topic(call.path().get("topic"))),
                1,
                wait(given),
                SettleFields.ttr(given),
                isAutoAck(given),
                consumer(call));
        return ask(
                order, call, messages -> Envelope.success(messages.isEmpty() ? null : PulledJson.of(messages.get(0))));
    }

    /** A pull waits for the messages of earlier ones, and costs those that it gets: a wait that ends without a message costs nothing. */
    private CompletableFuture<Reply> ask(PullOrder order, Call call, Function<List<PulledMessage>, Reply> form) {
        CompletableFuture<Permit> asked = limits.ask(call.caller(), Kind.PULL, 0);
        return asked.isDone()
                ? ask(order, call, form, asked.join())
                : asked.thenComposeAsync(
                        permit -> ask(order, call, form, permit), call.client().loop());
    }

    private CompletableFuture<Reply> ask(
            PullOrder order, Call call, Function<List<PulledMessage>, Reply> form, Permit permit) {
        permit.require();
        RequestTrace trace = call.client().trace();
        return pulls.ask(order, call.client(), messages -> {
            limits.passed(call.caller(), Kind.PULL, messages.size());
            trace.hands(messages.stream().map(PulledMessage::message).toList());
            return form.apply(messages);
        });
    }

    private Duration wait(Parameters given) {
        return given.duration("wait", Duration.ZERO, maxWait).orElse(Duration.ZERO);
    }

    /** The name that the consumer gives, else its address. */
    private static String consumer(Call call) {
        return call.parameters()
                .text("consumer")
                .map(PullRules::consumer)
                .orElseGet(() -> PullRules.consumerAt(call.client().address()));
    }

    private static boolean isAutoAck(Parameters given) {
        return given.text("ack")
                .map(ack -> {
                    if (!ack.equals("auto")) {
                        throw invalid("ack must be auto, or left out");
                    }
                    return true;
                })
                .orElse(false);
    }
}
