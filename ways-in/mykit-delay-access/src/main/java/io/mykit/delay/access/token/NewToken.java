package io.mykit.delay.access.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.store.StoredToken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The order of a token, checked. Immutable.
 *
 * @param namespace {@value Principal#ALL} = the token is not confined
 * @param life empty = it does not expire
 * @param pushRate pushes a second; 0 = no limit
 * @param pullRate pulled messages a second; 0 = no limit
 */
public record NewToken(
        String namespace, List<Role> roles, String description, Optional<Duration> life, int pushRate, int pullRate) {
    public static final Duration MIN_LIFE = Duration.ofMinutes(1);
    public static final Duration MAX_LIFE = Duration.ofDays(3650);

    /** @throws DelayException INVALID_REQUEST; names the field and the limit */
    public NewToken {
        roles = checked(roles);
        description = NewNamespace.description(description);
        life.ifPresent(NewToken::life);
        pushRate = LimitRules.rate("pushRate", pushRate);
        pullRate = LimitRules.rate("pullRate", pullRate);
        if (!namespace.equals(Principal.ALL)) {
            NewNamespace.checked("namespace", namespace);
            if (roles.contains(Role.ADMIN)) {
                throw invalid("the role admin needs the namespace " + Principal.ALL);
            }
        }
    }

    /** A token without limits. */
    public NewToken(String namespace, List<Role> roles, String description, Optional<Duration> life) {
        this(namespace, roles, description, life, 0, 0);
    }

    /**
     * The roles with these words.
     *
     * @throws DelayException INVALID_REQUEST
     */
    public static List<Role> roles(List<String> words) {
        return words.stream()
                .map(word -> Role.of(word)
                        .orElseThrow(() -> invalid(
                                "roles must be of " + Role.words(Role.OF_TOKENS).replace(",", ", "))))
                .toList();
    }

    static List<Role> checked(List<Role> roles) {
        if (roles.isEmpty()) {
            throw invalid("roles is required");
        }
        return Role.OF_TOKENS.stream().filter(roles::contains).toList();
    }

    static Duration life(Duration life) {
        return FieldRules.range("expiresIn", life, MIN_LIFE, MAX_LIFE);
    }

    /**
     * Makes the token. It is not stored yet.
     *
     * @param nowMs epoch milliseconds
     * @param by the name of the caller
     */
    public IssuedToken issue(long nowMs, String by) {
        String text = TokenText.next();
        return issue(text, TokenText.id(text), nowMs, by);
    }

    /** A token whose text was made elsewhere. Its id is a new one, and no part of the text. */
    IssuedToken issue(String text, long nowMs, String by) {
        return issue(text, TokenText.id(TokenText.next()), nowMs, by);
    }

    private IssuedToken issue(String text, String tokenId, long nowMs, String by) {
        StoredToken row = new StoredToken(
                TokenText.hash(text),
                tokenId,
                namespace,
                Role.words(roles),
                description,
                nowMs,
                NewNamespace.maker(by),
                life.map(time -> nowMs + time.toMillis()).orElse(null),
                false,
                null,
                pushRate,
                pullRate);
        return new IssuedToken(text, row);
    }
}
