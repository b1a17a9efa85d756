package io.mykit.delay.client.rocketmq;

import io.mykit.delay.client.DelayClientException;
import io.mykit.delay.client.PushResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.ServiceState;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;

/**
 * One send of delayed messages. Used once, by one thread.
 *
 * <p>A message gets its {@code UNIQ_KEY} here, and it is the id of the push. It stays in the object if the send fails, so another send of
 * the object is a repeat and delivers nothing twice. After success it is taken off, so that another send of the object is another message,
 * as it is with a broker.
 */
public final class DelayedSend {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client.rocketmq");
    private static final String UNIQUE_KEY = MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX;
    /** In place of a broker's name: the queue is chosen when the message is due. */
    private static final String NO_BROKER = "mykit-delay";

    private final SendParts sends;
    private final DefaultMQProducer producer;
    private final List<Message> messages;
    private final List<DueTime> dueTimes;
    private final List<String> ids = new ArrayList<>();

    DelayedSend(SendParts sends, DefaultMQProducer producer, List<Message> messages, List<DueTime> dueTimes) {
        this.sends = sends;
        this.producer = producer;
        this.messages = messages;
        this.dueTimes = dueTimes;
    }

    /**
     * Sends and waits. The status is SEND_OK, the message id and the recall handle are the id of the push; there is no queue yet.
     *
     * @param timeoutMs for all tries together, milliseconds
     * @throws MQClientException if the server, or the client of RocketMQ, refuses a message
     * @throws RemotingException without an answer in time; the same object may be sent again
     */
    public SendResult send(long timeoutMs) throws MQClientException, RemotingException, InterruptedException {
        Calls calls;
        try {
            calls = prepared();
        } catch (MQClientException e) {
            sends.counts().refused(messages.size());
            throw e;
        }
        Answers answers = calls.begin(timeoutMs);
        try {
            List<PushResult> results = Refusals.await(answers.results(), timeoutMs, answers::abandon);
            return accepted(results);
        } catch (MQClientException | RemotingException e) {
            count(e);
            throw e;
        }
    }

    /**
     * Sends, and calls back on a thread of its own. Refusals and failures of any kind come by the callback as well.
     *
     * @param timeoutMs for all tries together, milliseconds
     */
    public void send(SendCallback callback, long timeoutMs) {
        try {
            begin(timeoutMs, callback);
        } catch (MQClientException | RemotingException e) {
            count(e);
            callback.onException(e);
        }
    }

    /**
     * Sends, and tells nobody. A message that is refused, or not answered in time, is lost: the log and {@link SendCounts#lostOneway} tell.
     *
     * @throws RemotingException if too many messages are in flight
     */
    public void sendOneway(long timeoutMs) throws MQClientException, RemotingException {
        try {
            begin(timeoutMs, new SendCallback() {
                @Override
                public void onSuccess(SendResult result) {
                    // Nobody asked.
                }

                @Override
                public void onException(Throwable e) {
                    sends.counts().lostOneway(messages.size());
                    sends.losses().lost(messages.size(), (Exception) e);
                }
            });
        } catch (MQClientException | RemotingException e) {
            count(e);
            throw e;
        }
    }

    /** The exception for a send that is not to be made. */
    public MQClientException refusal(Unsupported way) {
        sends.counts().refused(messages.size());
        return Refusals.of("mykit-delay cannot send a delayed message " + way.text, null);
    }

