package io.mykit.delay.outbox;

import java.util.HashMap;
import java.util.Map;

/** Numbers of calls, by what later calls of the same message or business key depend on. One thread. */
final class Seen {
    private final Map<String, Integer> ofMessage = new HashMap<>();
    private final Map<Key, Integer> ofKey = new HashMap<>();
    private final Map<Key, Integer> callsOfKey = new HashMap<>();

    /** The greatest number of a call that has to come before this one; -1 = none. */
    int before(Lane lane) {
        int before = lane.messageId() == null ? -1 : ofMessage.getOrDefault(lane.messageId(), -1);
        if (lane.key() == null) {
            return before;
        }
        Map<Key, Integer> met = lane.operation().isOfKey() ? ofKey : callsOfKey;
        return Math.max(before, met.getOrDefault(lane.key(), -1));
    }

    void add(Lane lane, int number) {
        if (lane.messageId() != null) {
            ofMessage.merge(lane.messageId(), number, Math::max);
        }
        if (lane.key() != null) {
            ofKey.merge(lane.key(), number, Math::max);
            if (lane.operation().isOfKey()) {
                callsOfKey.merge(lane.key(), number, Math::max);
            }
        }
    }
}
