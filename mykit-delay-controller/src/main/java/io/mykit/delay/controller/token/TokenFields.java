package io.mykit.delay.controller.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.token.LimitRules;
import io.mykit.delay.access.token.NewToken;
import io.mykit.delay.access.token.TokenChange;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.queue.store.StoredNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The fields of the calls about tokens, checked. Stateless. */
final class TokenFields {
    static final ParameterNames LIST = ParameterNames.of("namespace", "after", "limit");

    private static final Set<String> RATES = Set.of("pushRate", "pullRate");

    static final JsonParameters CHANGE = new JsonParameters(
            ParameterNames.of("tokenId", "disabled", "expiresIn", "roles", "description", "pushRate", "pullRate")
                    .repeating("roles"),
            Set.of("disabled"),
            RATES,
            Set.of("expiresIn"));
    static final JsonParameters DELETE = JsonParameters.ofTexts(ParameterNames.of("tokenId"));

    private static final JsonParameters CREATE = new JsonParameters(
            ParameterNames.of("namespace", "roles", "description", "expiresIn", "pushRate", "pullRate")
                    .repeating("roles"),
            Set.of(),
            RATES,
            Set.of("expiresIn"));

    private static final int LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final int MAX_TOKEN_ID = 12;

    private TokenFields() {}

    static NewToken order(Call call) {
        Parameters given = CREATE.read(call).parameters();
        return new NewToken(
                given.text("namespace").orElseThrow(() -> invalid("namespace is required; * = the whole queue")),
                NewToken.roles(given.texts("roles")),
                given.text("description").orElse(""),
                life(given),
                rate(given, "pushRate").orElse(0),
                rate(given, "pullRate").orElse(0));
    }

    static TokenChange change(Parameters given) {
        List<String> roles = given.texts("roles");
        return new TokenChange(
                given.text("disabled").map(Boolean::valueOf),
                life(given),
                given.names().contains("roles") ? Optional.of(NewToken.roles(roles)) : Optional.empty(),
                given.text("description"),
                rate(given, "pushRate"),
                rate(given, "pullRate"));
    }

    /** 0 = no limit. */
    static Optional<Integer> rate(Parameters given, String name) {
        return given.number(name, 0, LimitRules.MAX_RATE).map(Long::intValue);
    }

    static String tokenId(Parameters given) {
        return FieldRules.required(
                "tokenId", given.text("tokenId").orElseThrow(() -> invalid("tokenId is required")), MAX_TOKEN_ID);
    }

    static Page page(Parameters given) {
        return new Page(
                given.text("namespace").map(text -> FieldRules.required("namespace", text, StoredNamespace.MAX_NAME)),
                given.text("after")
                        .map(text -> FieldRules.required("after", text, MAX_TOKEN_ID))
                        .orElse(""),
                given.number("limit", 1, MAX_LIMIT).orElse((long) LIMIT).intValue());
    }

    private static Optional<Duration> life(Parameters given) {
        return given.duration("expiresIn", NewToken.MIN_LIFE, NewToken.MAX_LIFE);
    }

    /**
     * A part of the list.
     *
     * @param namespace empty = all tokens
     * @param after only tokens whose ids come after this one
     */
    record Page(Optional<String> namespace, String after, int limit) {}
}
