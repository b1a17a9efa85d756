package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NamespaceColumns;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import org.junit.jupiter.api.Test;

/** Tokens and namespaces. */
interface TokenContract extends StoreUnderTest {
    @Test
    default void tokensComeBackAsTheyWereAdded() {
        StoredToken plain = token("BBBBBBBBBBBB", null, false, null);
        StoredToken full = new StoredToken(
                "f".repeat(64),
                "AAAAAAAAAAAA",
                "n".repeat(64),
                "producer,consumer,viewer,operator,admin",
                "é".repeat(StoredToken.MAX_DESCRIPTION),
                NOW,
                "c".repeat(StoredToken.MAX_CREATED_BY),
                NOW + 5,
                true,
                "2027-01-15",
                1_000_000,
                7);
        assertThat(store().tokens().add(plain)).isTrue();
        assertThat(store().tokens().add(full)).isTrue();
        assertThat(store().tokens().add(full)).as("again").isTrue();
        try (MessageStore other = open(FlowLog.FULL)) {
            assertThat(other.tokens().tokens(10)).containsExactly(full, plain);
            assertThat(other.tokens().tokens(1)).containsExactly(full);
        }
    }

    @Test
    default void aHashIsThatOfOneToken() {
        StoredToken first = token("AAAAAAAAAAAA", null, false, null);
        StoredToken second = new StoredToken(
                first.hash(), "BBBBBBBBBBBB", "other", "viewer", "", NOW, "operator", null, false, null, 0, 0);
        assertThat(store().tokens().add(first)).isTrue();
        assertThat(store().tokens().add(second)).isFalse();
        assertThat(store().tokens().tokens(10)).containsExactly(first);
    }

    @Test
    default void aTokenIsChangedAndRemovedByItsId() {
        StoredToken before = token("AAAAAAAAAAAA", NOW + 5, false, null);
        StoredToken other = token("BBBBBBBBBBBB", null, false, null);
        store().tokens().add(before);
        store().tokens().add(other);
        StoredToken after = new StoredToken(
                before.hash(), "AAAAAAAAAAAA", "shop", "viewer", "changed", NOW, "operator", NOW + 6, true, null, 5, 0);
        TokenColumns columns = new TokenColumns("viewer", "changed", NOW + 6, true, 5, null);
        assertThat(store().tokens().change("AAAAAAAAAAAA", columns)).contains(after);
        assertThat(store().tokens().change("AAAAAAAAAAAA", columns)).as("again").contains(after);
        assertThat(store().tokens().change("CCCCCCCCCCCC", columns)).isEmpty();
        assertThat(store().tokens().tokens(10)).containsExactly(after, other);
        assertThat(store().tokens().remove("AAAAAAAAAAAA")).isTrue();
        assertThat(store().tokens().remove("AAAAAAAAAAAA")).isFalse();
        assertThat(store().tokens().remove("bbbbbbbbbbbb")).as("other case").isFalse();
        assertThat(store().tokens().tokens(10)).containsExactly(other);
    }

    /** Otherwise a change of one column undoes the change of another that another node makes. */
    @Test
    default void aChangeWritesTheGivenColumnsAlone() {
        store().tokens().add(token("AAAAAAAAAAAA", NOW + 5, false, "2027-01-15"));
        store().tokens().change("AAAAAAAAAAAA", new TokenColumns(null, null, null, true, null, null));
        StoredToken disabled = token("AAAAAAAAAAAA", NOW + 5, true, "2027-01-15");
        assertThat(store().tokens().tokens(10)).containsExactly(disabled);
        store().tokens().change("AAAAAAAAAAAA", new TokenColumns(null, "changed", null, null, null, null));
        store().tokens().change("AAAAAAAAAAAA", new TokenColumns("viewer", null, null, null, null, 3));
        StoredToken after = new StoredToken(
                disabled.hash(),
                "AAAAAAAAAAAA",
                "shop",
                "viewer",
                "changed",
                NOW,
                "operator",
                NOW + 7,
                true,
                "2027-01-15",
                4,
                3);
        assertThat(store().tokens().change("AAAAAAAAAAAA", new TokenColumns(null, null, NOW + 7, null, 4, null)))
                .contains(after);
        assertThat(store().tokens().tokens(10)).containsExactly(after);
    }

    @Test
    default void theDayOfTheLastUseOnlyGrows() {
        store().tokens().add(token("AAAAAAAAAAAA", null, false, null));
        store().tokens().used("AAAAAAAAAAAA", "2027-01-15");
        store().tokens().used("AAAAAAAAAAAA", "2026-12-31");
        store().tokens().used("unknown", "2027-01-15");
        assertThat(store().tokens().tokens(10)).containsExactly(token("AAAAAAAAAAAA", null, false, "2027-01-15"));
    }

    @Test
    default void namespacesAreAddedOnceAndRemoved() {
        StoredNamespace shop = new StoredNamespace("shop", "the shop", NOW, "operator", 1, 2, 3L << 32, 4, 5);
        StoredNamespace other = new StoredNamespace("Shop", "", NOW, "operator", 0, 0, 0, 0, 0);
        assertThat(store().tokens().add(shop)).isTrue();
        assertThat(store().tokens().add(new StoredNamespace("shop", "again", NOW, "operator", 0, 0, 0, 0, 0)))
                .isFalse();
        assertThat(store().tokens().add(other)).isTrue();
        assertThat(store().tokens().namespaces(10)).containsExactly(other, shop);
        assertThat(store().tokens().removeNamespace("SHOP")).isFalse();
        assertThat(store().tokens().removeNamespace("Shop")).isTrue();
        assertThat(store().tokens().namespaces(10)).containsExactly(shop);
    }

    @Test
    default void aChangeOfANamespaceWritesTheGivenColumnsAlone() {
        store().tokens().add(new StoredNamespace("shop", "", NOW, "operator", 1, 2, 3, 4, 5));
        NamespaceColumns rates = new NamespaceColumns(null, 10, 0, null, null, null);
        NamespaceColumns bounds = new NamespaceColumns("changed", null, null, 30L, 40, 50);
        assertThat(store().tokens().changeNamespace("shop", rates))
                .contains(new StoredNamespace("shop", "", NOW, "operator", 10, 0, 3, 4, 5));
        StoredNamespace after = new StoredNamespace("shop", "changed", NOW, "operator", 10, 0, 30, 40, 50);
        assertThat(store().tokens().changeNamespace("shop", bounds)).contains(after);
        assertThat(store().tokens().changeNamespace("shop", bounds)).as("again").contains(after);
        assertThat(store().tokens().changeNamespace("Shop", bounds)).isEmpty();
        assertThat(store().tokens().namespaces(10)).containsExactly(after);
    }

    private static StoredToken token(String id, Long expiresMs, boolean disabled, String lastUsed) {
        return new StoredToken(
                id.repeat(6).substring(0, 64),
                id,
                "shop",
                "producer,consumer",
                "",
                NOW,
                "operator",
                expiresMs,
                disabled,
                lastUsed,
                0,
                0);
    }
}
