package io.mykit.delay.queue.bucket.redis;

import java.nio.charset.StandardCharsets;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;

/** One command on the keys of one bucket, ready to be sent, and sent again. Immutable, but for its bytes. */
final class RedisCall {
    private final BucketKeys keys;
    private final ProtocolCommand command;
    private final byte[][] words;
    private final LuaScript script;

    private RedisCall(BucketKeys keys, ProtocolCommand command, byte[][] words, LuaScript script) {
        this.keys = keys;
        this.command = command;
        this.words = words;
        this.script = script;
    }

    static RedisCall plain(BucketKeys keys, ProtocolCommand command, byte[]... words) {
        return new RedisCall(keys, command, words, null);
    }

    /** A script by its digest. */
    static RedisCall script(BucketKeys keys, LuaScript script, byte[][] scriptKeys, byte[]... arguments) {
        byte[][] words = new byte[2 + scriptKeys.length + arguments.length][];
        words[0] = script.sha1();
        words[1] = Integer.toString(scriptKeys.length).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(scriptKeys, 0, words, 2, scriptKeys.length);
        System.arraycopy(arguments, 0, words, 2 + scriptKeys.length, arguments.length);
        return new RedisCall(keys, Protocol.Command.EVALSHA, words, script);
    }

    /** The same with the script's text, for a server that does not know it (yet, or any more); then it does. */
    RedisCall withText() {
        byte[][] copy = words.clone();
        copy[0] = script.text();
        return new RedisCall(keys, Protocol.Command.EVAL, copy, script);
    }

    boolean hasText() {
        return command == Protocol.Command.EVAL;
    }

    BucketKeys keys() {
        return keys;
    }

    void sendTo(RedisLink link) {
        link.sendCommand(command, words);
    }
}
