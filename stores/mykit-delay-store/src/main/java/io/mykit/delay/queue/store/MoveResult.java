package io.mykit.delay.queue.store;

import java.util.List;
import java.util.Set;

/**
 * The result of {@link MessageStore#move(List, java.util.Map)}.
 *
 * @param leftOut the ids of the changes that were left out
 * @param inserted the further messages that were inserted
 */
public record MoveResult(Set<String> leftOut, List<NewMessage> inserted) {}
