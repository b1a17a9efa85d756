package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.ActiveMqServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** ActiveMQ. */
final class ActiveMqPart extends OneServer<ActiveMqServer> implements Broker {
    ActiveMqPart(Path dir) {
        super(ActiveMqServer.startMoody(dir));
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Map<String, String> settings(int port) {
        return Map.of("delivery.default-channel", "activemq", "activemq.broker-url", "tcp://127.0.0.1:" + port);
    }

    @Override
    public void create(List<String> topics) {
        // A queue comes into being at its first use.
    }

    @Override
    public Inbox inbox(String topic) {
        // Killed brokers deliver unacknowledged messages again, and consumers connect again without end.
        return ActiveMqInbox.ofQueue("failover:(" + server.url() + ")?maxReconnectDelay=500", topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return (String) arrival.properties().get("JMSMessageID");
    }

    @Override
    public void refuseSome() {
        server.refuseSome();
    }

    @Override
    public void takeAll() {
        server.takeAll();
    }
}
