package io.mykit.delay.channel.rocketmq;

import java.time.Duration;
import java.util.UUID;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;

/**
 * The client of this channel. The first use starts it. After a failed start the next use makes a new client. Thread-safe.
 */
final class LazyProducer {
    /** The maximum of a body, and of a batch with its properties. It is the default of brokers. */
    static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    /**
     * Two threads of the client look every half of this time for batches of its own, which this channel does not use. By default they
     * look 400 times a second, which takes about 1 % of a core. A stop waits for either of them.
     */
    private static final int CLIENT_BATCH_MS = 400;

    private final ClientAccess access;
    private final Duration sendTimeout;
    private final SendTries tries = new SendTries();
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

    /** The failures of the sends of all clients that this object makes. */
    SendTries tries() {
        return tries;
    }

    /**
     * The running client. The start needs no reachable name server.
     *
     * @throws MQClientException if the client does not start; the next call makes a new one
     */
    synchronized DefaultMQProducer get() throws MQClientException {
        if (closed) {
            throw new MQClientException("the channel is closed", null);
        }
        if (started == null) {
            RPCHook signing = access.signing();
            DefaultMQProducer producer = create(signing);
            try {
                // The code makes the client here, and the producer finds it. A started client connects at once.
                MQClientInstance client = MQClientManager.getInstance().getOrCreateMQClientInstance(producer, signing);
                access.tls().ifPresent(tls -> tls.putInto(client));
                answerWithoutHops(client.getNettyClientConfig());
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

    /**
     * The thread that reads an answer decodes it and wakes the sending thread. By default two threads of the client pass it on before,
     * for callbacks that may block. This channel has none.
     */
    private static void answerWithoutHops(NettyClientConfig config) {
        config.setDisableNettyWorkerGroup(true);
        config.setDisableCallbackExecutor(true);
    }

    @SuppressWarnings("deprecation") // The client has no other way to a hook.
    private DefaultMQProducer create(RPCHook signing) {
        int timeoutMs = Math.toIntExact(sendTimeout.toMillis());
        DefaultMQProducer producer = new DefaultMQProducer(access.inNamespace(access.group()), signing);
        producer.setNamesrvAddr(access.nameServers());
        producer.setUseTLS(access.tls().isPresent());
        // Clients in one process with the same instance name share their connections, and each shutdown ends both.
        producer.setInstanceName("mykit-delay-" + UUID.randomUUID());
        producer.setMaxMessageSize(MAX_MESSAGE_BYTES);
        producer.setSendMsgTimeout(timeoutMs);
        // A topic without a route costs two requests to the name server, and both have to fit into the timeout.
        producer.setMqClientApiTimeout(Math.max(1, timeoutMs / 2));
        // Retries happen inside the send timeout. After a refused connection the client tries another broker. A send
        // without an answer has used up the time, so it is not sent twice.
        producer.setRetryTimesWhenSendFailed(2);
        producer.setRetryAnotherBrokerWhenNotStoreOK(false);
        producer.setPollNameServerInterval(10_000);
        producer.batchMaxDelayMs(CLIENT_BATCH_MS);
        producer.getDefaultMQProducerImpl().registerSendMessageHook(tries);
        return producer;
    }
}
