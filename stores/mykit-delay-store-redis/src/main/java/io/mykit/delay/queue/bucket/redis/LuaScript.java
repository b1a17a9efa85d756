package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.redis.RedisScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The scripts, one for each operation: {@code resources/lua/<name>.lua}, after the preludes that the PRELUDE line of its
 * head names.
 */
@SuppressWarnings("ImmutableEnumChecker") // Its bytes go to the socket as they are; no code changes them.
enum LuaScript {
    SCHEDULE("schedule", "topic", "version", "places", "hold", "heads", "with_all"),
    REMOVE("remove", "topic", "version", "places", "hold", "heads", "ghosts", "now", "vetoes"),
    PURGE("purge", "topic", "version", "places", "hold", "heads", "ghosts"),
    VETO("veto", "topic", "version", "now", "vetoes"),
    LIFT("lift"),
    UNKNOWN("unknown", "topic", "version"),
    LOCATE("locate", "topic", "places", "hold"),
    CLAIM("claim", "raise"),
    CLOSE("close", "raise"),
    DISSOLVE("dissolve", "fence", "places"),
    MARK_RESTORED("mark_restored", "fence"),
    MOVE_DUE("move_due", "fence", "topic", "handed", "now", "places", "hold", "pulled", "with_all"),
    TAKE("take", "fence", "topic", "now", "with_all", "ghosts", "entries"),
    SETTLE("settle", "fence", "topic", "places", "ghosts"),
    EXTEND("extend", "fence", "now"),
    RETAKE("retake", "fence", "topic", "version", "now", "places", "heads", "ghosts"),
    RELEASE("release", "fence", "attempted"),
    LEAVE("leave", "fence", "topic", "attempted", "now", "places", "hold", "heads"),
    POSTPONE("postpone", "fence", "topic", "version", "attempted", "handed", "now", "places", "heads"),
    PARK("park", "fence", "topic", "version", "places", "hold", "heads", "ghosts"),
    UNPARK("unpark", "fence"),
    LEASED("leased", "topic"),
    HAND_OUT("hand_out", "topic", "now", "places", "hold", "heads", "with_all", "ghosts", "entries"),
    HOLDS("holds", "topic", "places", "hold"),
    RENAME_HELD("rename_held", "topic", "places", "hold"),
    FIND_HELD("find_held", "topic", "places", "hold"),
    FORGET_HELD("forget_held", "topic", "places", "hold", "heads"),
    EXTEND_HELD("extend_held", "topic", "now", "places", "hold", "heads"),
    POSTPONE_HELD("postpone_held", "topic", "version", "attempted", "handed", "now", "places", "hold", "heads"),
    RELEASE_HELD("release_held", "topic", "handed", "places", "hold", "heads"),
    PARK_HELD("park_held", "topic", "places", "hold", "heads"),
    TOPICS("topics", "places"),
    PEEK("peek", "topic", "places", "hold"),
    PEEK_HELD("peek_held", "topic", "places", "hold"),
    BOARD("board", "topic", "places", "hold"),
    LEASED_TOPICS("leased_topics", "topic"),
    WAITING("waiting", "places"),
    CENSUS("census", "places", "ghosts"),
    TRIM_READY("trim_ready", "fence", "topic", "places", "ghosts"),
    UNLIST("unlist", "fence", "places", "ghosts"),
    COLLECT("collect", "fence", "topic", "version", "places", "heads"),
    NOTE("note"),
    MINUTES("minutes"),
    CALLS("calls"),
    STOP("stop"),
    RATE("rate"),
    ADMIT_TOPIC("admit_topic", "now");

    private final List<String> preludes;
    private final RedisScript script;

    LuaScript(String name, String... preludes) {
        this.preludes = List.of(preludes);
        StringBuilder joined = new StringBuilder();
        for (String prelude : preludes) {
            joined.append(read(prelude));
        }
        this.script = new RedisScript(name, joined.append(read(name)).toString());
    }

    RedisScript script() {
        return script;
    }

    /** By the names of their files, in the order in which they stand before the script. */
    List<String> preludes() {
        return preludes;
    }

    private static String read(String name) {
        String path = "/lua/" + name + ".lua";
        try (InputStream in = LuaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
