package io.mykit.delay.test.fault.rig;

/** The servers that a run is made of. */
public record Variant(RedisKind redis, MySqlKind mysql, BrokerKind broker) {
    /** One Redis without persistence, one MySQL, ActiveMQ. */
    public static final Variant USUAL = new Variant(RedisKind.MEMORY, MySqlKind.SINGLE, BrokerKind.ACTIVEMQ);

    public Variant with(RedisKind other) {
        return new Variant(other, mysql, broker);
    }

    public Variant with(MySqlKind other) {
        return new Variant(redis, other, broker);
    }

    public Variant with(BrokerKind other) {
        return new Variant(redis, mysql, other);
    }

    /** Whether a wire leads from each node to that part, so that it can be cut. */
    public boolean hasWire(Part part) {
        return part != Part.REDIS || !redis.tellsAddresses();
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return "--redis " + redis.label() + " --mysql " + mysql.label() + " --broker " + broker.label();
    }
}
