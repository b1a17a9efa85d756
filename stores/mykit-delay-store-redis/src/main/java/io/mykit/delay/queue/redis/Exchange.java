package io.mykit.delay.queue.redis;

import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Some calls to one server in one pipeline: {@link #send()}, then {@link #receive()}. Neither throws for a failure of the
 * server. The reply of each call is the answer of Redis, a {@link JedisDataException} (Redis refused this call), or a
 * {@link RedisUnavailableException} (the call may or may not have been executed). One thread uses it, once.
 */
final class Exchange {
    private final RedisNode node;
    private final List<RedisCall> calls;
    private final boolean asking;
    private final Object[] replies;
    private RedisLink link;
    private String server;

    /** @param asking whether the server is still taking the slot over (ASK redirection) */
    Exchange(RedisNode node, List<RedisCall> calls, boolean asking) {
        this.node = node;
        this.calls = calls;
        this.asking = asking;
        this.replies = new Object[calls.size()];
    }

    RedisNode node() {
        return node;
    }

    void send() {
        boolean sent = false;
        try {
            link = node.borrow();
            server = node.serverAt(link);
            link.beginWrite();
            for (int i = 0; i < replies.length; i++) {
                send(i);
            }
            link.endWrite();
            sent = true;
        } catch (RedisUnavailableException e) {
            Arrays.fill(replies, e);
        } catch (JedisException e) {
            Arrays.fill(replies, RedisFailures.of(node.address(), e));
        } finally {
            if (!sent) {
                end(false);
            }
        }
    }

    private void send(int index) {
        RedisCall call = calls.get(index);
        if (!call.isFor(server)) {
            replies[index] = new RedisReplacedException();
            return;
        }
        if (asking) {
            link.sendCommand(Protocol.Command.ASKING);
        }
        call.sendTo(link);
    }

    /** Replies in the order of the calls. */
    Object[] receive() {
        if (link == null) {
            return replies;
        }
        int read = 0;
        boolean complete = false;
        try {
            for (; read < replies.length; read++) {
                if (replies[read] == null) {
                    replies[read] = receiveOne();
                }
            }
            complete = true;
            forgetOfOthers();
        } catch (JedisException e) {
            fail(read, RedisFailures.of(node.address(), e));
        } finally {
            end(complete);
        }
        return replies;
    }

    /** Another server may have been the master before the answer came. Then the answer may tell of older data. */
    private void forgetOfOthers() {
        String now = node.serverAt(link);
        if (now.equals(server)) {
            return;
        }
        for (int i = 0; i < replies.length; i++) {
            if (!calls.get(i).isFor(now)) {
                replies[i] = new RedisReplacedException();
            }
        }
    }

    /** A call that was not sent keeps its own failure. */
    private void fail(int from, RedisUnavailableException failure) {
        for (int i = from; i < replies.length; i++) {
            replies[i] = replies[i] == null ? failure : replies[i];
        }
    }

    private Object receiveOne() {
        if (asking) {
            link.getOne();
        }
        try {
            return link.getOne();
        } catch (JedisDataException e) {
            return e;
        }
    }

    /** Gives the connection back, if there is one. */
    void end(boolean usable) {
        if (link != null) {
            node.giveBack(link, usable);
            link = null;
        }
    }
}
