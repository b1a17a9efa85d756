package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.mykit.delay.channel.Delivery;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SendFaultsTest {
    @Test
    void aMessageThatIsTooLargeIsRefused() {
        Throwable rabbitMq = channelClosed(
                406, "PRECONDITION_FAILED - message size 2000000 is larger than configured max size 1000000");
        Throwable qpid = channelClosed(311, "Message size of 2000000 greater than allowed maximum of 1000000");

        assertThat(SendFaults.ofMessage(rabbitMq))
                .contains(Delivery.refused("RabbitMQ: 406 PRECONDITION_FAILED - message size 2000000 is larger than"
                        + " configured max size 1000000"));
        assertThat(SendFaults.ofMessage(qpid).orElseThrow().kind()).isEqualTo(Delivery.Kind.REFUSED);
        assertThat(SendFaults.ofMessage(new AlreadyClosedException((ShutdownSignalException) rabbitMq)))
                .isPresent();
    }

    @Test
    void anotherClosedChannelIsUnclear() {
        assertThat(SendFaults.ofMessage(channelClosed(406, "PRECONDITION_FAILED - invalid expiration")))
                .map(Delivery::kind)
                .contains(Delivery.Kind.UNCLEAR);
    }

    @Test
    void theExchangeAndTheAccountAreNoFaultOfAMessage() {
        for (int code : new int[] {403, 404}) {
            assertThat(SendFaults.ofMessage(channelClosed(code, "no"))).isEmpty();
            assertThat(SendFaults.isRefusal(channelClosed(code, "no"))).isTrue();
        }
    }

    @Test
    void aLostConnectionIsNoFaultOfAMessage() {
        Throwable closed = new ShutdownSignalException(true, false, connectionClose(), null);
        Throwable own = new ShutdownSignalException(false, true, channelClose(406, "larger than"), null);
        for (Throwable loss : new Throwable[] {closed, own, new IOException("Broken pipe")}) {
            assertThat(SendFaults.ofMessage(loss)).isEmpty();
            assertThat(SendFaults.isRefusal(loss)).isFalse();
        }
    }

    @Test
    void reasonsAreReadable() {
        assertThat(SendFaults.reason(channelClosed(404, "NOT_FOUND - no exchange 'x' in vhost '/'")))
                .isEqualTo("the broker closed the channel: 404 NOT_FOUND - no exchange 'x' in vhost '/'");
        assertThat(SendFaults.reason(
                        new IOException(new ShutdownSignalException(true, false, connectionClose(), null))))
                .isEqualTo("the broker closed the connection: 320 CONNECTION_FORCED");
        ShutdownSignalException lost = new ShutdownSignalException(true, false, null, null);
        lost.initCause(new IOException("reset"));
        assertThat(SendFaults.reason(lost)).isEqualTo("IOException: reset");
        assertThat(SendFaults.reason(new IOException("Broken pipe"))).isEqualTo("IOException: Broken pipe");
    }

    private static Throwable channelClosed(int code, String text) {
        return new ShutdownSignalException(false, false, channelClose(code, text), null);
    }

    private static Method channelClose(int code, String text) {
        return new AMQP.Channel.Close.Builder()
                .replyCode(code)
                .replyText(text)
                .classId(60)
                .methodId(40)
                .build();
    }

    private static Method connectionClose() {
        return new AMQP.Connection.Close.Builder()
                .replyCode(320)
                .replyText("CONNECTION_FORCED")
                .classId(0)
                .methodId(0)
                .build();
    }
}
