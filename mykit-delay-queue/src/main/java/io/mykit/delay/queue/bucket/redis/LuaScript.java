package io.mykit.delay.queue.bucket.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts, one per operation: {@code resources/lua/<name>.lua}, with the preludes that each one names in its head. */
@SuppressWarnings("ImmutableEnumChecker") // Its bytes go to the socket as they are; nobody changes them.
enum LuaScript {
    SCHEDULE("schedule", "earliest"),
    REMOVE("remove"),
    PURGE("purge"),
    LOCATE("locate"),
    CLAIM("claim"),
    MARK_RESTORED("mark_restored", "fence"),
    MOVE_DUE("move_due", "fence", "topic", "now"),
    TAKE("take", "fence", "topic", "now"),
    SETTLE("settle", "fence"),
    RELEASE("release", "fence"),
    POSTPONE("postpone", "fence", "now", "earliest"),
    PARK("park", "fence"),
    UNPARK("unpark", "fence"),
    LEASED("leased", "topic");

    private final byte[] text;
    private final byte[] sha1;

    LuaScript(String name, String... preludes) {
        StringBuilder joined = new StringBuilder();
        for (String prelude : preludes) {
            joined.append(read(prelude));
        }
        this.text = joined.append(read(name)).toString().getBytes(StandardCharsets.UTF_8);
        this.sha1 = sha1(text);
    }

    /** For EVAL. Not to be changed. */
    byte[] text() {
        return text;
    }

    /** For EVALSHA: lower case hexadecimal. Not to be changed. */
    byte[] sha1() {
        return sha1;
    }

    private static String read(String name) {
        String path = "/lua/" + name + ".lua";
        try (InputStream in = LuaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] sha1(byte[] text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
