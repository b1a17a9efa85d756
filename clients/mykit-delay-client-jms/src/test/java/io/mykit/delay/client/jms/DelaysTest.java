package io.mykit.delay.client.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The delay of a message, whichever provider's it is: ActiveMQ itself takes only numbers. */
class DelaysTest {
    private static final String DELAY = "AMQ_SCHEDULED_DELAY";

    @Test
    void readsNumbersAndTextsOfNumbers() throws JMSException {
        for (Object value : new Object[] {5L, 5, (short) 5, (byte) 5, "5"}) {
            assertThat(Delays.of(message(DELAY, value), 0)).isEqualTo(5);
        }
        assertThat(Delays.of(message("other", 5), 7)).as("of the producer").isEqualTo(7);
        assertThat(Delays.of(null, 7)).as("the broker's client refuses it").isZero();
    }

    @Test
    void refusesWhatIsNoDelay() {
        for (Object value : new Object[] {"soon", "", "5s", " 5", 1.5, 1.5f, true, 'c'}) {
            assertThatThrownBy(() -> Delays.of(message(DELAY, value), 0))
                    .isInstanceOf(JMSException.class)
                    .hasMessage(
                            DELAY + " = " + value + " is no number of milliseconds: set it as a long, such as 60000");
        }
        assertThatThrownBy(() -> Delays.of(message(DELAY, null), 0)).hasMessageContaining("= null is no number");
        assertThatThrownBy(() -> Delays.of(message(DELAY, -1), 0)).hasMessageContaining("= -1 is negative");
        assertThatThrownBy(() -> Delays.of(message(DELAY, 1), 1)).hasMessageContaining("give one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AMQ_SCHEDULED_CRON", "AMQ_SCHEDULED_PERIOD", "AMQ_SCHEDULED_REPEAT"})
    void refusesWhatIsToBeRepeatedAlsoWithoutADelay(String name) {
        assertThatThrownBy(() -> Delays.of(message(name, 0), 0))
                .isInstanceOf(JMSException.class)
                .hasMessageStartingWith(
                        "The message has the property " + name + ", and mykit-delay delivers a message once");
    }

    /** A message of a provider that takes any value. */
    private static Message message(String property, Object value) {
        return (Message) Proxy.newProxyInstance(
                DelaysTest.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, method, arguments) -> {
                    boolean isThere = property.equals(arguments[0]);
                    return method.getName().equals("propertyExists") ? isThere : isThere ? value : null;
                });
    }
}
