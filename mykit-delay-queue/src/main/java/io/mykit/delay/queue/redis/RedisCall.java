package io.mykit.delay.queue.redis;

import java.nio.charset.StandardCharsets;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.util.JedisClusterCRC16;

/** One command on keys of one cluster slot, ready to be sent, and sent again. Immutable, but for its bytes. */
public final class RedisCall {
    private final int slot;
    private final ProtocolCommand command;
    private final byte[][] words;
    private final RedisScript script;
    /** The run id of the only process that may get it; null = any. */
    private final String server;

    private RedisCall(int slot, ProtocolCommand command, byte[][] words, RedisScript script, String server) {
        this.slot = slot;
        this.command = command;
        this.words = words;
        this.script = script;
        this.server = server;
    }

    /**
     * A command of Redis.
     *
     * @param name in capitals
     * @param words the key, then what follows it
     * @throws IllegalArgumentException if there is no such command
     */
    public static RedisCall command(String name, byte[]... words) {
        return new RedisCall(slotOf(words[0]), Protocol.Command.valueOf(name), words, null, null);
    }

    /**
     * A script by its digest.
     *
     * @param keys at least one, all of one slot
     */
    public static RedisCall script(RedisScript script, byte[][] keys, byte[]... arguments) {
        byte[][] words = new byte[2 + keys.length + arguments.length][];
        words[0] = script.sha1();
        words[1] = Integer.toString(keys.length).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(keys, 0, words, 2, keys.length);
        System.arraycopy(arguments, 0, words, 2 + keys.length, arguments.length);
        return new RedisCall(slotOf(keys[0]), Protocol.Command.EVALSHA, words, script, null);
    }

    /**
     * The same, to be sent to this process only ({@link Redis#serverOf}): not to the same one after a restart, nor to the
     * replica that took its place, as both may be without what was written last.
     *
     * @param runId null = any
     */
    public RedisCall onlyTo(String runId) {
        return new RedisCall(slot, command, words, script, runId);
    }

    boolean isFor(RedisLink link) {
        return server == null || server.equals(link.server());
    }

    /** On Redis Cluster; any key has one. */
    static int slotOf(byte[] key) {
        return JedisClusterCRC16.getSlot(key);
    }

    /** The same with the script's text, for a server that does not know it (yet, or any more); then it does. */
    RedisCall withText() {
        byte[][] copy = words.clone();
        copy[0] = script.text();
        return new RedisCall(slot, Protocol.Command.EVAL, copy, script, server);
    }

    boolean hasText() {
        return command == Protocol.Command.EVAL;
    }

    int slot() {
        return slot;
    }

    void sendTo(RedisLink link) {
        link.sendCommand(command, words);
    }
}
