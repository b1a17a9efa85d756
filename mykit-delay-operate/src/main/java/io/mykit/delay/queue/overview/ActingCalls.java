package io.mykit.delay.queue.overview;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NodeNotes;
import io.mykit.delay.queue.bucket.NodeNotes.CallEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The last calls of operators, over all nodes: those that acted on the queue, and those that were refused. A call is kept in memory at once, and one thread writes it to Redis
 * soon after, so that no caller waits for Redis. Thread-safe.
 */
final class ActingCalls {
    /** Of each end, so that refused calls never push out one that changed something. */
    static final int KEPT = 50;

    private static final Comparator<Map<String, Object>> NEWEST_FIRST =
            Comparator.comparingLong(ActingCalls::time).reversed();

    private final String node;
    private final NodeNotes notes;
    /** Guarded by this. */
    private final Map<CallEnd, Ended> byEnd = new EnumMap<>(CallEnd.class);

    ActingCalls(String node, NodeNotes notes) {
        this.node = node;
        this.notes = notes;
        for (CallEnd end : CallEnd.values()) {
            byEnd.put(end, new Ended(new ArrayDeque<>(), new ArrayDeque<>()));
        }
    }

    synchronized void add(ActingCall call) {
        // The numbers have the same types as those that are read from Redis.
        Map<String, Object> fields = JSON.parseObject(JSON.toJSONString(call.fields(node)));
        Ended same = byEnd.get(call.end());
        keep(same.own(), fields);
        keep(same.unwritten(), fields);
    }

    private static void keep(Deque<Map<String, Object>> calls, Map<String, Object> fields) {
        calls.addLast(fields);
        if (calls.size() > KEPT) {
            calls.removeFirst();
        }
    }

    /**
     * Writes new calls to Redis. Blocks. One thread calls it.
     *
     * @throws IndexUnavailableException if Redis cannot be asked; the calls are kept for the next time
     */
    void write() {
        for (CallEnd end : CallEnd.values()) {
            write(end);
        }
    }

    private void write(CallEnd end) {
        List<Map<String, Object>> fresh;
        synchronized (this) {
            fresh = List.copyOf(byEnd.get(end).unwritten());
        }
        if (!fresh.isEmpty()) {
            notes.writeCalls(end, fresh.stream().map(JSON::toJSONString).toList());
            synchronized (this) {
                // They are not there any more if further calls have pushed them out.
                byEnd.get(end).unwritten().removeAll(fresh);
            }
        }
    }

    /**
     * The last calls of each end, the newest first. Blocks.
     *
     * @param complete whether Redis can be asked; if not, those of this node
     */
    List<Map<String, Object>> last(boolean complete) {
        return Stream.of(CallEnd.values())
                .flatMap(end -> last(end, complete).stream())
                .sorted(NEWEST_FIRST)
                .toList();
    }

    private List<Map<String, Object>> last(CallEnd end, boolean complete) {
        List<Map<String, Object>> all = new ArrayList<>();
        boolean read = complete;
        if (complete) {
            try {
                notes.calls(end).forEach(text -> read(text, all));
            } catch (IndexUnavailableException e) {
                all.clear();
                read = false;
            }
        }
        synchronized (this) {
            Ended same = byEnd.get(end);
            all.addAll(read ? same.unwritten() : same.own());
        }
        return all.stream().distinct().sorted(NEWEST_FIRST).limit(KEPT).toList();
    }

    /** A text of another form, as a newer node may write it, is passed over. */
    private static void read(String text, List<Map<String, Object>> into) {
        try {
            into.add(JSON.parseObject(text));
        } catch (JSONException e) {
            // Some other version wrote it.
        }
    }

    private static long time(Map<String, Object> call) {
        return call.get("time") instanceof Number time ? time.longValue() : 0;
    }

    /**
     * The last calls of this node with one end, the newest last.
     *
     * @param unwritten those that are not in Redis yet
     */
    private record Ended(Deque<Map<String, Object>> own, Deque<Map<String, Object>> unwritten) {}
}
