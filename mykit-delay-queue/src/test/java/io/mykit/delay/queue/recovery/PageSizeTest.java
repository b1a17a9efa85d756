package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageSizeTest {
    private final PageSize size = new PageSize(1000);

    @Test
    void growsUpToTheMost() {
        assertThat(size.next()).isEqualTo(PageSize.FIRST);
        size.read(page(50, 100));
        assertThat(size.next()).isEqualTo(200);
        size.read(page(200, 0));
        size.read(page(800, 100));
        assertThat(size.next()).isEqualTo(1000);
        size.restart();
        assertThat(size.next()).isEqualTo(PageSize.FIRST);
    }

    @Test
    void largeBodiesMakeSmallPages() {
        size.read(page(50, 1 << 20));
        assertThat(size.next()).isEqualTo(2);
        size.read(page(2, 16 << 20));
        assertThat(size.next()).as("one at least").isEqualTo(1);
        size.read(Collections.emptyList());
        assertThat(size.next()).isEqualTo(4);
    }

    @Test
    void neverMoreThanIsAllowed() {
        assertThat(new PageSize(10).next()).isEqualTo(10);
    }

    private static List<StoredMessage> page(int rows, int characters) {
        DelayMessage message = MessageBuilder.withId("id")
                .body("b".repeat(characters))
                .priority(5)
                .build();
        return Collections.nCopies(rows, new StoredMessage(message, MessageStatus.DELAY, 0, 0));
    }
}
