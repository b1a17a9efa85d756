package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.mykit.delay.channel.BrokerFault;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Publishes the messages of one batch, all of them before the first confirm if the broker's limits allow that. {@link #run} is for one
 * thread; it may block in a write, and {@link #abandon} ends that.
 *
 * <p>A broker closes the channel because of one message and does not say which. So a body that is larger than every body that the broker
 * has taken is published alone. If the channel is closed nevertheless, the unanswered messages are published one by one.
 */
final class BatchSend {
    /** How long a message waits for its place in the window before the batch is looked at. */
    private static final Duration LOOK = Duration.ofMillis(50);

    /** What the broker may have unconfirmed at a time, in bytes. */
    private static final long MAX_UNCONFIRMED_BYTES = 8 * 1024 * 1024;

    private final LinkSource links;
    private final MessageMapping mapping;
    private final Batch batch;
    private final Duration patience;
    private final ConfirmWindow window;
    private final BrokerFault fault = new BrokerFault();
    /** The places of messages that are published one by one. */
    private final Set<Integer> alone = new HashSet<>();

    /** The channel in use. The thread that takes it out decides what becomes of the channel. */
    private final AtomicReference<Use> use = new AtomicReference<>();

    /** @param patience the send timeout */
    BatchSend(LinkSource links, MessageMapping mapping, Batch batch, Duration patience) {
        this.links = links;
        this.mapping = mapping;
        this.batch = batch;
        this.patience = patience;
        this.window = batch.window();
    }

    /** @param channel null while the broker opens it */
    private record Use(BrokerLink link, ConfirmedChannel channel, long sinceNanos) {}

    /** Returns when the batch has ended, or when all fates are known. */
    void run() {
        Deque<Integer> waiting = new ArrayDeque<>(batch.open());
        try {
            while (!waiting.isEmpty() && !batch.isEnded()) {
                publishOver(waiting);
            }
            batch.end("not sent");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            batch.end("interrupted before the confirmation");
        } catch (NotSentException e) {
            batch.end(e.getMessage());
        } catch (IOException | RuntimeException e) {
            batch.end(Reasons.of(e));
        } finally {
            abandon();
        }
    }

    /** After the batch has ended without all answers: releases the thread that sends, and what it uses. It may block. */
    void abandon() {
        Use now = use.get();
        if (now == null) {
            return;
        }
        boolean longEnough = System.nanoTime() - now.sinceNanos() >= patience.toNanos() / 2;
        boolean hangs = longEnough && now.link().isSilentSince(now.sinceNanos());
        if (now.channel() == null && !hangs) {
            // The thread that sends comes here again, with the channel or with the reason why there is none.
            return;
        }
        if (!use.compareAndSet(now, null)) {
            // As above, or another thread was faster.
            return;
        }
        if (hangs) {
            // Not one answer to any batch: the broker hangs, and a new connection may reach another one.
            now.link().cut();
        } else {
            now.link().drop(now.channel());
        }
    }

    /** Takes messages from those that wait until all are published, until the broker blocks, or until the channel is lost. */
    private void publishOver(Deque<Integer> waiting) throws IOException, InterruptedException {
        BrokerLink link = links.get(patience);
        Use opening = new Use(link, null, System.nanoTime());
        use.set(opening);
        ConfirmedChannel channel = link.take();
        channel.serve(batch);
        Use over = new Use(link, channel, System.nanoTime());
        if (!use.compareAndSet(opening, over)) {
            link.drop(channel);
            return;
        }
        boolean answered = publish(waiting, over) && batch.awaitAnswers();
        if ((!answered && batch.isEnded()) || !use.compareAndSet(over, null)) {
            return;
        }
        channel.leave();
        if (answered) {
            link.giveBack(channel);
            return;
        }
        link.drop(channel);
        batch.loss().ifPresent(loss -> judge(loss, waiting));
    }

    /** Returns false if the batch has ended, or if its channel is closed. */
    private boolean publish(Deque<Integer> waiting, Use over) throws IOException, InterruptedException {
        long unconfirmed = 0;
        while (!waiting.isEmpty()) {
            int place = waiting.peek();
            DelayMessage message = batch.message(place);
            BasicProperties properties = MessageMapping.properties(message);
            byte[] body = message.bodyBytes();
            boolean single = alone.contains(place) || body.length > over.link().largestTaken();
            if (unconfirmed > 0 && (single || unconfirmed + body.length > MAX_UNCONFIRMED_BYTES)) {
                if (!batch.awaitAnswers()) {
                    return false;
                }
                unconfirmed = 0;
            }
            if (!fitsIntoFrame(place, properties, over.link().frameMax())) {
                waiting.remove();
                continue;
            }
            if (!awaitPlace()) {
                return false;
            }
            if (over.link().isBlocked()) {
                // The messages that were published before may still be confirmed. The next take tells why the others
                // are not sent.
                window.leave(1);
                return true;
            }
            waiting.remove();
            if (!over.channel()
                    .publish(place, mapping.exchange(message.topic()), mapping.routingKey(message), properties, body)) {
                if (!batch.isUnanswered(place)) {
                    // Closed because of another message, before this one was written.
                    waiting.push(place);
                }
                return false;
            }
            unconfirmed += Math.max(1, body.length);
            if (single) {
                if (!batch.awaitAnswers()) {
                    return false;
                }
                over.link().took(body.length);
                unconfirmed = 0;
            }
        }
        return true;
    }

    /** Waits for a place in the window; false if the batch has ended, or its channel is closed. */
    private boolean awaitPlace() throws InterruptedException {
        while (!window.enter(LOOK)) {
            if (batch.isEnded() || batch.loss().isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** The client would count a message whose properties do not fit into a frame, and not send it. */
    private boolean fitsIntoFrame(int place, BasicProperties properties, int frameMax) throws IOException {
        int bytes = properties.toFrame(1, 0).size();
        boolean fits = frameMax == 0 || bytes <= frameMax;
        if (!fits) {
            batch.set(
                    place,
                    Delivery.refused("RabbitMQ: headers and properties have " + bytes
                            + " bytes, and a frame of this broker at most " + frameMax));
        }
        return fits;
    }

    private void judge(Throwable loss, Deque<Integer> waiting) {
        List<Integer> unanswered = batch.startOver();
        Optional<Delivery> ofMessage = SendFaults.ofMessage(loss);
        if (ofMessage.isEmpty() || unanswered.isEmpty()) {
            if (unanswered.size() == 1 && SendFaults.isRefusal(loss)) {
                batch.notTaken(unanswered.get(0));
            }
            batch.end(SendFaults.reason(loss));
            return;
        }
        if (unanswered.size() == 1) {
            Delivery fate = ofMessage.get();
            batch.set(unanswered.get(0), fate);
            if (fault.isShownBy(fate)) {
                batch.end(fate.detail());
            }
            return;
        }
        alone.addAll(unanswered);
        for (int i = unanswered.size() - 1; i >= 0; i--) {
            waiting.push(unanswered.get(i));
        }
    }
}
