package io.mykit.delay.queue.delivery.rocketmq;

import io.mykit.delay.common.health.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.body.ClusterInfo;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;

/** Asks a name server which brokers there are, and then the brokers until one of them answers. */
final class BrokerProbe implements Callable<Health> {
    private static final long NAME_SERVER_TIMEOUT_MS = 400;
    private static final long BROKER_TIMEOUT_MS = 300;

    private final LazyProducer producer;

    BrokerProbe(LazyProducer producer) {
        this.producer = producer;
    }

    @Override
    public Health call() throws Exception {
        MQClientAPIImpl client = client();
        ClusterInfo cluster = client.getBrokerClusterInfo(NAME_SERVER_TIMEOUT_MS);
        Map<String, BrokerData> brokers =
                cluster.getBrokerAddrTable() == null ? Map.of() : new TreeMap<>(cluster.getBrokerAddrTable());
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("nameServers", producer.nameServers());
        details.put("brokers", String.join(", ", brokers.keySet()));
        if (brokers.isEmpty()) {
            details.put("reason", "the name server knows no broker");
            return new Health(false, details);
        }
        for (BrokerData broker : brokers.values()) {
            if (answers(client, broker)) {
                return Health.up(details);
            }
        }
        details.put("reason", "no broker answers");
        return new Health(false, details);
    }

    /** The producer's own API has no question that is cheap; its insides are deprecated for users and stable. */
    @SuppressWarnings("deprecation")
    private MQClientAPIImpl client() throws MQClientException {
        return producer.get().getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
    }

    private static boolean answers(MQClientAPIImpl client, BrokerData broker) throws InterruptedException {
        String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
        if (master == null) {
            return false;
        }
        try {
            MessageQueue any = new MessageQueue(TopicValidator.RMQ_SYS_SELF_TEST_TOPIC, broker.getBrokerName(), 0);
            client.getMaxOffset(master, any, BROKER_TIMEOUT_MS);
            return true;
        } catch (MQBrokerException e) {
            // It does not like the question, so it is there.
            return true;
        } catch (RemotingException e) {
            return false;
        }
    }
}
