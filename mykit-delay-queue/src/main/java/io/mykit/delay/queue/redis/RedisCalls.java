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
 * Makes calls: to the right server, again where it redirects, and with the script's text where the server has forgotten
 * it. A call whose answer did not come is not repeated, as it may have been done. Thread-safe.
 */
final class RedisCalls {
    private static final int MAX_HOPS = 5;

    private final RedisServers servers;

    RedisCalls(RedisServers servers) {
        this.servers = servers;
    }

    /** As {@link Redis#run} says. */
    Object run(RedisCall call) {
        Object result = runAll(List.of(call))[0];
        if (result instanceof RedisUnavailableException e) {
            throw e;
        }
        return result;
    }

    /** As {@link Redis#runAll} says. */
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
        // In one order for everybody, so that two callers never wait for each other's connections.
        List<RedisNode> nodes = byNode.keySet().stream()
                .sorted(Comparator.comparing(node -> node.address().toString()))
                .toList();
        List<Exchange> exchanges = new ArrayList<>();
        for (RedisNode node : nodes) {
            Exchange exchange =
                    new Exchange(node, byNode.get(node).stream().map(calls::get).toList(), false);
            exchange.send();
            exchanges.add(exchange);
        }
        for (Exchange exchange : exchanges) {
            List<Integer> indexes = byNode.get(exchange.node());
            Object[] replies = exchange.receive();
            for (int i = 0; i < replies.length; i++) {
                results[indexes.get(i)] = replies[i];
            }
        }
        // Only now: another connection must not be asked for while holding one.
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
