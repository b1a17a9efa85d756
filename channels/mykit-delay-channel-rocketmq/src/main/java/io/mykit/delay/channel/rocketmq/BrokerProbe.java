package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.health.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.body.ClusterInfo;
import org.apache.rocketmq.remoting.protocol.heartbeat.HeartbeatData;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;

/** Asks a name server for the brokers, and then each broker until one accepts the account. For one thread. */
final class BrokerProbe implements Callable<Health> {
    private static final long NAME_SERVER_TIMEOUT_MS = 400;
    private static final long BROKER_TIMEOUT_MS = 300;

    private final LazyProducer producer;
    private final Unconfirmed unconfirmed;

    BrokerProbe(LazyProducer producer, Unconfirmed unconfirmed) {
        this.producer = producer;
        this.unconfirmed = unconfirmed;
    }

    @Override
    public Health call() throws Exception {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("nameServers", producer.access().nameServers());
        Optional<String> reason;
        try {
            reason = ask(client(), details);
        } catch (RemotingException | MQClientException | MQBrokerException e) {
            reason = Optional.of(Reasons.of(e));
        }
        reason.ifPresent(text -> details.put("reason", producer.access().explained(text)));
        Map<String, String> notInTime = unconfirmed.byBroker();
        if (!notInTime.isEmpty()) {
            details.put("storedUnconfirmed", notInTime);
        }
        return new Health(reason.isEmpty(), details);
    }

    /** The reason why no message can be sent; empty if one broker works. */
    private static Optional<String> ask(MQClientInstance client, Map<String, Object> details) throws Exception {
        ClusterInfo cluster = client.getMQClientAPIImpl().getBrokerClusterInfo(NAME_SERVER_TIMEOUT_MS);
        Map<String, BrokerData> brokers =
                cluster.getBrokerAddrTable() == null ? Map.of() : new TreeMap<>(cluster.getBrokerAddrTable());
        details.put("brokers", String.join(", ", brokers.keySet()));
        Optional<String> reason =
                Optional.of(brokers.isEmpty() ? "the name server knows no broker" : "no broker answers");
        for (BrokerData broker : brokers.values()) {
            Optional<String> its = trouble(client, broker, reason.get());
            if (its.isEmpty()) {
                return its;
            }
            reason = its;
        }
        return reason;
    }

    /** The public API of the producer has no cheap request. Its inner classes are deprecated for users, but stable. */
    @SuppressWarnings("deprecation")
    private MQClientInstance client() throws MQClientException {
        return producer.get().getDefaultMQProducerImpl().getMqClientFactory();
    }

    /** Sends a heartbeat without a client in it: the broker checks the credentials, but no permission for a topic. */
    private static Optional<String> trouble(MQClientInstance client, BrokerData broker, String before)
            throws InterruptedException {
        String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
        if (master == null) {
            return Optional.of(before);
        }
        HeartbeatData heartbeat = new HeartbeatData();
        heartbeat.setClientID(client.getClientId());
        try {
            MQClientAPIImpl api = client.getMQClientAPIImpl();
            api.sendHeartbeat(master, heartbeat, BROKER_TIMEOUT_MS);
            return Optional.empty();
        } catch (MQBrokerException e) {
            // A broker that only rejects the request is running.
            return SendFaults.ofPermission(e);
        } catch (RemotingException e) {
            return Optional.of(before);
        }
    }
}
