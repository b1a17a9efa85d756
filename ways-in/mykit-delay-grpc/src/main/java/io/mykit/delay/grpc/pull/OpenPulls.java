package io.mykit.delay.grpc.pull;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.grpc.call.Caller;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Waiting;
import io.mykit.delay.v1.PullReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls of this node that wait for messages. A wait ends once: with an answer, with the end of its call, or with the stop of the node.
 * Messages that their consumer did not get are given back. Thread-safe.
 */
final class OpenPulls {
    /** Bytes; a client of gRPC takes 4 MiB if it is not told otherwise, and the call has a frame of its own. */
    static final int MAX_REPLY = 4_000_000;

    private final Consumers consumers;
    private final Set<Runnable> open;
    private final AtomicBoolean stopping;
    private final CallLimits limits;

    OpenPulls(Consumers consumers, CallLimits limits) {
        this(consumers, ConcurrentHashMap.newKeySet(), new AtomicBoolean(), limits);
    }

    private OpenPulls(Consumers consumers, Set<Runnable> open, AtomicBoolean stopping, CallLimits limits) {
        this.consumers = consumers;
        this.open = open;
        this.stopping = stopping;
        this.limits = limits;
    }

    /** The same over another face. It is stopped with this one. */
    OpenPulls over(Consumers other) {
        return new OpenPulls(other, open, stopping, limits);
    }

    /** Asks for messages. Must be called on the caller's event loop. */
    CompletableFuture<PullReply> ask(PullOrder order, Caller caller) {
        OpenPull pull = new OpenPull(caller);
        Waiting waiting = consumers.pull(stopping.get() ? order.atOnce() : order, pull::answered);
        pull.waiting = waiting;
        Runnable end = pull::end;
        open.add(end);
        var unused = pull.reply.whenComplete((reply, failure) -> open.remove(end));
        caller.whenGone(pull::gone);
        if (stopping.get()) {
            // The stop may have looked at the open pulls before this one was among them.
            pull.end();
        }
        return pull.reply;
    }

    /** Ends all waits, because this node stops. Later calls do not wait. */
    void stop() {
        stopping.set(true);
        open.forEach(Runnable::run);
    }

    private final class OpenPull {
        private final Caller caller;
        private final CompletableFuture<PullReply> reply = new CompletableFuture<>();
        /** Set before any other thread can end this pull. */
        private volatile Waiting waiting;
        /** Those in the answer, until it is sure that their consumer got them. */
        private volatile List<PulledMessage> handed = List.of();

        OpenPull(Caller caller) {
            this.caller = caller;
        }

        void answered(PullAnswer answer) {
            try {
                give(answer);
            } catch (RuntimeException | Error defect) {
                // The face logs it and gives the messages back.
                reply.completeExceptionally(defect);
                throw defect;
            }
        }

        private void give(PullAnswer answer) {
            if (answer.failure() != null) {
                reply.completeExceptionally(answer.failure());
                return;
            }
            List<PulledMessage> sent = new ArrayList<>();
            PullReply full = fitting(answer.messages(), sent);
            if (sent.size() < answer.messages().size()) {
                consumers.giveBack(
                        answer.messages().subList(sent.size(), answer.messages().size()));
            }
            if (!sent.isEmpty() && !caller.reserve(full.getSerializedSize())) {
                consumers.giveBack(sent);
                reply.completeExceptionally(
                        new DelayException(ErrorCode.BUSY, "too many answers were not read yet; try again"));
                return;
            }
            limits.passed(caller.principal(), CallLimits.Kind.PULL, sent.size());
            caller.trace().hands(sent.stream().map(PulledMessage::message).toList());
            handed = sent;
            if (!reply.complete(full) && !sent.isEmpty()) {
                consumers.giveBack(sent);
            }
        }

        /** The consumer did not get the answer, or waits no longer. */
        void gone() {
            waiting.cancel();
            if (!reply.complete(PullReply.getDefaultInstance()) && !handed.isEmpty()) {
                consumers.giveBack(handed);
            }
        }

        void end() {
            waiting.cancel();
            reply.complete(PullReply.getDefaultInstance());
        }
    }

    /**
     * The answer with the first message, and with those after it that fit.
     *
     * @param sent gets the messages in the answer
     */
    static PullReply fitting(List<PulledMessage> messages, List<PulledMessage> sent) {
        PullReply.Builder reply = PullReply.newBuilder();
        long size = 0;
        for (PulledMessage message : messages) {
            io.mykit.delay.v1.PulledMessage data = PullFields.of(message);
            size += data.getSerializedSize();
            if (size > MAX_REPLY && !sent.isEmpty()) {
                break;
            }
            reply.addMessages(data);
            sent.add(message);
        }
        return reply.build();
    }
}
