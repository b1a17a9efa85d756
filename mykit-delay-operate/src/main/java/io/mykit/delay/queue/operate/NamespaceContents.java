package io.mykit.delay.queue.operate;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.DueWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of a namespace. A namespace begins empty, so each message in it has both its topic and its id there; and it ends without
 * unfinished messages. Thread-safe; blocks.
 */
public final class NamespaceContents {
    /** The time for which a call looks for messages. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final QueueView view;
    private final Operators operators;

    public NamespaceContents(QueueView view, Operators operators) {
        this.view = view;
        this.operators = operators;
    }

    /**
     * Requires that a namespace may begin. Messages that are there already may have an id without the prefix, which no token of the namespace
     * could name.
     *
     * @throws DelayException ID_CONFLICT, BUSY or STORE_UNAVAILABLE
     */
    public void requireEmpty(String name) {
        String prefix = name + "/";
        if (exists(filter(Set.of(), Optional.empty(), Optional.of(prefix)))
                || exists(filter(MessageStatus.UNFINISHED, Optional.of(prefix), Optional.empty()))) {
            throw new DelayException(
                    ErrorCode.ID_CONFLICT,
                    "there are messages whose id or topic begins with " + prefix + "; a namespace begins empty");
        }
        operators.deadTopics(prefix, 1).stream().findFirst().ifPresent(dead -> {
            throw new DelayException(
                    ErrorCode.ID_CONFLICT,
                    "the topic " + dead.topic() + " has dead letters; a namespace begins empty: respawn or discard them"
                            + " before");
        });
    }

    /**
     * Requires that a namespace may end.
     *
     * @throws DelayException ID_CONFLICT, BUSY or STORE_UNAVAILABLE
     */
    public void requireFinished(String name) {
        if (exists(filter(MessageStatus.UNFINISHED, Optional.empty(), Optional.of(name + "/")))) {
            throw new DelayException(
                    ErrorCode.ID_CONFLICT,
                    "the namespace " + name + " has unfinished messages; deliver or clear them before");
        }
    }

    private boolean exists(SearchFilter filter) {
        long endNanos = System.nanoTime() + LONGEST.toNanos();
        SearchPage page = view.search(new SearchOrder(filter, Optional.empty(), 1));
        while (page.items().isEmpty() && !page.complete()) {
            if (endNanos - System.nanoTime() < 0) {
                throw new DelayException(
                        ErrorCode.BUSY,
                        "the messages could not be looked through within " + LONGEST.toSeconds() + " s; try again");
            }
            page = view.search(new SearchOrder(filter, page.next(), 1));
        }
        return !page.items().isEmpty();
    }

    private static SearchFilter filter(
            Set<MessageStatus> statuses, Optional<String> topicPrefix, Optional<String> idPrefix) {
        return new SearchFilter(statuses, DueWindow.ALL, Optional.empty(), topicPrefix, Optional.empty(), idPrefix);
    }
}
