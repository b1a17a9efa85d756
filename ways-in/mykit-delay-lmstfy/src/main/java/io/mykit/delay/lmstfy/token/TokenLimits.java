package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.token.TokenChange;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.queue.store.StoredToken;
import java.util.List;
import java.util.Optional;

/**
 * The limits of tokens as the admin port shows and changes them: they are the rates of the table. A token is named by itself or by its id,
 * and may have a pool in front. Each change has a row of the record. Thread-safe; blocks.
 */
public final class TokenLimits {
    private static final int NOT_FOUND = 404;
    private static final int EXISTS = 500;

    private final TokenTable table;
    private final Recorded record;

    public TokenLimits(TokenTable table, Recorded record) {
        this.table = table;
        this.record = record;
    }

    /**
     * The limits of a token of the namespace; empty = it has none, or there is no such token.
     *
     * @throws Refusal 400
     */
    public Optional<Limiter> find(String namespace, String token) {
        return row(namespace, TokenText.of(token)).flatMap(Limiter::of);
    }

    /**
     * Gives limits to a token that has none.
     *
     * @param caller the name of the account
     * @throws Refusal 400 or 404; 500 with lmstfy's text if the token has limits
     */
    public void add(Request request, String caller, String namespace, String token, Limiter limiter) {
        StoredToken row = require(namespace, token, limiter);
        if (Limiter.of(row).isPresent()) {
            throw new Refusal(EXISTS, "throttler token(" + TokenText.of(token).text() + ") has already exists");
        }
        change(request, caller, row, limiter.pushRate(), limiter.pullRate());
    }

    /**
     * Gives limits to a token, in place of those that it has.
     *
     * @param caller the name of the account
     * @throws Refusal 400 or 404
     */
    public void set(Request request, String caller, String namespace, String token, Limiter limiter) {
        StoredToken row = require(namespace, token, limiter);
        change(request, caller, row, limiter.pushRate(), limiter.pullRate());
    }

    /**
     * Takes the limits of a token away, if it has some.
     *
     * @param caller the name of the account
     * @throws Refusal 400
     */
    public void remove(Request request, String caller, String namespace, String token) {
        Optional<StoredToken> limited = row(namespace, TokenText.of(token))
                .filter(row -> Limiter.of(row).isPresent());
        limited.ifPresent(row -> change(request, caller, row, 0, 0));
    }

    /** The limits of all tokens of namespaces, as JSON; tokens by their ids, since nothing knows a token itself. */
    public String all() {
        List<String> limits = table.all().stream()
                .filter(row -> !row.namespace().equals(Principal.ALL))
                .flatMap(row -> Limiter.of(row).stream().map(limiter -> Json.object()
                        .text("namespace", row.namespace())
                        .text("token", row.tokenId())
                        .raw("limiter", limiter.json())
                        .end()))
                .toList();
        return "[" + String.join(",", limits) + "]";
    }

    private StoredToken require(String namespace, String token, Limiter limiter) {
        limiter.check();
        TokenText given = TokenText.of(token);
        MadeTokens.requirePool(given.pool());
        return row(namespace, given).orElseThrow(() -> new Refusal(NOT_FOUND, "token not found"));
    }

    private Optional<StoredToken> row(String namespace, TokenText token) {
        MadeTokens.requireName(namespace);
        return TokenText.isDefault(token.pool())
                ? table.all().stream()
                        .filter(row -> row.namespace().equals(namespace) && table.is(row, token.text()))
                        .findFirst()
                : Optional.empty();
    }

    private void change(Request request, String caller, StoredToken row, int pushRate, int pullRate) {
        TokenChange rates = new TokenChange(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(pushRate),
                Optional.of(pullRate));
        StoredToken unused =
                record.act(request, caller, "changeToken", row.tokenId(), () -> change(row.tokenId(), rates));
    }

    private StoredToken change(String tokenId, TokenChange rates) {
        try {
            return table.change(tokenId, rates);
        } catch (DelayException e) {
            // Another call deleted the token.
            if (e.code() == ErrorCode.NOT_FOUND) {
                throw new Refusal(NOT_FOUND, "token not found");
            }
            throw e;
        }
    }
}
