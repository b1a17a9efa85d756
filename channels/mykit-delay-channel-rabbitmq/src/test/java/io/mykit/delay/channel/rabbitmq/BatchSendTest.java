package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmCallback;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On a connection that is made of stubs. */
class BatchSendTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Each moment is late. */
    private static final Duration NO_PATIENCE = Duration.ZERO;

    private final Socket socket = new Socket();
    private final List<FakeChannel> channels = new ArrayList<>();
    private final Batch batch = new Batch(
            IntStream.range(0, 4)
                    .mapToObj(i -> new DelayMessage(Integer.toString(i), "orders", "", "", "b", 0, 0, 0, 0, 0))
                    .toList(),
            new ConfirmWindow(PATIENCE, System::nanoTime));

    /** What the broker does when a channel is opened, and when confirms are turned on. */
    private Step opening = () -> {};

    private Step confirming = () -> {};
    /** The close of the first channel is told when a later one takes the message 1. */
    private boolean tellsLate;
    /** The broker confirms each message, and blocks the connection then. */
    private boolean blocks;

    private BlockedCallback blocked;

    /** The message 0 closes the channel, and the client learns it between the messages 1 and 2. */
    @Test
    void theMessageThatMeetsAClosedChannelIsTriedOnTheNextOne() throws Exception {
        send(PATIENCE).run();

        List<Delivery> fates = batch.end("late");
        assertThat(fates.get(0).kind()).isEqualTo(Delivery.Kind.UNCLEAR);
        assertThat(fates.subList(1, 4)).containsOnly(Delivery.DELIVERED);
        assertThat(channels.get(0).published).containsExactly("0", "1");
    }

    /** The client tells its listeners after it lets no more calls through. */
    @Test
    void theCloseOfAChannelThatIsToldLateIsNotThatOfTheNextOne() throws Exception {
        tellsLate = true;
        send(PATIENCE).run();

        assertThat(batch.end("late").subList(1, 4)).containsOnly(Delivery.DELIVERED);
    }

    /** A broker that has blocked a connection does not read the close of a channel. */
    @Test
    void aBlockInTheMiddleOfABatchClosesNoChannel() throws Exception {
        blocks = true;
        send(PATIENCE).run();

        List<Delivery> fates = batch.end("late");
        assertThat(fates.get(0)).isEqualTo(Delivery.DELIVERED);
        assertThat(fates.subList(1, 4))
                .containsOnly(Delivery.notSent("the broker takes no messages now (connection.blocked): low on memory"));
        assertThat(channels).hasSize(1).noneMatch(channel -> channel.aborted);
        assertThat(channels.get(0).published).containsExactly("0");
    }

    @Test
    void aChannelWithoutConfirmsIsClosed() throws Exception {
        confirming = () -> {
            throw new IOException("no select-ok");
        };
        send(PATIENCE).run();

        assertThat(channels).hasSize(1).allMatch(channel -> channel.aborted);
        assertThat(socket.isClosed()).isFalse();
        assertThat(batch.end("late"))
                .allSatisfy(fate -> assertThat(fate.detail()).contains("no select-ok"))
                .allMatch(Delivery::unsent);
    }

    @Test
    void aBrokerThatOpensNoChannelInTimeIsCut() throws Exception {
        opening = () -> {
            throw new IOException("no open-ok");
        };
        send(NO_PATIENCE).run();

        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void aSendThatIsAbandonedWhileItsChannelOpensCutsTheBrokerAndKeepsNoChannel() throws Exception {
        BatchSend send = send(NO_PATIENCE);
        confirming = () -> {
            batch.end("late");
            send.abandon();
            assertThat(socket.isClosed()).isTrue();
        };
        send.run();

        assertThat(channels).hasSize(1).allMatch(channel -> channel.aborted && channel.published.isEmpty());
    }

    private BatchSend send(Duration patience) {
        RabbitMqSettings settings = new RabbitMqSettings(
                ChannelSettings.of(RabbitMqSettings.CHANNEL, RabbitMqSettings.keys(), Map.of(), PATIENCE));
        Connector connector = new Connector(
                new FakeFactory(), List.of(new Address("127.0.0.1", 1)), new ConnectFaults(settings), false);
        return new BatchSend(
                new LinkSource(connector, () -> {}),
                new MessageMapping(settings.exchanges(), settings.routingKeys()),
                batch,
                patience);
    }

    private interface Step {
        void run() throws IOException;
    }

    private final class FakeFactory extends ConnectionFactory {
        @Override
        public Connection newConnection(List<Address> addresses, String name) throws IOException {
            getSocketConfigurator().configure(socket);
            return stub(Connection.class, (method, args) -> switch (method) {
                case "createChannel" -> open();
                case "addBlockedListener" -> {
                    blocked = (BlockedCallback) args[0];
                    yield null;
                }
                case "isOpen" -> !socket.isClosed();
                case "getFrameMax" -> 0;
                default -> null;
            });
        }

        private Channel open() throws IOException {
            opening.run();
            FakeChannel channel = new FakeChannel(channels.isEmpty());
            channels.add(channel);
            return stub(Channel.class, channel);
        }
    }

    /** The first channel confirms nothing and is closed after two messages; each other one is closed because of the message 0. */
    private final class FakeChannel implements Calls {
        private final boolean first;
        private final List<String> published = new ArrayList<>();
        private ConfirmCallback confirms;
        private ShutdownListener listener;
        private boolean closed;
        private boolean aborted;

        FakeChannel(boolean first) {
            this.first = first;
        }

        @Override
        public Object answer(String method, Object[] args) throws IOException {
            switch (method) {
                case "addConfirmListener" -> confirms = (ConfirmCallback) args[0];
                case "addShutdownListener" -> listener = (ShutdownListener) args[0];
                case "confirmSelect" -> confirming.run();
                case "basicPublish" -> publish((AMQP.BasicProperties) args[3]);
                case "abort" -> aborted = true;
                case "isOpen" -> {
                    return !closed;
                }
                case "getNextPublishSeqNo" -> {
                    return published.size() + 1L;
                }
                default -> {
                    return null;
                }
            }
            return null;
        }

        private void publish(AMQP.BasicProperties properties) throws IOException {
            if (closed) {
                throw new AlreadyClosedException(closing());
            }
            published.add(properties.getMessageId());
            if (blocks) {
                confirms.handle(published.size(), false);
                blocked.handle("low on memory");
            } else if (first ? published.size() == 2 : properties.getMessageId().equals("0")) {
                closed = true;
                if (!first || !tellsLate) {
                    listener.shutdownCompleted(closing());
                }
            } else if (!first) {
                if (tellsLate && properties.getMessageId().equals("1")) {
                    channels.get(0).listener.shutdownCompleted(closing());
                }
                confirms.handle(published.size(), false);
            }
        }

        private static ShutdownSignalException closing() {
            AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                    .replyCode(AMQP.PRECONDITION_FAILED)
                    .replyText("PRECONDITION_FAILED - invalid")
                    .build();
            return new ShutdownSignalException(false, false, close, null);
        }
    }

    private interface Calls {
        Object answer(String method, Object[] args) throws IOException;
    }

    private static <T> T stub(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> calls.answer(method.getName(), args)));
    }
}
