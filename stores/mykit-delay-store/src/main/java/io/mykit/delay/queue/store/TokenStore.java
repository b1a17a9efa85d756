package io.mykit.delay.queue.store;

import java.util.List;
import java.util.Optional;

/**
 * The tokens and namespaces that administrators make while the queue runs. Every method is one transaction and may be repeated; see {@link
 * MessageStore}. Thread-safe.
 */
public interface TokenStore {
    /** All tokens in the order of their ids, but no more than {@code limit}. */
    List<StoredToken> tokens(int limit);

    /**
     * Adds a token. The same token again changes nothing.
     *
     * @return false if a token with another id has this hash; then nothing was changed
     */
    boolean add(StoredToken token);

    /**
     * Writes the given columns of a token, and no others.
     *
     * @return the token after the change; empty if no token has the id
     */
    Optional<StoredToken> change(String tokenId, TokenColumns columns);

    /** Returns false if no token has the id. */
    boolean remove(String tokenId);

    /**
     * Notes the use of a token on a day, unless a use on that day or a later one is known.
     *
     * @param day as {@link StoredToken#lastUsed}
     */
    void used(String tokenId, String day);

    /** All namespaces in the order of their names, but no more than {@code limit}. */
    List<StoredNamespace> namespaces(int limit);

    /** Returns false if a namespace has this name; then nothing was changed. */
    boolean add(StoredNamespace namespace);

    /**
     * Writes the given columns of a namespace, and no others.
     *
     * @return the namespace after the change; empty if none has the name
     */
    Optional<StoredNamespace> changeNamespace(String name, NamespaceColumns columns);

    /** Returns false if no namespace has this name. */
    boolean removeNamespace(String name);
}
