package io.mykit.delay.access.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What changes about a token; empty parts stay as they are. Immutable.
 *
 * @param life from now on
 */
public record TokenChange(
        Optional<Boolean> disabled,
        Optional<Duration> life,
        Optional<List<Role>> roles,
        Optional<String> description,
        Optional<Integer> pushRate,
        Optional<Integer> pullRate) {
    /** @throws DelayException INVALID_REQUEST; names the field and the limit */
    public TokenChange {
        if (Stream.of(disabled, life, roles, description, pushRate, pullRate).allMatch(Optional::isEmpty)) {
            throw invalid("disabled, expiresIn, roles, description, pushRate or pullRate is required");
        }
        life.ifPresent(NewToken::life);
        roles = roles.map(NewToken::checked);
        description.ifPresent(NewNamespace::description);
        pushRate.ifPresent(rate -> LimitRules.rate("pushRate", rate));
        pullRate.ifPresent(rate -> LimitRules.rate("pullRate", rate));
    }

    /** A change of no limit. */
    public TokenChange(
            Optional<Boolean> disabled,
            Optional<Duration> life,
            Optional<List<Role>> roles,
            Optional<String> description) {
        this(disabled, life, roles, description, Optional.empty(), Optional.empty());
    }

    /** The columns that change, of a token as it was made: its namespace never changes. */
    TokenColumns columns(StoredToken token, long nowMs) {
        if (!token.namespace().equals(Principal.ALL)
                && roles.filter(given -> given.contains(Role.ADMIN)).isPresent()) {
            throw invalid("the role admin needs the namespace " + Principal.ALL);
        }
        return new TokenColumns(
                roles.map(Role::words).orElse(null),
                description.orElse(null),
                life.map(time -> nowMs + time.toMillis()).orElse(null),
                disabled.orElse(null),
                pushRate.orElse(null),
                pullRate.orElse(null));
    }
}
