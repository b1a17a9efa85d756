package io.mykit.delay.client.jms;

import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.DelayUnavailableException;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.client.jms.DelayedSendListener.Outcome;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * The delayed sends of one session: at once, or after the commit of its transaction. For the thread of the session; listeners are told on
 * others, one after the other.
 */
final class Sends {
    private static final String UNAVAILABLE = "UNAVAILABLE";

    private final DelayedSender sender;
    private final DelayedSendListener listener;
    private final List<Draft> pending = new ArrayList<>();
    private Transacted transacted = () -> false;

    /** Ends when the last completion listener was told. */
    private CompletableFuture<Void> told = CompletableFuture.completedFuture(null);
    /** The one that is in a completion listener now; else null. */
    private volatile Thread telling;

    Sends(DelayedSender sender, DelayedSendListener listener) {
        this.sender = sender;
        this.listener = listener;
    }

    /** Whether a session is transacted. */
    @FunctionalInterface
    interface Transacted {
        boolean get() throws JMSException;
    }

    void transactedBy(Transacted session) {
        transacted = session;
    }

    /** See {@link Delays#of}. */
    long delayOf(jakarta.jms.Message message, long ofProducerMs) throws JMSException {
        try {
            return Delays.of(message, ofProducerMs);
        } catch (JMSException e) {
            listener.delayed("", Outcome.REFUSED);
            throw e;
        }
    }

    /**
     * Sends a message that is due later.
     *
     * @param completion null = this call returns when the message is stored
     */
    void send(Destination destination, jakarta.jms.Message message, SendOptions options, CompletionListener completion)
            throws JMSException {
        Draft draft;
        try {
            draft = Drafts.of(destination, message, options);
        } catch (JMSException e) {
            listener.delayed(destination == null ? "" : destination.toString(), Outcome.REFUSED);
            throw e;
        }
        Stamp stamp = new Stamp(destination, options, draft.messageId(), System.currentTimeMillis());
        if (transacted.get()) {
            pending.add(draft);
            stamp.on(message);
            if (completion != null) {
                tell(completion, message, CompletableFuture.completedFuture(null));
            }
        } else if (completion == null) {
            push(List.of(draft), false);
            stamp.on(message);
        } else {
            stamp.on(message);
            List<Message> messages = List.of(draft.message());
            tell(
                    completion,
                    message,
                    begin(messages)
                            .handle((results, thrown) -> failure(List.of(draft), messages, results, thrown, false)));
        }
    }

    /** What is to be pushed if the commit that follows succeeds. Until then it is in no place: a failed commit drops it. */
    Committed take() throws JMSException {
        awaitTold();
        List<Draft> drafts = List.copyOf(pending);
        pending.clear();
        return () -> push(drafts, true);
    }

    /** The delayed messages of a transaction. */
    @FunctionalInterface
    interface Committed {
        void push() throws JMSException;
    }

    /** After a rollback or at the end nothing is pushed. */
    void drop() throws JMSException {
        awaitTold();
        pending.clear();
    }

    private void awaitTold() throws JMSException {
        if (Thread.currentThread() == telling) {
            throw new IllegalStateException("a CompletionListener must not commit, roll back or close its own session");
        }
        told.join();
    }

    private void push(List<Draft> drafts, boolean isCommitted) throws JMSException {
        if (drafts.isEmpty()) {
            return;
        }
        List<Message> messages = drafts.stream().map(Draft::message).toList();
        List<PushResult> results = null;
        Throwable thrown = null;
        try {
            results = begin(messages).toCompletableFuture().get();
        } catch (ExecutionException e) {
            thrown = e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thrown = e;
        }
        DelayedSendException failure = failure(drafts, messages, results, thrown, isCommitted);
        if (failure != null) {
            throw failure;
        }
    }

    private CompletionStage<List<PushResult>> begin(List<Message> messages) {
        try {
            return sender.push(messages);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Tells the listener, and returns what the program is told; null = all are stored. */
    private DelayedSendException failure(
            List<Draft> drafts,
            List<Message> messages,
            List<PushResult> results,
            Throwable thrown,
            boolean isCommitted) {
        List<Message> unsent = new ArrayList<>();
        Throwable first = null;
        for (int i = 0; i < messages.size(); i++) {
            Throwable reason = thrown == null ? results.get(i).failure().orElse(null) : unwrapped(thrown);
            listener.delayed(drafts.get(i).destination(), outcome(reason));
            if (reason != null) {
                unsent.add(messages.get(i));
                first = first == null ? reason : first;
            }
        }
        if (unsent.isEmpty()) {
            return null;
        }
        String text = isCommitted
                ? "The transaction is committed, but " + unsent.size() + " of its " + messages.size()
                        + " delayed messages were not pushed to mykit-delay; do not repeat the transaction, but push"
                        + " DelayedSendException.unsent(): "
                : "The delayed " + unsent.get(0) + " was not pushed to mykit-delay: ";
        return new DelayedSendException(text + first.getMessage(), code(first), unsent, isCommitted, first);
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static Outcome outcome(Throwable reason) {
        if (reason == null) {
            return Outcome.ACCEPTED;
        }
        return reason instanceof DelayRequestException ? Outcome.REFUSED : Outcome.UNANSWERED;
    }

    private static String code(Throwable reason) {
        if (reason instanceof DelayRequestException refused) {
            return refused.error();
        }
        return reason instanceof DelayUnavailableException ? UNAVAILABLE : null;
    }

    /** @param outcome ends with null if the message is stored */
    private void tell(
            CompletionListener completion, jakarta.jms.Message message, CompletionStage<DelayedSendException> outcome) {
        told = told.thenCombineAsync(outcome, (before, failure) -> {
            telling = Thread.currentThread();
            try {
                if (failure == null) {
                    completion.onCompletion(message);
                } else {
                    completion.onException(message, failure);
                }
            } catch (RuntimeException e) {
                // The next listeners are told all the same.
                System.getLogger("io.mykit.delay.client")
                        .log(Level.WARNING, "A CompletionListener failed for " + message, e);
            } finally {
                telling = null;
            }
            return null;
        });
    }
}
