package io.mykit.delay.channel.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendFaultsTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                ResponseCode.SYSTEM_BUSY,
                ResponseCode.FLOW_CONTROL,
                ResponseCode.NO_PERMISSION,
                ResponseCode.TOPIC_NOT_EXIST,
                ResponseCode.SERVICE_NOT_AVAILABLE
            })
    void isTheBrokersOrTopicsFault(int code) {
        assertThat(SendFaults.ofMessage(new MQBrokerException(code, "x"))).isEmpty();
        assertThat(SendFaults.ofMessage(new MQClientException("x", new MQBrokerException(code, "x"))))
                .isEmpty();
    }

    @Test
    void isTheWaysFault() {
        assertThat(SendFaults.ofMessage(new RemotingConnectException("127.0.0.1:1")))
                .isEmpty();
        assertThat(SendFaults.ofMessage(new RemotingTimeoutException("x"))).isEmpty();
        assertThat(SendFaults.ofMessage(new RemotingTooMuchRequestException("x")))
                .isEmpty();
        assertThat(SendFaults.ofMessage(new MQClientException("no route", null)))
                .isEmpty();
        assertThat(SendFaults.ofMessage(new IllegalStateException(new RemotingConnectException("x"))))
                .isEmpty();
    }

    @Test
    void isTheMessagesFault() {
        assertThat(SendFaults.ofMessage(new MQBrokerException(ResponseCode.MESSAGE_ILLEGAL, "too big")))
                .hasValueSatisfying(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.REFUSED));
        assertThat(SendFaults.ofMessage(new MQClientException(ResponseCode.MESSAGE_ILLEGAL, "too big")))
                .hasValueSatisfying(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.REFUSED));
        assertThat(SendFaults.ofMessage(new MQBrokerException(ResponseCode.SUBSCRIPTION_NOT_EXIST, null)))
                .hasValueSatisfying(fate -> assertThat(fate.kind()).isEqualTo(Delivery.Kind.FAILED));
    }

    @Test
    void isUnclear() {
        assertThat(SendFaults.ofMessage(new MQClientException(
                        "x", new MQBrokerException(ResponseCode.SYSTEM_ERROR, "in-sync replicas"))))
                .contains(Delivery.unclear("RocketMQ: in-sync replicas (code 1)"));
    }

    @Test
    void tellsOfAMissingPermission() {
        assertThat(SendFaults.ofPermission(new MQClientException(
                        "x", new MQBrokerException(ResponseCode.NO_PERMISSION, "check signature failed."))))
                .hasValueSatisfying(why ->
                        assertThat(why).contains("check signature failed", "rocketmq.access-key", ".secret-key"));
        assertThat(SendFaults.ofPermission(new MQBrokerException(ResponseCode.SYSTEM_BUSY, "x")))
                .isEmpty();
    }
}
