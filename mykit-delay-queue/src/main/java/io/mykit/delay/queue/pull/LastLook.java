package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.dispatch.StoreBreaker;
import io.mykit.delay.queue.store.CopyState;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last look at the rows of messages before a consumer gets them, as the gate's look before a delivery. It ends the holds of
 * messages that must not be handed out. Unlike a delivery, a hand-out never does without the look: a consumer can ask again.
 * Thread-safe.
 */
final class LastLook {
    private static final Logger LOG = LoggerFactory.getLogger(LastLook.class);
    private static final String THREAD = "pull";
    /** A message whose row changed later than this after its due time did not come in time. */
    private static final long PROMPT_MS = 1000;

    private final MessageStore store;
    private final MessageIndex index;
    private final HoldIndex holds;
    private final InstantSource clock;
    private final StoreBreaker breaker;
    private final DispatchMeters meters;

    LastLook(MessageStore store, MessageIndex index, InstantSource clock, StoreBreaker breaker, DispatchMeters meters) {
        this.store = store;
        this.index = index;
        this.holds = index.holds();
        this.clock = clock;
        this.breaker = breaker;
        this.meters = meters;
    }

    /** @throws DelayException STORE_UNAVAILABLE if the store did not answer a moment ago */
    void requireStore() {
        if (!breaker.worthTrying()) {
            throw new DelayException(
                    ErrorCode.STORE_UNAVAILABLE, "the database is away: no message can be handed out; try again later");
        }
    }

    /**
     * Looks at the rows.
     *
     * @param receipt of the holds
     * @return the messages that the consumer may have, with the attempts that failed before
     * @throws StoreUnavailableException if the store did not answer; then the messages are back in their ready lists
     */
    Map<DelayMessage, Integer> admit(List<DelayMessage> handedOut, String receipt) {
        try {
            Map<String, RowState> rows = new HashMap<>();
            store.states(handedOut.stream().map(DelayMessage::id).toList()).forEach(row -> rows.put(row.id(), row));
            breaker.succeeded();
            return sort(handedOut, receipt, rows);
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            holds.release(held(handedOut, receipt), false);
            throw e;
        }
    }

    private Map<DelayMessage, Integer> sort(List<DelayMessage> handedOut, String receipt, Map<String, RowState> rows) {
        long nowMs = clock.millis();
        Map<DelayMessage, Integer> open = new LinkedHashMap<>();
        List<DelayMessage> ended = new ArrayList<>();
        List<DelayMessage> expired = new ArrayList<>();
        List<DelayMessage> replaced = new ArrayList<>();
        Map<Held, DelayMessage> later = new HashMap<>();
        for (DelayMessage message : handedOut) {
            RowState row = rows.get(message.id());
            switch (CopyState.of(message, row)) {
                case CURRENT -> {
                    if (message.isExpired(nowMs)) {
                        expired.add(message);
                    } else {
                        open.put(message, row == null ? 0 : row.attempts());
                        late(message, row, nowMs);
                    }
                }
                case ENDED -> ended.add(message);
                case REPLACED -> replaced.add(message);
                case LATER -> later.put(new Held(message.id(), receipt), message.retriedAt(row.dueTimeMs()));
            }
        }
        ended.addAll(expire(expired, rows, nowMs));
        try {
            endHolds(ended, later, replaced, receipt);
        } catch (IndexUnavailableException e) {
            LOG.debug("Messages that were not handed out wait for the end of their holds; the gate drops them then", e);
        }
        return open;
    }

    /** Records the lateness of a first attempt, if the message came in time. */
    private void late(DelayMessage message, RowState row, long nowMs) {
        boolean first = row != null && row.attempts() == 0 && message.extras().firstDueMs() == 0;
        if (first && row.updateTimeMs() - row.dueTimeMs() <= PROMPT_MS) {
            meters.topics().late(message.topic(), Math.max(0, nowMs - message.dueTimeMs()));
        }
    }

    private void endHolds(
            List<DelayMessage> ended, Map<Held, DelayMessage> later, List<DelayMessage> replaced, String receipt) {
        if (!ended.isEmpty()) {
            holds.forget(held(ended, receipt));
        }
        if (!later.isEmpty()) {
            holds.postpone(later, false);
        }
        if (!replaced.isEmpty()) {
            scheduleCurrent(replaced, receipt);
        }
    }

    /** Returns the messages whose rows say EXPIRED now. The others changed a moment ago; their holds end, and they come again. */
    private List<DelayMessage> expire(List<DelayMessage> expired, Map<String, RowState> rows, long nowMs) {
        if (expired.isEmpty()) {
            return List.of();
        }
        Transition.Step end = new Transition.Step(MessageStatus.EXPIRED, nowMs, "the ttl ended before delivery");
        List<Transition> changes = expired.stream()
                .map(message -> rows.get(message.id()))
                .filter(row -> row != null)
                .map(row -> Transition.ofAttempt(row, nowMs, end, THREAD, row.attempts()))
                .toList();
        Set<String> left = new HashSet<>(store.move(changes));
        List<DelayMessage> over =
                expired.stream().filter(message -> !left.contains(message.id())).toList();
        over.forEach(message -> meters.expired());
        return over;
    }

    private void scheduleCurrent(List<DelayMessage> replaced, String receipt) {
        store.find(replaced.stream().map(DelayMessage::id).toList(), BodyBounds.TOGETHER, rows -> {
            holds.forget(rows.stream()
                    .map(row -> new Held(row.message().id(), receipt))
                    .toList());
            // A crash at this line leaves rows that the index does not know; the auditor schedules them.
            index.schedule(rows.stream()
                    .filter(StoredMessage::isForIndex)
                    .map(StoredMessage::message)
                    .toList());
        });
    }

    private static List<Held> held(List<DelayMessage> messages, String receipt) {
        return messages.stream().map(message -> new Held(message.id(), receipt)).toList();
    }
}
