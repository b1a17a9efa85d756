package io.mykit.delay.queue.redis;

/** Chooses the {@link Topology} that the address of Redis asks for. */
final class Topologies {
    private Topologies() {}

    static Topology of(RedisSettings settings) {
        RedisUri uri = settings.uri();
        return switch (uri.mode()) {
            case SINGLE -> new SingleTopology(uri.hosts().get(0));
            case SENTINEL -> new SentinelTopology(settings);
            case CLUSTER -> new ClusterTopology(settings);
        };
    }
}
