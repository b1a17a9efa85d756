package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.store.NamespaceColumns;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import io.mykit.delay.queue.store.TokenStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The tokens and namespaces in memory. Thread-safe. */
final class MemoryTokens implements TokenStore {
    private final MemoryTurns turns;
    /** Used in turns. */
    private final MemoryTables tables;

    MemoryTokens(MemoryTurns turns, MemoryTables tables) {
        this.turns = turns;
        this.tables = tables;
    }

    @Override
    public List<StoredToken> tokens(int limit) {
        return turns.read(() -> tables.tokens.values().stream().limit(limit).toList());
    }

    @Override
    public boolean add(StoredToken token) {
        return turns.write(() -> {
            boolean isTaken = tables.tokens.values().stream()
                    .anyMatch(row ->
                            row.hash().equals(token.hash()) && !row.tokenId().equals(token.tokenId()));
            if (!isTaken) {
                tables.tokens.putIfAbsent(token.tokenId(), token);
            }
            return !isTaken;
        });
    }

    @Override
    public Optional<StoredToken> change(String tokenId, TokenColumns columns) {
        return Optional.ofNullable(
                turns.write(() -> tables.tokens.computeIfPresent(tokenId, (id, row) -> changed(row, columns))));
    }

    private static StoredToken changed(StoredToken row, TokenColumns to) {
        return new StoredToken(
                row.hash(),
                row.tokenId(),
                row.namespace(),
                Objects.requireNonNullElse(to.roles(), row.roles()),
                Objects.requireNonNullElse(to.description(), row.description()),
                row.createdMs(),
                row.createdBy(),
                to.expiresMs() != null ? to.expiresMs() : row.expiresMs(),
                Objects.requireNonNullElse(to.disabled(), row.disabled()),
                row.lastUsed(),
                Objects.requireNonNullElse(to.pushRate(), row.pushRate()),
                Objects.requireNonNullElse(to.pullRate(), row.pullRate()));
    }

    @Override
    public boolean remove(String tokenId) {
        return turns.write(() -> tables.tokens.remove(tokenId)) != null;
    }

    @Override
    public void used(String tokenId, String day) {
        StoredToken unused = turns.write(() -> tables.tokens.computeIfPresent(tokenId, (id, row) -> used(row, day)));
    }

    private static StoredToken used(StoredToken row, String day) {
        return row.lastUsed() != null && row.lastUsed().compareTo(day) >= 0
                ? row
                : new StoredToken(
                        row.hash(),
                        row.tokenId(),
                        row.namespace(),
                        row.roles(),
                        row.description(),
                        row.createdMs(),
                        row.createdBy(),
                        row.expiresMs(),
                        row.disabled(),
                        day,
                        row.pushRate(),
                        row.pullRate());
    }

    @Override
    public List<StoredNamespace> namespaces(int limit) {
        return turns.read(() -> tables.namespaces.values().stream().limit(limit).toList());
    }

    @Override
    public boolean add(StoredNamespace namespace) {
        return turns.write(() -> tables.namespaces.putIfAbsent(namespace.name(), namespace)) == null;
    }

    @Override
    public Optional<StoredNamespace> changeNamespace(String name, NamespaceColumns columns) {
        return Optional.ofNullable(
                turns.write(() -> tables.namespaces.computeIfPresent(name, (key, row) -> changed(row, columns))));
    }

    private static StoredNamespace changed(StoredNamespace row, NamespaceColumns to) {
        return new StoredNamespace(
                row.name(),
                Objects.requireNonNullElse(to.description(), row.description()),
                row.createdMs(),
                row.createdBy(),
                Objects.requireNonNullElse(to.pushRate(), row.pushRate()),
                Objects.requireNonNullElse(to.pullRate(), row.pullRate()),
                Objects.requireNonNullElse(to.maxDelayMs(), row.maxDelayMs()),
                Objects.requireNonNullElse(to.maxBody(), row.maxBody()),
                Objects.requireNonNullElse(to.maxTopics(), row.maxTopics()));
    }

    @Override
    public boolean removeNamespace(String name) {
        return turns.write(() -> tables.namespaces.remove(name)) != null;
    }
}
