package io.mykit.delay.test.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** The contract of each message store, with or without a database. */
interface StoreContract
        extends InsertContract,
                MoveContract,
                PageContract,
                RaceContract,
                ShapeContract,
                RemovalContract,
                DeadLetterContract,
                ResultContract,
                FlowLogContract,
                TimelineContract,
                ExtrasContract,
                TopicContract,
                AuditContract,
                TokenContract,
                SearchContract {

    @Test
    default void epochsOnlyGrow() {
        assertThat(store().nextEpoch("q", 5)).isEqualTo(5);
        assertThat(store().nextEpoch("q", 1)).isEqualTo(6);
        assertThat(store().nextEpoch("q", 6)).isEqualTo(7);
        assertThat(store().nextEpoch("q", 100)).isEqualTo(100);
        assertThat(store().nextEpoch("other", 1)).isEqualTo(1);
    }

    @Test
    default void isHealthy() {
        assertThat(store().name()).isEqualTo("store");
        await().until(() -> store().check().up());
    }
}
