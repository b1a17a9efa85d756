package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.Role;
import io.mykit.delay.access.token.IssuedToken;
import io.mykit.delay.access.token.NewNamespace;
import io.mykit.delay.access.token.NewToken;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.queue.operate.NamespaceContents;
import io.mykit.delay.queue.store.StoredToken;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The tokens of namespaces as the admin port makes and shows them. Each change has a row of the record. Thread-safe; blocks. */
public final class MadeTokens {
    private static final Pattern NAME = Pattern.compile("[-_A-Za-z0-9]+");
    private static final int MAX_NAMESPACE = 64;
    private static final int LEAST = 20;
    private static final String DONE = "DONE";

    private final TokenTable table;
    private final NamespaceContents contents;
    private final Recorded record;

    public MadeTokens(TokenTable table, NamespaceContents contents, Recorded record) {
        this.table = table;
        this.contents = contents;
        this.record = record;
    }

    /**
     * The tokens of a namespace: their ids, since nothing knows a token itself, by their descriptions.
     *
     * @param pool empty = not given; otherwise each id has it in front
     * @throws Refusal 400
     */
    public Map<String, String> list(String namespace, Optional<String> pool) {
        requireName(namespace);
        pool.ifPresent(MadeTokens::requirePool);
        String front = pool.map(name -> name + ":").orElse("");
        Map<String, String> tokens = new TreeMap<>();
        table.all().stream()
                .filter(token -> token.namespace().equals(namespace))
                .forEach(token -> tokens.put(front + token.tokenId(), token.description()));
        return tokens;
    }

    /**
     * Makes a token with the roles of producers and consumers. It makes the namespace if there is none of this name, and no message in it.
     *
     * @param own the token itself, which may have a pool in front; empty = a random one
     * @return the token
     * @throws Refusal 400
     */
    public String make(Request request, String caller, String namespace, String pool, String description, String own) {
        if (description.isEmpty()) {
            throw Refusal.invalid("description");
        }
        TokenText given = TokenText.of(own);
        if (!own.isEmpty() && given.text().length() < LEAST) {
            throw Refusal.bad("the user token was too short");
        }
        requireName(namespace);
        requirePool(pool);
        requirePool(given.pool());
        NewToken order = new NewToken(namespace, List.of(Role.PRODUCER, Role.CONSUMER), description, Optional.empty());
        return record.act(request, caller, "createToken", namespace, () -> {
            if (!table.isNamespace(namespace)) {
                contents.requireEmpty(namespace);
                boolean unused = table.create(new NewNamespace(namespace, "made by lmstfy's admin port"), caller);
            }
            IssuedToken issued = own.isEmpty()
                    ? table.create(order, caller)
                    : table.adopt(order, given.text(), caller)
                            .orElseThrow(() -> Refusal.bad("the token has already existed"));
            return issued.text();
        });
    }

    /**
     * Deletes a token, if the namespace has it.
     *
     * @param token the token itself or its id, which may have a pool in front
     * @throws Refusal 400
     */
    public void delete(Request request, String caller, String namespace, String token) {
        requireName(namespace);
        TokenText given = TokenText.of(token);
        requirePool(given.pool());
        Optional<StoredToken> found = table.all().stream()
                .filter(row -> row.namespace().equals(namespace) && table.is(row, given.text()))
                .findFirst();
        if (found.isEmpty()) {
            return;
        }
        String unused = record.act(request, caller, "deleteToken", found.get().tokenId(), () -> {
            try {
                table.delete(found.get().tokenId());
            } catch (DelayException e) {
                // Another call was faster.
                if (e.code() != ErrorCode.NOT_FOUND) {
                    throw e;
                }
            }
            return DONE;
        });
    }

    /**
     * Requires a name that a namespace may have. So no call of the port names the tokens of the whole queue.
     *
     * @throws Refusal 400
     */
    static void requireName(String namespace) {
        if (namespace.length() > MAX_NAMESPACE) {
            throw Refusal.bad("the namespace name was too long");
        }
        if (!NAME.matcher(namespace).matches()) {
            throw Refusal.bad("namespace name contains forbidden characters");
        }
    }

    /** @throws Refusal 400 */
    static void requirePool(String pool) {
        if (!TokenText.isDefault(pool)) {
            throw Refusal.bad("the pool was not exists");
        }
    }
}
