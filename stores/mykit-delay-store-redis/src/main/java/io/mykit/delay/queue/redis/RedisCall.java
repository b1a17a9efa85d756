package io.mykit.delay.queue.redis;

import java.nio.charset.StandardCharsets;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.util.JedisClusterCRC16;

/** One command on keys of one cluster slot. It can be sent several times. Immutable, except for its byte arrays. */
public final class RedisCall {
    private static final String COMMAND = "command";

    private final int slot;
    private final ProtocolCommand command;
    private final byte[][] words;
    private final RedisScript script;
    /** The only server that may get the call, see {@link Redis#serverOf}; null = any server. */
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
     * @param words the key, then the other arguments
     * @throws IllegalArgumentException if there is no such command
     */
    public static RedisCall command(String name, byte[]... words) {
        return new RedisCall(slotOf(words[0]), Protocol.Command.valueOf(name), words, null, null);
    }

    /**
     * A call of a script by its digest.
     *
     * @param keys at least one key, all of one slot
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
     * The same call, to be sent to this process only ({@link Redis#serverOf}). Neither the restarted process nor the
     * replica that took its place gets the call, because both may lack the last writes.
     *
     * @param server null = any server
     */
    public RedisCall onlyTo(String server) {
        return new RedisCall(slot, command, words, script, server);
    }

    boolean isFor(String asked) {
        return server == null || server.equals(asked);
    }

    /** The slot of the key on Redis Cluster; every key has one. */
    static int slotOf(byte[] key) {
        return JedisClusterCRC16.getSlot(key);
    }

    /** The same call with the script's text, for a server that does not know the script. The server then knows it. */
    RedisCall withText() {
        byte[][] copy = words.clone();
        copy[0] = script.text();
        return new RedisCall(slot, Protocol.Command.EVAL, copy, script, server);
    }

    /** The name of the script, or one name for all other commands. */
    String kind() {
        return script == null ? COMMAND : script.name();
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