    private void begin(long timeoutMs, SendCallback callback) throws MQClientException, RemotingException {
        Calls calls = prepared();
        if (!sends.inFlight().enter(ids)) {
            throw new RemotingTooMuchRequestException(
                    "more than " + sends.inFlight().max() + " delayed messages are in flight (maxInFlight)");
        }
        Answers answers = calls.begin(timeoutMs);
        var unused = answers.results()
                .orTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (results, failure) -> {
                            try {
                                answers.abandon();
                                told(callback, results, failure, timeoutMs);
                            } catch (RuntimeException | Error e) {
                                LOG.log(Level.WARNING, "The callback of a delayed send failed", e);
                            } finally {
                                sends.inFlight().leave(ids);
                            }
                        },
                        sends.callbacks());
    }

    private void told(SendCallback callback, List<PushResult> results, Throwable failure, long timeoutMs) {
        SendResult result;
        try {
            if (failure != null) {
                Throwable cause = failure.getCause() instanceof DelayClientException known ? known : failure;
                throw Refusals.failure(cause, timeoutMs);
            }
            result = accepted(results);
        } catch (Exception e) {
            count(e);
            callback.onException(e);
            return;
        }
        callback.onSuccess(result);
    }

    private SendResult accepted(List<PushResult> results) throws MQClientException, RemotingException {
        List<PushResult> failed =
                results.stream().filter(result -> !result.isAccepted()).toList();
        if (!failed.isEmpty()) {
            throwFirst(failed);
        }
        sends.counts().accepted(messages.size());
        messages.forEach(message -> MessageAccessor.clearProperty(message, UNIQUE_KEY));
        String joined = String.join(",", ids);
        MessageQueue none = new MessageQueue(messages.get(0).getTopic(), NO_BROKER, -1);
        SendResult result = new SendResult(SendStatus.SEND_OK, joined, joined, none, 0);
        if (ids.size() == 1) {
            result.setRecallHandle(joined);
        }
        return result;
    }

    private void throwFirst(List<PushResult> failed) throws MQClientException, RemotingException {
        DelayClientException first = failed.get(0).failure().orElseThrow();
        DelayClientException shown = messages.size() == 1
                ? first
                : first.about(failed.size() + " of " + messages.size()
                        + " messages were not taken (another send of the whole batch repeats the others), the first is "
                        + failed.get(0).id());
        Exception failure = Refusals.of(shown);
        if (failure instanceof RemotingException unanswered) {
            throw unanswered;
        }
        throw (MQClientException) failure;
    }

    private void count(Exception failure) {
        if (failure instanceof RemotingException) {
            sends.counts().unanswered(messages.size());
        } else {
            sends.counts().refused(messages.size());
        }
    }

    private Calls prepared() throws MQClientException {
        checkProducer();
        List<io.mykit.delay.client.Message> pushes = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            Validators.checkMessage(message, producer);
            String id = message.getProperty(UNIQUE_KEY);
            // An id that is in flight was sent by another call: this one means another message.
            if (id == null || sends.inFlight().has(id)) {
                id = MessageClientIDSetter.createUniqID();
                MessageAccessor.putProperty(message, UNIQUE_KEY, id);
            }
            ids.add(id);
            pushes.add(Pushes.of(producer, message, dueTimes.get(i)));
        }
        return new Calls(pushes);
    }

    @SuppressWarnings("deprecation")
    private void checkProducer() throws MQClientException {
        ServiceState state = producer.getDefaultMQProducerImpl().getServiceState();
        if (state != ServiceState.RUNNING) {
            throw new MQClientException("The producer service state not OK, " + state, null);
        }
        if (producer.getNamespaceV2() != null && !producer.getNamespaceV2().isEmpty()) {
            throw Refusals.of("mykit-delay cannot keep namespaceV2 of a delayed message; use the namespace", null);
        }
    }

    /** The pushes, before they are made. */
    private final class Calls {
        private final List<io.mykit.delay.client.Message> pushes;

        Calls(List<io.mykit.delay.client.Message> pushes) {
            this.pushes = pushes;
        }

        Answers begin(long timeoutMs) {
            var client = sends.patient(timeoutMs).async();
            if (pushes.size() > 1) {
                CompletableFuture<List<PushResult>> request = client.pushAll(pushes);
                return new Answers(request, request.thenApply(results -> results));
            }
            CompletableFuture<PushResult> request = client.push(pushes.get(0), Duration.ZERO);
            return new Answers(request, request.thenApply(List::of));
        }
    }

    /** @param request whose cancel ends it */
    private record Answers(CompletableFuture<?> request, CompletableFuture<List<PushResult>> results) {
        /** Does nothing if the request has ended. */
        void abandon() {
            request.cancel(true);
        }
    }
}
