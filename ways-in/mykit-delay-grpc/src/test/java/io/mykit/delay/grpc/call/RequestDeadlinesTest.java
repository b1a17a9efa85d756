package io.mykit.delay.grpc.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestDeadlinesTest {
    private final List<String> ended = new ArrayList<>();
    private long nanos;
    private final RequestDeadlines deadlines = new RequestDeadlines(() -> nanos);

    @Test
    void aCallWhoseRequestDoesNotComeEndsOnce() {
        RequestDeadlines.Incomplete hangs = () -> ended.add("hangs");
        RequestDeadlines.Incomplete comes = () -> ended.add("comes");
        deadlines.begun(hangs);
        deadlines.begun(comes);
        nanos = RequestDeadlines.BOUND.toNanos();
        deadlines.complete(comes);
        deadlines.look();
        assertThat(ended).isEmpty();
        nanos++;
        deadlines.look();
        deadlines.look();
        assertThat(ended).containsExactly("hangs");
    }
}
