package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.NamespaceColumns;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import io.mykit.delay.queue.store.TokenStore;
import java.util.List;
import java.util.Optional;

/** The tables {@code mykit_delay_token} and {@code mykit_delay_namespace}. Thread-safe. */
final class TokenRows implements TokenStore {
    private final Transactions transactions;

    TokenRows(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<StoredToken> tokens(int limit) {
        return transactions.read(session -> session.tokens().tokens(limit));
    }

    @Override
    public boolean add(StoredToken token) {
        try {
            return transactions.write(session -> {
                String known = session.tokens().idOf(token.hash());
                if (known == null) {
                    session.tokens().insert(token);
                }
                return known == null || known.equals(token.tokenId());
            });
        } catch (DuplicateRowException e) {
            // Another call has stored a token with this text in between.
            return transactions.read(
                    session -> token.tokenId().equals(session.tokens().idOf(token.hash())));
        }
    }

    @Override
    public Optional<StoredToken> change(String tokenId, TokenColumns columns) {
        return transactions.write(session -> session.tokens().update(tokenId, columns) > 0
                ? Optional.of(session.tokens().token(tokenId))
                : Optional.empty());
    }

    @Override
    public boolean remove(String tokenId) {
        return removed(session -> session.tokens().delete(tokenId));
    }

    @Override
    public void used(String tokenId, String day) {
        int unused = transactions.write(session -> session.tokens().use(tokenId, day));
    }

    @Override
    public List<StoredNamespace> namespaces(int limit) {
        return transactions.read(session -> session.tokens().namespaces(limit));
    }

    @Override
    public boolean add(StoredNamespace namespace) {
        try {
            return transactions.write(session -> {
                session.tokens().insertNamespace(namespace);
                return true;
            });
        } catch (DuplicateRowException e) {
            // After a lost answer the row may be that of the first try.
            return e.isInDoubt() && namespaces(Integer.MAX_VALUE).contains(namespace);
        }
    }

    @Override
    public Optional<StoredNamespace> changeNamespace(String name, NamespaceColumns columns) {
        return transactions.write(session -> session.tokens().updateNamespace(name, columns) > 0
                ? Optional.of(session.tokens().namespace(name))
                : Optional.empty());
    }

    @Override
    public boolean removeNamespace(String name) {
        return removed(session -> session.tokens().deleteNamespace(name));
    }

    /** After a lost answer the row may be gone because of the first try. */
    private boolean removed(Transactions.Work<Integer> delete) {
        return transactions.write(session -> delete.run(session) > 0, session -> {
            int unused = delete.run(session);
            return true;
        });
    }
}
