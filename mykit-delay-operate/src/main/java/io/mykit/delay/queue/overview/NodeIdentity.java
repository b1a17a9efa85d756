package io.mykit.delay.queue.overview;

/**
 * The facts about a node that stay the same while it runs. Immutable.
 *
 * @param node its name, unique among the nodes
 * @param queue the name of the queue
 * @param version the version of its build
 * @param url where its HTTP interface listens
 * @param startedAtMs in cluster time, epoch milliseconds
 * @param isOpen whether no token is configured
 * @param rules what its configuration says about where and how it delivers
 */
public record NodeIdentity(
        String node, String queue, String version, String url, long startedAtMs, boolean isOpen, NodeRules rules) {}
