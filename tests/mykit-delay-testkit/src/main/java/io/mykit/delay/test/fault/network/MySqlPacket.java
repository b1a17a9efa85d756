package io.mykit.delay.test.fault.network;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A packet from a client to MySQL. The drivers of the project wait for each answer, so a chunk has no second statement. */
final class MySqlPacket {
    private static final String COMMIT = "commit";

    private MySqlPacket() {}

    /** Whether these bytes end with a COMMIT. */
    static boolean isCommit(byte[] chunk, int length) {
        int from = Math.max(0, length - COMMIT.length());
        String end = new String(chunk, from, length - from, StandardCharsets.ISO_8859_1);
        return end.toLowerCase(Locale.ROOT).equals(COMMIT);
    }
}
