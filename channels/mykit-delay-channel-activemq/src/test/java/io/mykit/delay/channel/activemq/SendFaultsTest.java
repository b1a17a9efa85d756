package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.io.IOException;
import org.apache.activemq.ConnectionFailedException;
import org.apache.activemq.MaxFrameSizeExceededException;
import org.apache.activemq.util.JMSExceptionSupport;
import org.junit.jupiter.api.Test;

class SendFaultsTest {
    @Test
    void isTheBrokersOrDestinationsFault() {
        assertThat(SendFaults.ofMessage(JMSExceptionSupport.create(new SecurityException("no"))))
                .isEmpty();
        assertThat(SendFaults.ofMessage(JMSExceptionSupport.create(new IOException("reset"))))
                .isEmpty();
        assertThat(SendFaults.ofMessage(new ResourceAllocationException("full")))
                .isEmpty();
        assertThat(SendFaults.ofMessage(new ConnectionFailedException())).isEmpty();
        assertThat(SendFaults.ofMessage(new InterruptedException())).isEmpty();
    }

    @Test
    void isTheMessagesFault() {
        assertThat(SendFaults.ofMessage(JMSExceptionSupport.create(new MaxFrameSizeExceededException("big"))))
                .hasValueSatisfying(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.REFUSED));
        assertThat(SendFaults.ofMessage(new JMSException("a plugin choked on it")))
                .hasValueSatisfying(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.FAILED));
    }
}
