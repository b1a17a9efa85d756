package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The calls that show the server and its queues. Thread-safe. */
public final class InfoCalls {
    private static final int MAX_TOPICS = 10_000;

    private final TopicLookup topics;
    private final String prefix;
    private final String version;

    /** @param prefix of the topics of all queues */
    public InfoCalls(TopicLookup topics, String prefix, String version) {
        this.topics = topics;
        this.prefix = prefix;
        this.version = version;
    }

    /** The only pool. */
    Reply pools() {
        return Reply.ok(Json.array(List.of(AdminCalls.DEFAULT_POOL)));
    }

    Reply version() {
        return Reply.ok(Json.object()
                .text("version", version)
                .text("build_commit", "mykit-delay")
                .text("build_date", "")
                .end());
    }

    /** The queues that have messages, dead letters or a pause, by namespace. Blocks. */
    Reply queues(Request request) {
        String pool = request.query().find("pool").orElse(AdminCalls.DEFAULT_POOL);
        if (!pool.isEmpty() && !pool.equals(AdminCalls.DEFAULT_POOL)) {
            return Reply.EMPTY;
        }
        Map<String, List<String>> queues = new TreeMap<>();
        for (TopicView topic : topics.topics(prefix, "", MAX_TOPICS)) {
            String[] names = topic.topic().substring(prefix.length()).split("/", -1);
            if (names.length == 2) {
                queues.computeIfAbsent(names[0], name -> new ArrayList<>()).add(names[1]);
            }
        }
        Json json = Json.object();
        queues.forEach((namespace, names) -> json.raw(namespace, Json.array(names)));
        return Reply.ok(json.end());
    }
}
