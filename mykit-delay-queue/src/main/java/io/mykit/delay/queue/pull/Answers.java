package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives messages to the consumer for which they were handed out, or back if it waits no longer. Thread-safe; never blocks. */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private final Settling settling;
    private final HoldIndex index;
    private final PullMeters meters;
    private final Executor background;

    Answers(Settling settling, HoldIndex index, PullMeters meters, Executor background) {
        this.settling = settling;
        this.index = index;
        this.meters = meters;
        this.background = background;
    }

    /**
     * Gives consumers their messages, with receipts that name them.
     *
     * @param drawn the consumer that the receipts name already; empty = none
     */
    void give(List<Share> shares, String drawn) {
        Map<Held, String> renamed = new HashMap<>();
        List<Share> named = shares.stream()
                .map(share -> share.waiter().order().autoAck() || share.isOf(drawn) ? share : share.named(renamed))
                .toList();
        if (!renamed.isEmpty()) {
            try {
                index.rename(renamed);
            } catch (IndexUnavailableException e) {
                LOG.debug(
                        "The index does not know the consumers of {} messages; their receipts are valid",
                        renamed.size(),
                        e);
            }
        }
        named.forEach(share -> give(share.waiter(), share.messages()));
    }

    void give(Waiter waiter, List<PulledMessage> messages) {
        if (waiter.isOver()) {
            giveBack(messages);
        } else if (waiter.order().autoAck()) {
            finishAndGive(waiter, messages);
        } else if (waiter.end(new PullAnswer(messages, null))) {
            meters.handedOut(messages.size());
        } else {
            giveBack(messages);
        }
    }

    void giveBack(List<PulledMessage> messages) {
        List<Held> held = messages.stream()
                .filter(message -> !message.receipt().isEmpty())
                .map(message -> new Held(
                        message.message().id(), Receipt.parse(message.receipt()).hold()))
                .toList();
        if (!held.isEmpty()) {
            background.execute(() -> release(held));
        }
    }

    private void release(List<Held> held) {
        try {
            index.release(held, false);
        } catch (IndexUnavailableException e) {
            LOG.debug("{} messages did not reach their consumer, and wait for the end of their holds", held.size(), e);
        }
    }

    /** The messages are finished before their consumer gets them: it may lose them, and never gets one twice. */
    private void finishAndGive(Waiter waiter, List<PulledMessage> messages) {
        List<Settlement> acks = messages.stream()
                .map(message -> new Settlement(message.message().id(), message.receipt(), null, null, ""))
                .toList();
        CompletableFuture<Void> unused = settling.settle(Verb.ACK, acks).thenAccept(results -> {
            AutoAcked acked = AutoAcked.of(messages, results);
            giveBack(acked.unfinished());
            if (acked.finished().isEmpty() && acked.failure() != null) {
                waiter.end(PullAnswer.failed(acked.failure()));
            } else if (waiter.end(new PullAnswer(acked.finished(), null))) {
                meters.handedOut(acked.finished().size());
            }
        });
    }
}
