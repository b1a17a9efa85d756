package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.client.jms.DelayConnectionFactory;
import io.mykit.delay.client.jms.DelayedSendException;
import io.mykit.delay.client.jms.DelayedSendListener;
import io.mykit.delay.client.jms.DelayedSender;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.example.OrderTimeouts;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DelayServer;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** JMS programs on an ActiveMQ broker without its scheduler, with a packaged server: directly, and through the connection factory. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JmsProducerIT {
    private static final long PATIENCE_MS = 60_000;
    private static final long DELAY_MS = 200;
    private static final long LONG_MS = 3_600_000;
    private static final int MIB = 1 << 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path dir;

    private final List<String> outcomes = new CopyOnWriteArrayList<>();
    private ActiveMqServer activeMq;
    private DelayServer server;
    private DelayClient client;
    private ConnectionFactory direct;
    private ConnectionFactory delayed;
    private Connection consumers;
    private Session session;
    private int queues;

    /** What a program does with its session. */
    @FunctionalInterface
    private interface Make {
        Message in(Session session) throws JMSException;
    }

    @BeforeAll
    void startServers() {
        activeMq = ActiveMqServer.start(dir.resolve("activemq"));
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of(
                        "delivery.default-channel",
                        "activemq",
                        "activemq.broker-url",
                        activeMq.url(),
                        "http.max-body-size",
                        Integer.toString(4 * MIB),
                        "delivery.topics.pulled",
                        "pull"));
        client = DelayClient.builder().endpoint(server.url()).build();
        direct = new ActiveMQConnectionFactory(activeMq.url());
        DelayedSendListener told = (destination, outcome) -> outcomes.add(outcome + " " + destination);
        delayed = new DelayConnectionFactory(direct, DelayedSender.to(client), told);
    }

    @BeforeEach
    void connect() throws JMSException {
        outcomes.clear();
        consumers = direct.createConnection();
        consumers.start();
        session = consumers.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    @AfterEach
    void disconnect() throws JMSException {
        consumers.close();
    }

    @AfterAll
    void stopServers() {
        server.close();
        activeMq.close();
    }

    @Test
    void consumersSeeTheSameMessages() throws JMSException {
        Map<String, Make> programs = programs();
        List<SeenMessage> wanted = new ArrayList<>();
        List<SeenMessage> seen = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (Make program : programs.values()) {
            wanted.add(arrival(direct, program, 0, ids));
        }
        ids.clear();
        for (Make program : programs.values()) {
            seen.add(arrival(delayed, program, DELAY_MS, ids));
        }
        List<String> names = List.copyOf(programs.keySet());
        for (int i = 0; i < names.size(); i++) {
            assertThat(seen.get(i)).as(names.get(i)).isEqualTo(wanted.get(i));
        }
        assertThat(ids).as("JMSMessageID of producer and consumer").hasSize(2 * names.size());
        for (int i = 0; i < ids.size(); i += 2) {
            assertThat(ids.get(i)).startsWith("ID:").isEqualTo(ids.get(i + 1));
        }
    }

    private SeenMessage arrival(ConnectionFactory factory, Make program, long delayMs, List<String> ids)
            throws JMSException {
        try (Connection connection = factory.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Destination destination = queue();
            MessageProducer producer = sending.createProducer(null);
            if (delayMs > 0) {
                producer.setDeliveryDelay(delayMs);
            }
            Message message = program.in(sending);
            producer.send(destination, message);
            ids.add(message.getJMSMessageID());
            Message received = received(destination);
            ids.add(received.getJMSMessageID());
            return SeenMessage.of(received);
        }
    }

    private static Map<String, Make> programs() {
        Map<String, Make> programs = new LinkedHashMap<>();
        programs.put("text", session -> session.createTextMessage("order 4711"));
        programs.put("empty text", session -> session.createTextMessage(""));
        programs.put("no text", Session::createTextMessage);
        programs.put("no body", Session::createMessage);
        programs.put("any text", session -> session.createTextMessage(" \u0000\r\n\t\u4e2d\u00e9\uD83D\uDE00 "));
        programs.put("text of 1 MiB", session -> session.createTextMessage("x\u4e2d\"\n".repeat(MIB / 6)));
        programs.put("no bytes", Session::createBytesMessage);
        programs.put("bytes", session -> bytes(session, 256));
        programs.put("bytes that were read", session -> {
            BytesMessage message = bytes(session, 10);
            message.reset();
            return message;
        });
        programs.put("bytes of 1 MiB", session -> bytes(session, MIB));
        programs.put("properties", session -> {
            TextMessage message = session.createTextMessage("p");
            message.setBooleanProperty("flag", true);
            message.setByteProperty("aByte", Byte.MIN_VALUE);
            message.setShortProperty("aShort", Short.MAX_VALUE);
            message.setIntProperty("anInt", Integer.MIN_VALUE);
            message.setLongProperty("aLong", Long.MAX_VALUE);
            message.setFloatProperty("aFloat", Float.MIN_VALUE);
            message.setDoubleProperty("aDouble", Math.PI);
            message.setDoubleProperty("noNumber", Double.NaN);
            message.setStringProperty("aString", "\u4e2d\u00e9 \"x\"\n ");
            message.setStringProperty("AString", "the case of names");
            message.setStringProperty("empty", "");
            message.setObjectProperty("nothing", null);
            message.setStringProperty("$_\u4e2d", "a Java identifier");
            message.setStringProperty("host", "h");
            message.setStringProperty("id", "of the program");
            message.setLongProperty("dueTime", 7);
            message.setStringProperty("long", "v".repeat(8000));
            return message;
        });
        programs.put("fields", session -> {
            BytesMessage message = bytes(session, 3);
            message.setJMSType("cancel \u4e2d");
            message.setJMSCorrelationID("order-4711");
            message.setStringProperty("JMSXGroupID", "customer-7");
            message.setIntProperty("JMSXGroupSeq", 3);
            return message;
        });
        programs.put("odd fields", session -> {
            TextMessage message = session.createTextMessage("o");
            message.setJMSType("");
            message.setJMSCorrelationID(" " + "c".repeat(300));
            return message;
        });
        return programs;
    }

    private static BytesMessage bytes(Session session, int length) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        for (int i = 0; i < length; i++) {
            message.writeByte((byte) i);
        }
        return message;
    }

    @Test
    void theWaysOfSendingAreTheSame() throws JMSException {
        List<SeenMessage> wanted = sentInManyWays(direct, 0);
        List<SeenMessage> seen = sentInManyWays(delayed, DELAY_MS);
        assertThat(seen).isEqualTo(wanted).hasSize(5);
        assertThat(outcomes).hasSize(5).allSatisfy(outcome -> assertThat(outcome)
                .startsWith("ACCEPTED jms-"));
    }

    private List<SeenMessage> sentInManyWays(ConnectionFactory factory, long delayMs) throws JMSException {
        List<SeenMessage> seen = new ArrayList<>();
        Queue queue = queue();
        try (Connection connection = factory.createConnection();
                JMSContext context = factory.createContext()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = sending.createProducer(queue);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.setPriority(1);
            producer.setTimeToLive(45_678);
            setDelay(producer, delayMs);
            producer.send(sending.createTextMessage("of the producer"));
            seen.add(SeenMessage.of(received(queue)));
            producer.send(sending.createTextMessage("of the send"), DeliveryMode.PERSISTENT, 9, 0);
            seen.add(SeenMessage.of(received(queue)));

            var topic = sending.createTopic(queue.getQueueName());
            try (MessageConsumer subscriber = session.createConsumer(topic)) {
                MessageProducer publisher = sending.createProducer(topic);
                setDelay(publisher, delayMs);
                publisher.send(sending.createTextMessage("to a topic"));
                seen.add(SeenMessage.of(subscriber.receive(PATIENCE_MS)));
            }

            JMSProducer simple = context.createProducer()
                    .setPriority(7)
                    .setTimeToLive(99_999)
                    .setJMSType("t")
                    .setJMSCorrelationID("c")
                    .setProperty("number", 5)
                    .setProperty("text", "x");
            if (delayMs > 0) {
                assertThat(simple.setDeliveryDelay(delayMs).getDeliveryDelay()).isEqualTo(delayMs);
            }
            simple.send(queue, "by the simple API");
            seen.add(SeenMessage.of(received(queue)));
            simple.send(queue, new byte[] {1, 2});
            seen.add(SeenMessage.of(received(queue)));
        }
        return seen;
    }

    private static void setDelay(MessageProducer producer, long delayMs) throws JMSException {
        if (delayMs > 0) {
            producer.setDeliveryDelay(delayMs);
        }
    }

    @Test
    void thePropertyOfActiveMqDelaysAndIsGone() throws JMSException {
        Queue queue = queue();
        try (Connection connection = delayed.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            TextMessage message = sending.createTextMessage("later");
            message.setLongProperty("AMQ_SCHEDULED_DELAY", 5_000);
            message.setStringProperty("other", "x");
            MessageProducer producer = sending.createProducer(queue);
            long sentMs = System.currentTimeMillis();
            producer.send(message);
            producer.send(sending.createTextMessage("at once"));

            assertThat(((TextMessage) received(queue)).getText()).isEqualTo("at once");
            Message later = received(queue);
            assertThat(System.currentTimeMillis() - sentMs).isGreaterThanOrEqualTo(5_000);
            assertThat(SeenMessage.of(later).properties()).containsOnlyKeys("other", "JMSXDeliveryCount");
            assertThat(message.getJMSDeliveryTime()).isGreaterThanOrEqualTo(sentMs + 5_000);

            message.setStringProperty("AMQ_SCHEDULED_DELAY", "0");
            producer.send(message);
            assertThat(received(queue).getStringProperty("other")).isEqualTo("x");
            assertThat(outcomes).containsExactly("ACCEPTED " + queue.getQueueName());
        }
    }

    @Test
    void aDelayedMessageIsFoundAndCancelledByItsId() throws JMSException {
        Queue queue = queue();
        try (Connection connection = delayed.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = sending.createProducer(queue);
            producer.setDeliveryDelay(LONG_MS);
            TextMessage message = sending.createTextMessage("x");
            message.setJMSCorrelationID("order-" + queue.getQueueName());
            producer.send(message);
            String id = message.getJMSMessageID().substring("ID:".length());
            assertThat(client.find(id).orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
            assertThat(client.ofKey(queue.getQueueName(), message.getJMSCorrelationID())
                            .cancel())
                    .extracting(result -> result.id())
                    .containsExactly(id);
            assertThat(client.cancel(id)).as("once more").isEqualTo(CancelResult.CANCELLED);
        }
    }

    @Test
    void aTransactionPushesAfterItsCommitAndNeverAfterARollback() throws JMSException {
        Queue queue = queue();
        try (Connection connection = delayed.createConnection()) {
            Session sending = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = sending.createProducer(queue);
            producer.send(sending.createTextMessage("rolled back"));
            producer.setDeliveryDelay(DELAY_MS);
            TextMessage rolledBack = sending.createTextMessage("rolled back");
            producer.send(rolledBack);
            assertThat(find(rolledBack)).isEmpty();
            sending.rollback();
            sending.commit();
            assertThat(find(rolledBack)).isEmpty();

            List<TextMessage> batch = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                TextMessage message = sending.createTextMessage("committed " + i);
                batch.add(message);
                producer.send(message);
                assertThat(find(message)).isEmpty();
            }
            producer.setDeliveryDelay(0);
            producer.send(sending.createTextMessage("at once"));
            sending.commit();
            for (TextMessage message : batch) {
                assertThat(find(message)).isPresent();
            }
            List<String> texts = new ArrayList<>();
            for (int i = 0; i <= batch.size(); i++) {
                texts.add(((TextMessage) received(queue)).getText());
            }
            assertThat(texts).startsWith("at once").hasSize(21).doesNotContain("rolled back");

            producer.setDeliveryDelay(DELAY_MS);
            TextMessage closed = sending.createTextMessage("closed");
            producer.send(closed);
            sending.close();
            assertThat(find(closed)).isEmpty();
        }
        try (JMSContext context = delayed.createContext(JMSContext.SESSION_TRANSACTED)) {
            TextMessage message = context.createTextMessage("c");
            context.createProducer().setDeliveryDelay(LONG_MS).send(queue, message);
            assertThat(find(message)).isEmpty();
            context.commit();
            assertThat(find(message)).isPresent();
        }
    }

    private Optional<?> find(Message message) throws JMSException {
        return client.find(message.getJMSMessageID().substring("ID:".length()));
    }

    @Test
    void completionListenersAreToldInOrderAndByAnotherThread() throws Exception {
        Queue queue = queue();
        List<String> told = new CopyOnWriteArrayList<>();
        try (Connection connection = delayed.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = sending.createProducer(queue);
            producer.setDeliveryDelay(DELAY_MS);
            for (int i = 0; i < 50; i++) {
                TextMessage message = sending.createTextMessage("" + i);
                producer.send(message, listener(told, Thread.currentThread(), null));
            }
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            TextMessage refused = sending.createTextMessage("r");
            refused.setStringProperty("JMSXGroupID", "g".repeat(40_000));
            producer.send(refused, listener(told, Thread.currentThread(), () -> {
                try {
                    sending.close();
                } catch (JMSException e) {
                    thrown.complete(e);
                }
            }));
            sending.close();
            assertThat(told).hasSize(51).startsWith("0", "1", "2").endsWith("49", "r failed: INVALID_REQUEST");
            assertThat(thrown.get(1, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        }
        try (JMSContext context = delayed.createContext()) {
            context.createProducer()
                    .setDeliveryDelay(DELAY_MS)
                    .setAsync(listener(told, Thread.currentThread(), null))
                    .send(queue, "simple");
            await().until(() -> told.contains("simple"));
        }
        for (int i = 0; i < 51; i++) {
            assertThat(received(queue)).isNotNull();
        }
    }

    private static CompletionListener listener(List<String> told, Thread sender, Runnable then) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                told.add(Thread.currentThread() == sender ? "on the thread of the sender" : text(message));
            }

            @Override
            public void onException(Message message, Exception exception) {
                then.run();
                told.add(text(message) + " failed: " + ((JMSException) exception).getErrorCode());
            }
        };
    }

    private static String text(Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theOldInterfacesOfQueuesWork() throws JMSException {
        Queue queue = queue();
        try (QueueConnection connection = ((DelayConnectionFactory) delayed).createQueueConnection()) {
            QueueSession sending = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            var sender = sending.createSender(queue);
            sender.setDeliveryDelay(DELAY_MS);
            sender.send(sending.createTextMessage("x"));
            assertThat(((TextMessage) received(queue)).getText()).isEqualTo("x");
            assertThat(connection.equals(connection)).isTrue();
            assertThat(connection.equals(sending)).isFalse();
        }
        assertThat(outcomes).hasSize(1);
    }

    @Test
    void whatCannotBeKeptIsRefusedByNameAndNeverSent() throws JMSException {
        Queue queue = queue();
        try (Connection connection = delayed.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Map<Make, String> refused = new LinkedHashMap<>();
            refused.put(Session::createMapMessage, "A delayed MapMessage is not possible");
            refused.put(Session::createStreamMessage, "A delayed StreamMessage is not possible");
            refused.put(in -> in.createObjectMessage("x"), "A delayed ObjectMessage is not possible");
            refused.put(replyTo(), "The message has the JMSReplyTo queue://answers");
            refused.put(with("AMQ_SCHEDULED_CRON", "0 * * * *"), "The message has the property AMQ_SCHEDULED_CRON");
            refused.put(with("AMQ_SCHEDULED_PERIOD", 5L), "The message has the property AMQ_SCHEDULED_PERIOD");
            refused.put(with("AMQ_SCHEDULED_REPEAT", 5), "The message has the property AMQ_SCHEDULED_REPEAT");
            refused.put(with("AMQ_SCHEDULED_DELAY", 5L), "AMQ_SCHEDULED_DELAY, and its producer has a deliveryDelay");
            refused.put(with("list", List.of(1)), "The property list is a ");
            refused.put(with("c", 'c'), "The property c is a Character, and JMS knows booleans, numbers and strings");
            refused.put(with("a,b", 1), "The name of the property a,b has a comma");
            refused.put(with("JMSVendor", "x"), "headers.JMSVendor is reserved");
            refused.put(with("big", "v".repeat(70_000)), "headers is longer than");
            MessageProducer producer = sending.createProducer(queue);
            producer.setDeliveryDelay(DELAY_MS);
            refused.forEach((program, reason) -> assertThatThrownBy(() -> producer.send(program.in(sending)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining(reason));
            assertThat(outcomes).hasSize(refused.size()).allMatch(outcome -> outcome.startsWith("REFUSED"));

            assertThatThrownBy(() -> producer.setDeliveryDelay(-1))
                    .hasMessageContaining("deliveryDelay = -1 is negative");
            producer.setDeliveryDelay(0);
            assertThatThrownBy(() -> producer.send(
                            with("AMQ_SCHEDULED_CRON", "* * * * *").in(sending)))
                    .hasMessageContaining("AMQ_SCHEDULED_CRON");

            MessageProducer anonymous = sending.createProducer(null);
            anonymous.setDeliveryDelay(DELAY_MS);
            Message text = sending.createTextMessage("x");
            assertThatThrownBy(() -> anonymous.send(sending.createTemporaryQueue(), text))
                    .hasMessageContaining("is temporary");
            assertThatThrownBy(() -> anonymous.send(sending.createTemporaryTopic(), text))
                    .hasMessageContaining("is temporary");
            assertThatThrownBy(() -> anonymous.send(null, text)).hasMessageContaining("The destination is null");
            assertThatThrownBy(() -> anonymous.send(text)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> anonymous.send(sending.createQueue("a,b"), text))
                    .hasMessageContaining("cannot contain ,");
            // A topic whose messages do not go to ActiveMQ.
            DelayedSendException elsewhere = catchThrowableOfType(
                    DelayedSendException.class, () -> anonymous.send(sending.createQueue("pulled"), text));
            assertThat(elsewhere).hasMessageContaining("target is not allowed here");
            assertThat(elsewhere.getErrorCode()).isEqualTo("INVALID_REQUEST");
        }
        try (JMSContext context = delayed.createContext()) {
            JMSProducer producer = context.createProducer().setDeliveryDelay(DELAY_MS);
            assertThatThrownBy(() -> producer.send(queue, Map.of("a", 1)))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("A delayed MapMessage is not possible");
            assertThatThrownBy(() -> producer.send(queue, Integer.valueOf(1)))
                    .hasMessageContaining("A delayed ObjectMessage is not possible");
            assertThatThrownBy(() -> producer.setDeliveryDelay(-1)).isInstanceOf(JMSRuntimeException.class);
            assertThatThrownBy(() -> context.createProducer()
                            .setProperty("AMQ_SCHEDULED_REPEAT", 1)
                            .send(queue, "x"))
                    .hasMessageContaining("AMQ_SCHEDULED_REPEAT");
            // Without a delay the broker has its say, and its kinds of messages.
            context.createProducer().send(queue, Map.of("a", 1));
            context.createProducer()
                    .setProperty("AMQ_SCHEDULED_DELAY", DELAY_MS)
                    .send(queue, "delayed");
        }
        assertThat(((MapMessage) received(queue)).getInt("a")).isEqualTo(1);
        assertThat(((TextMessage) received(queue)).getText()).isEqualTo("delayed");
        assertThatThrownBy(() -> new DelayConnectionFactory(new ActiveMQXAConnectionFactory(activeMq.url()), client))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is for XA");
    }

    private static Make with(String name, Object value) {
        return session -> {
            TextMessage message = session.createTextMessage("refused");
            message.setObjectProperty(name, value);
            return message;
        };
    }

    private static Make replyTo() {
        return session -> {
            TextMessage message = session.createTextMessage("refused");
            message.setJMSReplyTo(session.createQueue("answers"));
            return message;
        };
    }

    @Test
    void whileTheServerIsAwayTheProgramIsTold() throws JMSException {
        Queue queue = queue();
        DelayClient nobody = DelayClient.builder()
                .endpoint("http://127.0.0.1:1")
                .retryFor(Duration.ZERO)
                .build();
        ConnectionFactory away = new DelayConnectionFactory(
                direct, DelayedSender.to(nobody), (destination, outcome) -> outcomes.add(outcome.name()));
        DelayedSendException late;
        try (Connection connection = away.createConnection()) {
            Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = sending.createProducer(queue);
            producer.setDeliveryDelay(DELAY_MS);
            DelayedSendException failed = catchThrowableOfType(
                    DelayedSendException.class, () -> producer.send(sending.createTextMessage("f")));
            assertThat(failed)
                    .hasMessageContaining(
                            "was not pushed to mykit-delay: http://127.0.0.1:1: the connection was refused");
            assertThat(failed.getErrorCode()).isEqualTo("UNAVAILABLE");
            assertThat(failed.isCommitted()).isFalse();

            Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer inTransaction = transacted.createProducer(queue);
            inTransaction.send(transacted.createTextMessage("at once"));
            inTransaction.setDeliveryDelay(DELAY_MS);
            inTransaction.send(transacted.createTextMessage("late"));
            late = catchThrowableOfType(DelayedSendException.class, transacted::commit);
        }
        assertThat(late)
                .hasMessageContaining(
                        "The transaction is committed, but 1 of its 1 delayed messages were not pushed to mykit-delay");
        assertThat(late.isCommitted()).isTrue();
        assertThat(((TextMessage) received(queue)).getText()).isEqualTo("at once");
        assertThat(outcomes).containsExactly("UNANSWERED", "UNANSWERED");
        // As the exception says.
        assertThat(client.pushAll(late.unsent())).allMatch(PushResult::isAccepted);
        assertThat(((TextMessage) received(queue)).getText()).isEqualTo("late");
    }

    /** A sender that keeps messages in a table, for example. */
    @Test
    void anotherSenderTakesTheMessages() throws JMSException {
        List<io.mykit.delay.client.Message> table = new ArrayList<>();
        DelayedSender rows = messages -> {
            if (!table.isEmpty()) {
                throw new java.lang.IllegalStateException("the table is full");
            }
            table.addAll(messages);
            return CompletableFuture.completedFuture(messages.stream()
                    .map(message -> new PushResult(message.id(), Optional.empty()))
                    .toList());
        };
        Queue queue = queue();
        try (JMSContext context = new DelayConnectionFactory(direct, rows, DelayedSendListener.NONE).createContext()) {
            JMSProducer producer = context.createProducer().setDeliveryDelay(DELAY_MS);
            producer.send(queue, "x");
            assertThatThrownBy(() -> producer.send(queue, "y"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("the table is full")
                    .cause()
                    .isInstanceOf(DelayedSendException.class);
        }
        assertThat(client.pushAll(table)).allMatch(PushResult::isAccepted);
        assertThat(((TextMessage) received(queue)).getText()).isEqualTo("x");
    }

    @Test
    void theExampleOfThePageRuns() throws Exception {
        String program = Files.readString(Path.of(System.getProperty("mykit.delay.repo", ".."))
                        .resolve("mykit-delay-test/src/test/java/io/mykit/delay/test/example/OrderTimeouts.java"))
                .replaceFirst("package .*;\n\n", "");
        for (String page : List.of("docs/jms-producer.md", "docs/jms-producer.zh-CN.md")) {
            assertThat(Page.of(page).blocks()).as(page).contains(program);
        }
        OrderTimeouts.main(new String[] {activeMq.url(), server.url()});
        Message arrived = received(session.createQueue("orders"));
        assertThat(((TextMessage) arrived).getText()).isEqualTo("order 4711 was not paid");
        assertThat(arrived.getIntProperty("reminder")).isEqualTo(1);
    }

    private Queue queue() throws JMSException {
        return session.createQueue("jms-" + ++queues);
    }

    private Message received(Destination destination) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(destination)) {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message).as("a message of %s", destination).isNotNull();
            return message;
        }
    }
}
