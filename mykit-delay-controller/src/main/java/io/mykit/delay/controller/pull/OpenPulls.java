package io.mykit.delay.controller.pull;

import io.mykit.delay.controller.call.Client;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Waiting;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The requests of this node that wait for messages. A wait ends once: with an answer, with the end of its connection, or with
 * the stop of the node. Messages that come after the end are given back. Thread-safe.
 */
final class OpenPulls {
    private final Consumers consumers;
    private final Set<Runnable> open;
    private final AtomicBoolean stopping;

    OpenPulls(Consumers consumers) {
        this(consumers, ConcurrentHashMap.newKeySet(), new AtomicBoolean());
    }

    private OpenPulls(Consumers consumers, Set<Runnable> open, AtomicBoolean stopping) {
        this.consumers = consumers;
        this.open = open;
        this.stopping = stopping;
    }

    /** The same over another face. It is stopped with this one. */
    OpenPulls over(Consumers other) {
        return new OpenPulls(other, open, stopping);
    }

    /**
     * Asks for messages. Must be called on the client's event loop.
     *
     * @param form makes the answer of messages, or of none
     */
    CompletableFuture<Reply> ask(PullOrder order, Client client, Function<List<PulledMessage>, Reply> form) {
        OpenPull pull = new OpenPull(order, form);
        Waiting waiting = consumers.pull(stopping.get() ? order.atOnce() : order, pull::answered);
        pull.waiting = waiting;
        if (!pull.reply.isDone()) {
            Runnable end = pull::end;
            open.add(end);
            var unused = pull.reply.whenComplete((reply, failure) -> open.remove(end));
            client.whenHungUp(end);
            if (stopping.get()) {
                // The stop may have looked at the open pulls before this one was among them.
                pull.end();
            }
        }
        return pull.reply;
    }

    /** Ends all waits, because this node stops. A consumer then asks another node. Later calls do not wait. */
    void stop() {
        stopping.set(true);
        open.forEach(Runnable::run);
    }

    private final class OpenPull {
        private final PullOrder order;
        private final Function<List<PulledMessage>, Reply> form;
        private final CompletableFuture<Reply> reply = new CompletableFuture<>();
        /** Set before any other thread can end this pull. */
        private volatile Waiting waiting;

        OpenPull(PullOrder order, Function<List<PulledMessage>, Reply> form) {
            this.order = order;
            this.form = form;
        }

        void answered(PullAnswer answer) {
            if (answer.failure() != null) {
                reply.completeExceptionally(answer.failure());
                return;
            }
            List<PulledMessage> messages = answer.messages();
            if (messages.isEmpty()) {
                reply.complete(formOf(messages));
                return;
            }
            // Messages that were finished before they are sent cannot be given back.
            Runnable giveBack = order.autoAck() ? null : () -> consumers.giveBack(messages);
            Reply full = formOf(messages).ifUnsent(giveBack);
            if (!reply.complete(full)) {
                full.takeBack();
            }
        }

        void end() {
            waiting.cancel();
            reply.complete(formOf(List.of()));
        }

        /** An answer that cannot be made ends the wait, too. What calls {@link #answered} gives its messages back then. */
        private Reply formOf(List<PulledMessage> messages) {
            try {
                return form.apply(messages);
            } catch (RuntimeException | Error e) {
                reply.completeExceptionally(e);
                throw e;
            }
        }
    }
}
