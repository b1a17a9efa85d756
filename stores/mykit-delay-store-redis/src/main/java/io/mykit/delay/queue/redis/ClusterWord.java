package io.mykit.delay.queue.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The answer of one node of a Redis Cluster.
 *
 * @param serves whether the node takes calls. It does not while it reaches no majority of the masters
 * @param ranges of slots, with their masters as this node sees them
 * @param members the ids of all nodes that this node knows; empty = it does not tell
 * @param nodes the addresses of all masters that have slots, then of their replicas
 * @param refusal of the commands that tell state and epochs; null = the answer is whole
 */
record ClusterWord(boolean serves, List<Range> ranges, Set<String> members, Set<HostAndPort> nodes, String refusal) {

    /**
     * Slots with one master.
     *
     * @param epoch of the configuration that gave the slots to the master; 0 = not known
     */
    record Range(int first, int last, HostAndPort master, long epoch) {}

    /**
     * Reads the replies of CLUSTER INFO, CLUSTER NODES and CLUSTER SLOTS. Only SLOTS tells the addresses that are meant for clients.
     *
     * @throws JedisDataException if the node refuses the last one
     */
    static ClusterWord of(HostAndPort asked, List<?> replies) {
        if (replies.get(2) instanceof JedisDataException refusal) {
            throw refusal;
        }
        if (!(replies.get(0) instanceof byte[] info) || !(replies.get(1) instanceof byte[] lines)) {
            Object refusal = replies.get(0) instanceof byte[] ? replies.get(1) : replies.get(0);
            return of(asked, Map.of(), replies, true, String.valueOf(refusal));
        }
        boolean serves = Replies.text(info).contains("cluster_state:ok");
        return of(asked, epochs(Replies.text(lines)), replies, serves, null);
    }

    private static ClusterWord of(
            HostAndPort asked, Map<String, Long> epochs, List<?> replies, boolean serves, String refusal) {
        List<Range> ranges = new ArrayList<>();
        Set<HostAndPort> nodes = new LinkedHashSet<>();
        Set<HostAndPort> replicas = new LinkedHashSet<>();
        for (Object reply : Replies.list(replies.get(2))) {
            // First slot, last slot, master, replicas. A node is: host, port, id, and more.
            List<?> range = Replies.list(reply);
            List<?> master = Replies.list(range.get(2));
            HostAndPort address = address(master, asked);
            long epoch = epochs.getOrDefault(Replies.text(master.get(2)), 0L);
            ranges.add(
                    new Range((int) Replies.number(range.get(0)), (int) Replies.number(range.get(1)), address, epoch));
            nodes.add(address);
            range.subList(3, range.size()).forEach(node -> replicas.add(address(Replies.list(node), asked)));
        }
        nodes.addAll(replicas);
        return new ClusterWord(serves, ranges, epochs.keySet(), nodes, refusal);
    }

    /** The configuration epochs by the ids of the nodes, from the reply of CLUSTER NODES. */
    private static Map<String, Long> epochs(String lines) {
        // <id> <address> <flags> <master> <ping sent> <pong received> <configuration epoch> ...
        return lines.lines()
                .map(line -> line.split(" ", -1))
                .collect(Collectors.toMap(fields -> fields[0], fields -> Long.valueOf(fields[6])));
    }

    /** A node that does not know its own address leaves the host out. Then it is the node that was asked. */
    private static HostAndPort address(List<?> node, HostAndPort asked) {
        String host = node.get(0) == null ? "" : Replies.text(node.get(0));
        return new HostAndPort(host.isEmpty() ? asked.getHost() : host, (int) Replies.number(node.get(1)));
    }
}
