package io.mykit.delay.client.rocketmq;

import io.mykit.delay.client.DelayClient;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.RequestTimeoutException;
import org.apache.rocketmq.client.producer.MessageQueueSelector;
import org.apache.rocketmq.client.producer.RequestCallback;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * A producer whose delayed messages go to mykit-delay; all others go straight to the broker. It takes the place of a {@code
 * DefaultMQProducer} or a {@code TransactionMQProducer}, and the rest of the program stays as it is:
 *
 * <pre>{@code
 * DefaultMQProducer producer = new DelayingMQProducer("orders", DelayClient.builder().endpoint("http://127.0.0.1:6355").build());
 * }</pre>
 *
 * <p>The consumer gets the same message, when it is due. A delayed message to a chosen queue, in a transaction, or as a request is refused
 * with a {@link MQClientException}. Without an answer of mykit-delay a send fails with a {@link RemotingException}; it never goes to the
 * broker instead. Thread-safe after {@link #start}.
 */
public class DelayingMQProducer extends TransactionMQProducer {
    private final DelayedSends sends;

    /** A producer that sends all delayed messages by this client. */
    public DelayingMQProducer(String producerGroup, DelayClient client) {
        this(producerGroup, DelayedSends.builder(client).build());
    }

    /** A producer with settings, which it may share with others. */
    public DelayingMQProducer(String producerGroup, DelayedSends sends) {
        this(producerGroup, null, sends);
    }

    /** The same for a broker with access control. */
    public DelayingMQProducer(String producerGroup, RPCHook rpcHook, DelayedSends sends) {
        super(producerGroup, rpcHook);
        this.sends = sends;
    }

    /** The same with a trace of the messages that go straight to the broker. */
    public DelayingMQProducer(
            String producerGroup,
            RPCHook rpcHook,
            boolean enableMsgTrace,
            String customizedTraceTopic,
            DelayedSends sends) {
        super(producerGroup, rpcHook, enableMsgTrace, customizedTraceTopic);
        this.sends = sends;
    }

    /** Waits for delayed messages in flight, for at most {@code sendMsgTimeout}, and ends. */
    @Override
    public void shutdown() {
        try {
            sends.awaitIdle(Duration.ofMillis(getSendMsgTimeout()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.shutdown();
    }

    @Override
    public SendResult send(Message msg)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msg);
        return delayed.isPresent() ? delayed.get().send(getSendMsgTimeout()) : super.send(msg);
    }

    @Override
    public SendResult send(Message msg, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msg);
        return delayed.isPresent() ? delayed.get().send(timeout) : super.send(msg, timeout);
    }

    @Override
    public void send(Message msg, SendCallback callback)
            throws MQClientException, RemotingException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msg);
        if (delayed.isPresent()) {
            delayed.get().send(callback, getSendMsgTimeout());
        } else {
            super.send(msg, callback);
        }
    }

    @Override
    public void send(Message msg, SendCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msg);
        if (delayed.isPresent()) {
            delayed.get().send(callback, timeout);
        } else {
            super.send(msg, callback, timeout);
        }
    }

    @Override
    public void sendOneway(Message msg) throws MQClientException, RemotingException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msg);
        if (delayed.isPresent()) {
            delayed.get().sendOneway(getSendMsgTimeout());
        } else {
            super.sendOneway(msg);
        }
    }

    @Override
    public SendResult send(Collection<Message> msgs)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msgs);
        return delayed.isPresent() ? delayed.get().send(getSendMsgTimeout()) : super.send(msgs);
    }

    @Override
    public SendResult send(Collection<Message> msgs, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msgs);
        return delayed.isPresent() ? delayed.get().send(timeout) : super.send(msgs, timeout);
    }

    @Override
    public void send(Collection<Message> msgs, SendCallback callback)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msgs);
        if (delayed.isPresent()) {
            delayed.get().send(callback, getSendMsgTimeout());
        } else {
            super.send(msgs, callback);
        }
    }

    @Override
    public void send(Collection<Message> msgs, SendCallback callback, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        Optional<DelayedSend> delayed = sends.of(this, msgs);
        if (delayed.isPresent()) {
            delayed.get().send(callback, timeout);
        } else {
            super.send(msgs, callback, timeout);
        }
    }

    @Override
    public String recallMessage(String topic, String recallHandle)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        return DelayedSends.isOurs(recallHandle)
                ? sends.recall(recallHandle, getSendMsgTimeout())
                : super.recallMessage(topic, recallHandle);
    }

    @Override
    public SendResult send(Message msg, MessageQueue mq)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        return super.send(msg, mq);
    }

    @Override
    public SendResult send(Message msg, MessageQueue mq, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        return super.send(msg, mq, timeout);
    }

    @Override
    public void send(Message msg, MessageQueue mq, SendCallback callback)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.send(msg, mq, callback);
    }

    @Override
    public void send(Message msg, MessageQueue mq, SendCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.send(msg, mq, callback, timeout);
    }

    @Override
    public void sendOneway(Message msg, MessageQueue mq)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.sendOneway(msg, mq);
    }

    @Override
    public SendResult send(Message msg, MessageQueueSelector selector, Object arg)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        return super.send(msg, selector, arg);
    }

    @Override
    public SendResult send(Message msg, MessageQueueSelector selector, Object arg, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        return super.send(msg, selector, arg, timeout);
    }

    @Override
    public void send(Message msg, MessageQueueSelector selector, Object arg, SendCallback callback)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.send(msg, selector, arg, callback);
    }

    @Override
    public void send(Message msg, MessageQueueSelector selector, Object arg, SendCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.send(msg, selector, arg, callback, timeout);
    }

    @Override
    public void sendOneway(Message msg, MessageQueueSelector selector, Object arg)
            throws MQClientException, RemotingException, InterruptedException {
        refuseDelayed(msg, Unsupported.CHOSEN_QUEUE);
        super.sendOneway(msg, selector, arg);
    }

    @Override
    public SendResult send(Collection<Message> msgs, MessageQueue mq)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msgs, Unsupported.CHOSEN_QUEUE);
        return super.send(msgs, mq);
    }

    @Override
    public SendResult send(Collection<Message> msgs, MessageQueue mq, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msgs, Unsupported.CHOSEN_QUEUE);
        return super.send(msgs, mq, timeout);
    }

    @Override
    public void send(Collection<Message> msgs, MessageQueue mq, SendCallback callback)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msgs, Unsupported.CHOSEN_QUEUE);
        super.send(msgs, mq, callback);
    }

    @Override
    public void send(Collection<Message> msgs, MessageQueue mq, SendCallback callback, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        refuseDelayed(msgs, Unsupported.CHOSEN_QUEUE);
        super.send(msgs, mq, callback, timeout);
    }

    @Override
    public Message request(Message msg, long timeout)
            throws RequestTimeoutException, MQClientException, RemotingException, MQBrokerException,
                    InterruptedException {
        refuseDelayed(msg, Unsupported.REQUEST);
        return super.request(msg, timeout);
    }

    @Override
    public void request(Message msg, RequestCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException, MQBrokerException {
        refuseDelayed(msg, Unsupported.REQUEST);
        super.request(msg, callback, timeout);
    }

    @Override
    public Message request(Message msg, MessageQueueSelector selector, Object arg, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException,
                    RequestTimeoutException {
        refuseDelayed(msg, Unsupported.REQUEST);
        return super.request(msg, selector, arg, timeout);
    }

    @Override
    public void request(Message msg, MessageQueueSelector selector, Object arg, RequestCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException, MQBrokerException {
        refuseDelayed(msg, Unsupported.REQUEST);
        super.request(msg, selector, arg, callback, timeout);
    }

    @Override
    public Message request(Message msg, MessageQueue mq, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException,
                    RequestTimeoutException {
        refuseDelayed(msg, Unsupported.REQUEST);
        return super.request(msg, mq, timeout);
    }

    @Override
    public void request(Message msg, MessageQueue mq, RequestCallback callback, long timeout)
            throws MQClientException, RemotingException, InterruptedException, MQBrokerException {
        refuseDelayed(msg, Unsupported.REQUEST);
        super.request(msg, mq, callback, timeout);
    }

    @Override
    public TransactionSendResult sendMessageInTransaction(Message msg, Object arg) throws MQClientException {
        refuseDelayed(msg, Unsupported.TRANSACTION);
        return super.sendMessageInTransaction(msg, arg);
    }

    private void refuseDelayed(Message message, Unsupported way) throws MQClientException {
        Optional<DelayedSend> delayed = sends.of(this, message);
        if (delayed.isPresent()) {
            throw delayed.get().refusal(way);
        }
    }

    private void refuseDelayed(Collection<Message> batch, Unsupported way) throws MQClientException {
        Optional<DelayedSend> delayed = sends.of(this, batch);
        if (delayed.isPresent()) {
            throw delayed.get().refusal(way);
        }
    }
}
