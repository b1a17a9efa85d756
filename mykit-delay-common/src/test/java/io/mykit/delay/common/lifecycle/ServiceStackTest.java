package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceStackTest {
    private final List<String> calls = new ArrayList<>();
    private final ServiceStack stack = new ServiceStack();

    @Test
    void closesTheLastFirstAndOnce() {
        stack.start(part("store", false));
        stack.opened(() -> calls.add("close channel"));
        stack.start(part("http", false));

        stack.close();
        stack.close();

        assertThat(calls).containsExactly("start store", "start http", "close http", "close channel", "close store");
    }

    @Test
    void closesWhatCouldNotBeStarted() {
        stack.start(part("store", false));
        assertThatIllegalStateException().isThrownBy(() -> stack.start(part("http", true)));

        stack.close();

        assertThat(calls).containsExactly("start store", "start http", "close http", "close store");
    }

    @Test
    void aCloseThatFailsDoesNotKeepTheOthersOpen() {
        stack.opened(() -> calls.add("close store"));
        stack.opened(() -> {
            throw new IllegalStateException("on purpose");
        });

        stack.close();

        assertThat(calls).containsExactly("close store");
    }

    @Test
    void nothingIsStartedOnceClosed() {
        stack.close();

        assertThatIllegalStateException().isThrownBy(() -> stack.start(part("http", false)));
        assertThat(calls).isEmpty();
    }

    private Service part(String name, boolean fails) {
        return new Service() {
            @Override
            public void start() {
                calls.add("start " + name);
                if (fails) {
                    throw new IllegalStateException("on purpose");
                }
            }

            @Override
            public void close() {
                calls.add("close " + name);
            }
        };
    }
}
