package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PulledMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for messages for consumers, and answers them. Thread-safe; blocks. */
final class Serving {
    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
    /** Messages of one look, for all consumers that share it. */
    private static final int MOST = 1000;

    private final PullDesk desk;
    private final HandOut handOut;
    private final Answers answers;
    private final Consumer<Waiter> again;
    private final BiConsumer<String, Looks.Where> further;

    /**
     * @param again looks for messages of all topics of a consumer, on another thread
     * @param further looks at a topic once more, for all its consumers that rest then, on another thread
     */
    Serving(
            PullDesk desk,
            HandOut handOut,
            Answers answers,
            Consumer<Waiter> again,
            BiConsumer<String, Looks.Where> further) {
        this.desk = desk;
        this.handOut = handOut;
        this.answers = answers;
        this.again = again;
        this.further = further;
    }

    /**
     * Looks at a topic for all its consumers that rest. The first consumers get the first messages; consumers with the same ttr
     * share a hand-out.
     */
    void serve(String topic, Looks.Where where) {
        List<Waiter> left = desk.beginLooks(topic, where);
        DelayException failure = null;
        boolean more = true;
        boolean early = false;
        while (more && !left.isEmpty()) {
            List<Waiter> group = firstWithOneTtr(left);
            try {
                String consumer = consumer(group);
                HandOut.Found found = handOut.handOut(
                        List.of(topic), wanted(group), left.get(0).order().ttr(), consumer, where);
                left = withoutGone(left.subList(give(found.messages(), group, consumer), left.size()));
                early = found.early();
                more = found.full() && !found.messages().isEmpty() && !early;
            } catch (DelayException e) {
                if (!e.code().isOutage()) {
                    failAll(left, e);
                    return;
                }
                // The consumers go on waiting: the store may be back in time.
                failure = e;
                more = false;
            } catch (RuntimeException | Error e) {
                failAll(left, defect(topic, e));
                return;
            }
        }
        for (Waiter waiter : left) {
            if (waiter.endLook(failure)) {
                again.accept(waiter);
            }
        }
        if (early && desk.waitsFor(topic)) {
            // The consumers whose time is up have their answers, and those that came meanwhile share the next look.
            further.accept(topic, where);
        }
    }

    /** Looks at all topics of a consumer for which a look has begun. */
    void serve(Waiter waiter) {
        if (waiter.isOver()) {
            return;
        }
        DelayException failure = null;
        boolean early = false;
        try {
            HandOut.Found found = handOut.handOut(
                    waiter.topics(),
                    waiter.order().count(),
                    waiter.order().ttr(),
                    waiter.order().consumer(),
                    Looks.Where.ALL);
            if (!found.messages().isEmpty()) {
                answers.give(waiter, found.messages());
                return;
            }
            early = found.early();
        } catch (DelayException e) {
            if (!e.code().isOutage()) {
                waiter.end(PullAnswer.failed(e));
                return;
            }
            failure = e;
        } catch (RuntimeException | Error e) {
            waiter.end(PullAnswer.failed(defect(waiter.topics(), e)));
            return;
        }
        if (early) {
            waiter.lookOnceMore();
        }
        if (waiter.endLook(failure)) {
            again.accept(waiter);
        }
    }

    /** The first consumer, and those after it that can share its hand-out. */
    private static List<Waiter> firstWithOneTtr(List<Waiter> waiters) {
        int size = 0;
        int messages = 0;
        while (size < waiters.size()
                && messages < MOST
                && Objects.equals(
                        waiters.get(size).order().ttr(), waiters.get(0).order().ttr())) {
            messages += waiters.get(size).order().count();
            size++;
        }
        return waiters.subList(0, size);
    }

    /** The name that the consumers share; empty if they have several. */
    private static String consumer(List<Waiter> group) {
        String first = group.get(0).order().consumer();
        return group.stream().allMatch(waiter -> waiter.order().consumer().equals(first)) ? first : "";
    }

    private static int wanted(List<Waiter> group) {
        return Math.min(
                MOST, group.stream().mapToInt(waiter -> waiter.order().count()).sum());
    }

    private static List<Waiter> withoutGone(List<Waiter> waiters) {
        return waiters.stream().filter(waiter -> !waiter.isOver()).toList();
    }

    /** Gives each consumer its messages, in order. Returns how many consumers need no further look. */
    private int give(List<PulledMessage> messages, List<Waiter> group, String consumer) {
        List<Share> shares = new ArrayList<>();
        int served = 0;
        int given = 0;
        while (served < group.size() && given < messages.size()) {
            Waiter waiter = group.get(served++);
            if (!waiter.isOver()) {
                int until = Math.min(messages.size(), given + waiter.order().count());
                shares.add(new Share(waiter, messages.subList(given, until)));
                given = until;
            }
        }
        answers.give(shares, consumer);
        // Their consumers hung up meanwhile.
        answers.giveBack(messages.subList(given, messages.size()));
        return served;
    }

    private static void failAll(List<Waiter> waiters, DelayException failure) {
        waiters.forEach(waiter -> waiter.end(PullAnswer.failed(failure)));
    }

    private static DelayException defect(Object topics, Throwable cause) {
        LOG.error("A pull of {} failed because of a defect; its consumers get an error", topics, cause);
        return new DelayException(
                ErrorCode.INTERNAL, "the pull failed because of a defect in the server; try again", cause);
    }
}
