package io.mykit.delay.channel.rocketmq;

import java.time.Duration;
import java.util.UUID;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.remoting.RPCHook;

/** The client of this channel: started when first needed, made anew after a start that failed. Thread-safe. */
final class LazyProducer {
    /** Of a body, and of a batch with its properties; what brokers take unless told otherwise. */
    static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    private final ClientAccess access;
    private final Duration sendTimeout;
    /** Guarded by this. */
    private DefaultMQProducer started;
    /** Guarded by this. */
    private boolean closed;

    LazyProducer(ClientAccess access, Duration sendTimeout) {
        this.access = access;
        this.sendTimeout = sendTimeout;
    }

    ClientAccess access() {
        return access;
    }

    /**
     * The running client. Starting it needs no name server to be there.
     *
     * @throws MQClientException if it does not start; the next call tries again with a new one
     */
    synchronized DefaultMQProducer get() throws MQClientException {
        if (closed) {
            throw new MQClientException("the channel is closed", null);
        }
        if (started == null) {
            RPCHook signing = access.signing();
            DefaultMQProducer producer = create(signing);
            try {
                // Made here, and found again by the producer: once it is started, it connects.
                MQClientInstance client = MQClientManager.getInstance().getOrCreateMQClientInstance(producer, signing);
                access.tls().ifPresent(tls -> tls.putInto(client));
                producer.start();
            } catch (MQClientException | RuntimeException e) {
                producer.shutdown();
                throw e;
            }
            started = producer;
        }
        return started;
    }

    synchronized void close() {
        closed = true;
        if (started != null) {
            started.shutdown();
            started = null;
        }
    }

    private DefaultMQProducer create(RPCHook signing) {
        int timeoutMs = Math.toIntExact(sendTimeout.toMillis());
        DefaultMQProducer producer = new DefaultMQProducer(access.inNamespace(access.group()), signing);
        producer.setNamesrvAddr(access.nameServers());
        producer.setUseTLS(access.tls().isPresent());
        // Clients of one process that share an instance name share their connections and shut each other down.
        producer.setInstanceName("mykit-delay-" + UUID.randomUUID());
        producer.setMaxMessageSize(MAX_MESSAGE_BYTES);
        producer.setSendMsgTimeout(timeoutMs);
        // A topic without a route costs two questions to the name server, and both have to fit.
        producer.setMqClientApiTimeout(Math.max(1, timeoutMs / 2));
        // Retries happen inside the send timeout: a refused connection is tried on another broker, a send that
        // nobody answered has used the time up and is not sent twice.
        producer.setRetryTimesWhenSendFailed(2);
        producer.setRetryAnotherBrokerWhenNotStoreOK(false);
        producer.setPollNameServerInterval(10_000);
        return producer;
    }
}
