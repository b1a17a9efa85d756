package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Shown;
import org.junit.jupiter.api.Test;

class ApartTest {
    private final History history = new History();

    private void arrived(String id, String topic, String body) {
        history.seen.add(new Seen(id, topic, body, DUE_MS, DUE_MS));
    }

    private void good() {
        history.shown.add(new Shown("red", "pull", ""));
        history.shown.add(new Shown("blue", "GET /topics", ""));
        arrived("red/t1", "red/orders", "mark of red, t1");
        arrived("blue/t1", "blue/orders", "mark of blue, t1");
        arrived("m1", "alpha", "body of m1");
    }

    @Test
    void eachTeamGetsItsOwn() {
        good();
        assertThat(new Apart().check(history.run())).isEmpty();
    }

    @Test
    void anAnswerWithAnothersMessage() {
        good();
        history.shown.add(new Shown("red", "pull", "mark of blue"));
        violated("red: pull showed mark of blue");
    }

    @Test
    void aMessageOnTheTopicOfAnother() {
        good();
        arrived("red/t2", "blue/orders", "mark of red, t2");
        violated("red/t2: arrived on blue/orders");
    }

    @Test
    void aBodyUnderTheIdOfAnother() {
        good();
        arrived("red/t2", "red/orders", "mark of blue, t2");
        violated("red/t2: arrived on red/orders");
    }

    @Test
    void aMessageOfATeamAmongThoseWithoutOne() {
        good();
        arrived("t2", "alpha", "mark of blue, t2");
        violated("t2: arrived on alpha");
    }

    @Test
    void aMessageOfNoTeamOnTheTopicOfOne() {
        good();
        arrived("m2", "red/orders", "body of m2");
        violated("m2: arrived on red/orders");
    }

    @Test
    void aTeamThatSawNothing() {
        history.shown.add(new Shown("red", "pull", ""));
        arrived("red/t1", "red/orders", "mark of red, t1");
        violated("blue: got no answer, or no message");
    }

    private void violated(String begin) {
        assertThat(new Apart().check(history.run())).singleElement().asString().startsWith(begin);
    }
}
