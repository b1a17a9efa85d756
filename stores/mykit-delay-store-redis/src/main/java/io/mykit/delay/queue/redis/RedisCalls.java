package io.mykit.delay.queue.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Makes calls. It sends each call to the right server, follows redirections, and sends the script's text to a server that
 * has forgotten the script. It does not repeat a call without an answer, because Redis may have executed it. Thread-safe.
 */
final class RedisCalls {
    private static final int MAX_HOPS = 5;

    private final RedisServers servers;

    RedisCalls(RedisServers servers) {
        this.servers = servers;
    }

    /** See {@link Redis#run}. */
    Object run(RedisCall call) {
        Object result = runAll(List.of(call))[0];
        if (result instanceof RedisUnavailableException e) {
            throw e;
        }
        return result;
    }

    /** See {@link Redis#runAll}. */
    Object[] runAll(List<RedisCall> calls) {
        Object[] results = new Object[calls.size()];
        Map<RedisNode, List<Integer>> byNode = new HashMap<>();
        for (int i = 0; i < results.length; i++) {
            try {
                byNode.computeIfAbsent(servers.of(calls.get(i).slot()), n -> new ArrayList<>())
                        .add(i);
            } catch (RedisUnavailableException e) {
                results[i] = e;
            }
        }
        // All callers use the same order of servers, so that two callers never wait for connections of each other.
        List<RedisNode> nodes = byNode.keySet().stream()
                .sorted(Comparator.comparing(node -> node.address().toString()))
                .toList();
        List<Exchange> exchanges = nodes.stream()
                .map(node -> new Exchange(
                        node, byNode.get(node).stream().map(calls::get).toList(), false))
                .toList();
        try {
            exchanges.forEach(Exchange::send);
            for (Exchange exchange : exchanges) {
                List<Integer> indexes = byNode.get(exchange.node());
                Object[] replies = exchange.receive();
                for (int i = 0; i < replies.length; i++) {
                    results[indexes.get(i)] = replies[i];
                }
            }
        } finally {
            // An Error in one exchange leaves the connections of the others.
            exchanges.forEach(exchange -> exchange.end(false));
        }
        // Redirections are followed only now: a thread must not wait for a connection while it holds another one.
        for (int i = 0; i < results.length; i++) {
            results[i] = follow(calls.get(i), results[i]);
        }
        return results;
    }

    private Object follow(RedisCall call, Object reply) {
        if (!(reply instanceof RuntimeException)) {
            return reply;
        }
        Object last = reply;
        try {
            last = redirect(call, reply);
            if (last instanceof JedisDataException refusal) {
                last = RedisFailures.of(servers.of(call.slot()).address(), refusal);
            }
        } catch (RedisUnavailableException e) {
            last = e;
        }
        if (last instanceof RedisUnavailableException) {
            servers.doubt();
        }
        return last;
    }

    private Object redirect(RedisCall first, Object firstReply) {
        RedisCall call = first;
        Object reply = firstReply;
        RedisNode node = null;
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            if (reply instanceof JedisNoScriptException && !call.hasText()) {
                call = call.withText();
                node = node == null ? servers.of(call.slot()) : node;
            } else if (reply instanceof JedisMovedDataException moved) {
                servers.topology().moved(moved.getSlot(), moved.getTargetNode());
                servers.doubt();
                node = servers.at(moved.getTargetNode());
            } else if (reply instanceof JedisAskDataException ask) {
                node = servers.at(ask.getTargetNode());
            } else {
                break;
            }
            Exchange exchange = new Exchange(node, List.of(call), reply instanceof JedisAskDataException);
            exchange.send();
            reply = exchange.receive()[0];
        }
        return reply;
    }
}
