package io.mykit.delay.queue.pull;

import static io.mykit.delay.queue.pull.Looks.Where.ALL;
import static io.mykit.delay.queue.pull.Looks.Where.NOTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LooksTest {
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private Runnable during = () -> {};
    private final Looks looks = new Looks(threads::add, (topic, where) -> {
        seen.add(topic + " " + where);
        during.run();
    });

    @Test
    void thoseThatAskTogetherShareALook() {
        looks.ask("a", NOTED);
        looks.ask("a", ALL);
        looks.ask("a", NOTED);
        looks.ask("b", NOTED);
        runAll();
        assertThat(seen).containsExactly("a ALL", "b NOTED");
    }

    @Test
    void thoseThatAskDuringALookShareTheNextOne() {
        during = () -> {
            during = () -> {};
            looks.ask("a", NOTED);
            looks.ask("a", NOTED);
            assertThat(threads).as("one look at a time").isEmpty();
        };
        looks.ask("a", ALL);
        runAll();
        assertThat(seen).containsExactly("a ALL", "a NOTED");
        looks.ask("a", NOTED);
        runAll();
        assertThat(seen).hasSize(3);
    }

    @Test
    void aLookThatFailsEndsNoOther() {
        during = () -> {
            during = () -> {};
            looks.ask("a", NOTED);
            throw new IllegalStateException("a defect");
        };
        looks.ask("a", ALL);
        runAll();
        assertThat(seen).containsExactly("a ALL", "a NOTED");
    }

    @Test
    void aNodeThatStopsLooksForNothing() {
        Looks stopping = new Looks(
                work -> {
                    throw new RejectedExecutionException();
                },
                (topic, where) -> seen.add(topic));
        stopping.ask("a", ALL);
        assertThat(seen).isEmpty();
    }

    @Test
    void aLookThatCouldNotBeginIsAskedForAgain() {
        Deque<Error> errors = new ArrayDeque<>(List.of(new OutOfMemoryError("no thread")));
        Looks failing = new Looks(
                work -> {
                    if (!errors.isEmpty()) {
                        throw errors.poll();
                    }
                    threads.add(work);
                },
                (topic, where) -> seen.add(topic + " " + where));
        assertThatThrownBy(() -> failing.ask("a", ALL)).isInstanceOf(OutOfMemoryError.class);
        failing.ask("a", NOTED);
        runAll();
        assertThat(seen).containsExactly("a NOTED");
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            try {
                threads.poll().run();
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage("a defect");
            }
        }
    }
}
