package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NamespaceColumns;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import io.mykit.delay.queue.store.TokenStore;
import io.mykit.delay.test.fault.network.CommitProxy;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A COMMIT whose answer is lost, on a MySQL that goes on. */
@Tag("long")
class CommitInDoubtIT {
    private CommitProxy proxy;
    private MessageStore store;

    @BeforeEach
    void open() {
        MySqlServer server = SharedServers.mysql();
        proxy = new CommitProxy(server.port());
        String url = proxy.through(server.freshDatabase("commit_in_doubt"));
        store = StoreFixture.open(TestDatasource.of(url, DatabaseServer.USER).with(Duration.ofSeconds(2)));
        // The first push of a thread has a transaction of its own, for its author.
        store.insert(List.of(fresh("first")));
    }

    @AfterEach
    void close() {
        store.close();
        proxy.close();
    }

    @Test
    void whatWasDoneIsFoundOut() {
        lose(() -> assertThat(store.insert(List.of(fresh("a"), fresh("b"))))
                .extracting(InsertResult::kind)
                .containsOnly(InsertResult.Kind.SAME));
        lose(() -> assertThat(store.move(List.of(move("a", DELAY, READY)))).isEmpty());
        lose(() -> assertThat(store.rewrite(message("b", "new").asVersion(1), move("b", DELAY, DELAY)))
                .isTrue());
        assertThat(store.nextEpoch("q", 1)).isEqualTo(1);
        lose(() -> assertThat(store.nextEpoch("q", 1)).isEqualTo(3));

        assertThat(store.flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, READY);
        assertThat(store.flow("b")).extracting(StatusFlow::to).containsExactly(DELAY, DELAY);
        assertThat(store.find("b").orElseThrow().message())
                .isEqualTo(message("b", "new").asVersion(1));
    }

    @Test
    void whatWasRemovedIsToldAsRemoved() {
        TokenStore tokens = store.tokens();
        tokens.add(new StoredToken(
                "0".repeat(64), "AAAAAAAAAAAA", "shop", "producer", "", 1, "operator", null, false, null, 0, 0));
        assertThat(tokens.add(new StoredNamespace("shop", "", 1, "operator", 0, 0, 0, 0, 0)))
                .isTrue();
        lose(() -> assertThat(tokens.change("AAAAAAAAAAAA", new TokenColumns(null, null, null, true, null, null)))
                .isPresent());
        lose(() -> assertThat(tokens.changeNamespace("shop", new NamespaceColumns(null, 5, null, null, null, null)))
                .isPresent());
        lose(() -> assertThat(tokens.remove("AAAAAAAAAAAA")).isTrue());
        lose(() -> assertThat(tokens.removeNamespace("shop")).isTrue());
        assertThat(tokens.tokens(1)).isEmpty();
        assertThat(tokens.namespaces(1)).isEmpty();
        assertThat(tokens.remove("AAAAAAAAAAAA")).isFalse();
    }

    /** The rows that it wrote stay locked: it is waited for. */
    @Test
    void whatIsDoneLaterCannotBeKnownAndTheSameAgainIsSafe() {
        store.insert(List.of(fresh("cancelled"), fresh("replaced")));
        unknown(() -> store.insert(List.of(fresh("pushed"))));
        await().untilAsserted(() -> assertThat(store.find("pushed")).isPresent());
        assertThat(store.insert(List.of(fresh("pushed"))))
                .extracting(InsertResult::kind)
                .containsExactly(InsertResult.Kind.SAME);

        unknown(() -> store.move(List.of(move("cancelled", DELAY, DELETE))));
        await().untilAsserted(() -> assertThat(store.states(List.of("cancelled")))
                .extracting(RowState::status)
                .containsExactly(DELETE));
        assertThat(store.flow("cancelled")).hasSize(2);

        unknown(() -> store.rewrite(message("replaced", "new").asVersion(1), move("replaced", DELAY, DELAY)));
        await().untilAsserted(() -> assertThat(store.states(List.of("replaced")))
                .extracting(RowState::version)
                .containsExactly(1));
        assertThat(store.rewrite(message("replaced", "other").asVersion(1), move("replaced", DELAY, DELAY)))
                .isFalse();
    }

    private void lose(Runnable call) {
        proxy.loseNextAnswer();
        call.run();
        assertThat(proxy.hasLost()).isTrue();
    }

    private void unknown(ThrowingCallable call) {
        proxy.holdNextCommit();
        assertThatThrownBy(call).isInstanceOf(StoreInDoubtException.class);
        proxy.letGo();
    }
}
