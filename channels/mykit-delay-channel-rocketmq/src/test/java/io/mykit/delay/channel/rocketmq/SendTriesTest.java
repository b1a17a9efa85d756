package io.mykit.delay.channel.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.hook.SendMessageContext;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;

class SendTriesTest {
    private final SendTries tries = new SendTries();

    @Test
    void nothingArrivesWithoutAConnectionOrAtABrokerThatRefuses() {
        assertThat(mayHaveArrived()).as("no try: there is no route").isFalse();
        assertThat(mayHaveArrived(new RemotingConnectException("127.0.0.1:1"))).isFalse();
        assertThat(mayHaveArrived(new RemotingTooMuchRequestException("no time is left")))
                .isFalse();
        assertThat(mayHaveArrived(new MQBrokerException(ResponseCode.NO_PERMISSION, "x")))
                .isFalse();
    }

    @Test
    void aMessageMayArriveOverAConnectionThatBreaks() {
        assertThat(mayHaveArrived(new RemotingSendRequestException("127.0.0.1:1")))
                .isTrue();
        assertThat(mayHaveArrived(new RemotingTimeoutException("x"))).isTrue();
        assertThat(mayHaveArrived(new MQBrokerException(ResponseCode.SYSTEM_ERROR, "x")))
                .isTrue();
        assertThat(mayHaveArrived(new InterruptedException())).isTrue();
    }

    /** The client reports the last failure only. */
    @Test
    void eachTryOfASendCounts() {
        assertThat(mayHaveArrived(new RemotingSendRequestException("a"), new RemotingConnectException("a")))
                .isTrue();
        assertThat(mayHaveArrived(new RemotingConnectException("a")))
                .as("the next send")
                .isFalse();
    }

    private boolean mayHaveArrived(Exception... failures) {
        tries.begin();
        for (Exception failure : failures) {
            SendMessageContext context = new SendMessageContext();
            context.setException(failure);
            tries.sendMessageAfter(context);
        }
        return tries.mayHaveArrived();
    }
}
