package io.mykit.delay.queue.overview;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NodeNotes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The last calls that acted on the queue, over all nodes. A call is kept in memory at once, and one thread writes it to Redis
 * soon after, so that no caller waits for Redis. Thread-safe.
 */
final class ActingCalls {
    static final int KEPT = 50;

    private final String node;
    private final NodeNotes notes;
    /** The last calls of this node, the newest last. Guarded by this. */
    private final Deque<Map<String, Object>> own = new ArrayDeque<>();
    /** Those that are not in Redis yet. Guarded by this. */
    private final Deque<Map<String, Object>> unwritten = new ArrayDeque<>();

    ActingCalls(String node, NodeNotes notes) {
        this.node = node;
        this.notes = notes;
    }

    synchronized void add(ActingCall call) {
        // The numbers have the same types as those that are read from Redis.
        Map<String, Object> fields = JSON.parseObject(JSON.toJSONString(call.fields(node)));
        keep(own, fields);
        keep(unwritten, fields);
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
        List<Map<String, Object>> fresh;
        synchronized (this) {
            fresh = List.copyOf(unwritten);
        }
        if (!fresh.isEmpty()) {
            notes.writeCalls(fresh.stream().map(JSON::toJSONString).toList());
            synchronized (this) {
                // They are not there any more if further calls have pushed them out.
                unwritten.removeAll(fresh);
            }
        }
    }

    /**
     * The last calls, the newest first. Blocks.
     *
     * @param complete whether Redis can be asked; if not, those of this node
     */
    List<Map<String, Object>> last(boolean complete) {
        List<Map<String, Object>> all = new ArrayList<>();
        boolean read = complete;
        if (complete) {
            try {
                notes.calls().forEach(text -> read(text, all));
            } catch (IndexUnavailableException e) {
                all.clear();
                read = false;
            }
        }
        synchronized (this) {
            all.addAll(read ? unwritten : own);
        }
        all.sort(Comparator.comparingLong(ActingCalls::time).reversed());
        return all.stream().distinct().limit(KEPT).toList();
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
}
