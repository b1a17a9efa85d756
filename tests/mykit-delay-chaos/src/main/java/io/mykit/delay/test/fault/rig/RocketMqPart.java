package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.RocketMqServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * RocketMQ. The wire leads to its name server: the broker's address comes from there, so that the way to the broker
 * itself cannot be cut, and the name server can.
 */
final class RocketMqPart implements Broker {
    private final RocketMqServer server;

    RocketMqPart(Path dir) {
        this(RocketMqServer.start(dir));
    }

    /** The part of a server that runs already. */
    RocketMqPart(RocketMqServer server) {
        this.server = server;
    }

    @Override
    public int port() {
        String address = server.nameServerAddress();
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    @Override
    public Map<String, String> settings(int port) {
        return Map.of("delivery.default-channel", "rocketmq", "rocketmq.namesrv-addr", "127.0.0.1:" + port);
    }

    @Override
    public void create(List<String> topics) {
        topics.forEach(server::createTopic);
    }

    @Override
    public String named(String topic) {
        return topic.replace('/', '%');
    }

    @Override
    public Inbox inbox(String topic) {
        return new RocketMqInbox(server.nameServerAddress(), topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return "";
    }

    @Override
    public void kill() {
        server.broker().kill();
    }

    @Override
    public void restart() {
        server.startBroker();
    }

    @Override
    public void freeze() {
        server.broker().freeze();
    }

    @Override
    public void thaw() {
        server.broker().thaw();
    }

    @Override
    public void refuseSome() {
        server.refuseSome();
    }

    @Override
    public void takeAll() {
        server.takeAll();
    }

    @Override
    public void close() {
        server.close();
    }
}
