package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    @Test
    void threadsHaveTheirNameAndKeepNoJvmAlive() {
        Thread thread = Threads.daemon("audit", () -> {});
        assertThat(thread.getName()).isEqualTo("audit");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void numberedThreadsCanBeToldApart() {
        ThreadFactory threads = Threads.numbered("http");
        assertThat(threads.newThread(() -> {}).getName()).isEqualTo("http-1");
        assertThat(threads.newThread(() -> {}).getName()).isEqualTo("http-2");
        assertThat(Threads.named("replace").newThread(() -> {}).getName()).isEqualTo("replace");
    }
}
