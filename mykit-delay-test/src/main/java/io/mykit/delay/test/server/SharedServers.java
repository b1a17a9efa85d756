package io.mykit.delay.test.server;

import java.nio.file.Path;

/**
 * One server of each kind for all tests of a JVM that do it no harm: started when first asked for, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {

    private SharedServers() {}

    /** The name server and broker of RocketMQ. */
    public static RocketMqServer rocketMq() {
        return RocketMq.SERVER;
    }

    /** The ActiveMQ broker, without security; takes messages up to 4 MiB. */
    public static ActiveMqServer activeMq() {
        return ActiveMq.SERVER;
    }

    private static Path dir(String name) {
        return Path.of("target", "servers", name + "-" + ProcessHandle.current().pid());
    }

    // Each in a class of its own, so that the class loader starts it once and only when it is asked for.

    private static final class RocketMq {
        static final RocketMqServer SERVER = RocketMqServer.start(dir("rocketmq"));
    }

    private static final class ActiveMq {
        static final ActiveMqServer SERVER =
                ActiveMqServer.start(dir("activemq"), "?wireFormat.maxFrameSize=4194304", "", "");
    }
}
