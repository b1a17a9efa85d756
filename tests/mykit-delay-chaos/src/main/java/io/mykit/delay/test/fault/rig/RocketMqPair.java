package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.server.RocketMqServer;
import io.mykit.delay.test.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A RocketMQ master that waits half a second for its replica. Faults hit the master, except those of {@link #replica()}. */
final class RocketMqPair implements Broker {
    private final RocketMqServer server;
    private final RocketMqPart master;
    private ServerProcess replica;

    RocketMqPair(Path dir) {
        server = RocketMqServer.start(dir, RocketMqServer.REPLICATING);
        master = new RocketMqPart(server);
        replica = server.startReplica();
    }

    @Override
    public int port() {
        return master.port();
    }

    @Override
    public Map<String, String> settings(int port) {
        return master.settings(port);
    }

    @Override
    public void create(List<String> topics) {
        master.create(topics);
    }

    @Override
    public String named(String topic) {
        return topic.replace('/', '%');
    }

    @Override
    public Inbox inbox(String topic) {
        return master.inbox(topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return master.repetitionKey(arrival);
    }

    @Override
    public Optional<Replica> replica() {
        return Optional.of(new Replica() {
            @Override
            public void kill() {
                replica.kill();
            }

            @Override
            public void restart() {
                replica.kill();
                replica = server.startReplica();
                server.awaitReplicated();
            }
        });
    }

    @Override
    public void kill() {
        master.kill();
    }

    @Override
    public void restart() {
        master.restart();
    }

    @Override
    public void freeze() {
        master.freeze();
    }

    @Override
    public void thaw() {
        master.thaw();
    }

    @Override
    public void refuseSome() {
        master.refuseSome();
    }

    @Override
    public void takeAll() {
        master.takeAll();
    }

    @Override
    public void close() {
        replica.close();
        master.close();
    }
}
