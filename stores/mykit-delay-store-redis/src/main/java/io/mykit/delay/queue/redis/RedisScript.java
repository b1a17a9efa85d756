package io.mykit.delay.queue.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script with the digest by which a server knows it. Immutable; no caller may change its byte arrays. */
public final class RedisScript {
    private final String name;
    private final byte[] text;
    private final byte[] sha1;

    /** @param name the label in the metrics */
    public RedisScript(String name, String text) {
        this.name = name;
        this.text = text.getBytes(StandardCharsets.UTF_8);
        this.sha1 = sha1(this.text);
    }

    String name() {
        return name;
    }

    /** For EVAL. */
    byte[] text() {
        return text;
    }

    /** For EVALSHA: lower case hexadecimal. */
    byte[] sha1() {
        return sha1;
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
