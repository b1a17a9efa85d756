package io.mykit.delay.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.value.Secret;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {
    /** admin token, producer token, access, header -> outcome. */
    @ParameterizedTest
    @CsvSource({
        ",,PRODUCERS,,OK",
        ",,OPERATORS,,OK",
        ",,OPERATORS,Bearer x,OK",
        "a,,EVERYBODY,,OK",
        "a,,PRODUCERS,,OK",
        "a,,PRODUCERS,Bearer x,OK",
        "a,,OPERATORS,,UNAUTHORIZED",
        "a,,OPERATORS,Bearer x,UNAUTHORIZED",
        "a,,OPERATORS,Bearer a,OK",
        "a,,OPERATORS,bearer a,OK",
        "a,,OPERATORS,Basic a,UNAUTHORIZED",
        "a,,OPERATORS,Bearer,UNAUTHORIZED",
        "a,,OPERATORS,Bearer aa,UNAUTHORIZED",
        "a,p,EVERYBODY,,OK",
        "a,p,PRODUCERS,,UNAUTHORIZED",
        "a,p,PRODUCERS,Bearer x,UNAUTHORIZED",
        "a,p,PRODUCERS,Bearer p,OK",
        "a,p,PRODUCERS,Bearer a,OK",
        "a,p,OPERATORS,,UNAUTHORIZED",
        "a,p,OPERATORS,Bearer x,UNAUTHORIZED",
        "a,p,OPERATORS,Bearer p,FORBIDDEN",
        "a,p,OPERATORS,Bearer a,OK",
        ",p,EVERYBODY,,OK",
        ",p,PRODUCERS,,UNAUTHORIZED",
        ",p,PRODUCERS,Bearer p,OK",
        ",p,OPERATORS,,FORBIDDEN",
        ",p,OPERATORS,Bearer p,FORBIDDEN",
        ",p,OPERATORS,Bearer x,FORBIDDEN",
        "s,s,OPERATORS,Bearer s,OK",
        ",,VIEWERS,,OK",
        ",,LOGIN,Bearer x,OK",
        "a,,VIEWERS,,UNAUTHORIZED",
        "a,,VIEWERS,Bearer a,OK",
        "a,p,VIEWERS,Bearer p,FORBIDDEN",
        "a,p,SCRAPES,,UNAUTHORIZED",
        ",p,VIEWERS,,FORBIDDEN",
        ",p,VIEWERS,Bearer p,FORBIDDEN",
        ",p,SCRAPES,,FORBIDDEN",
        "a,p,LOGIN,,OK",
        "a,p,LOGIN,Bearer p,OK",
        "a,p,LOGIN,Bearer x,UNAUTHORIZED",
        "a,p,PRODUCERS_AND_VIEWERS,Bearer p,OK",
        "a,p,PRODUCERS_AND_VIEWERS,,UNAUTHORIZED",
        "a,,PRODUCERS_AND_VIEWERS,,OK",
        ",,KNOWN,,OK",
        "a,,KNOWN,,UNAUTHORIZED",
        "a,p,KNOWN,Bearer x,UNAUTHORIZED",
        "a,p,KNOWN,Bearer p,OK",
        ",p,KNOWN,,UNAUTHORIZED",
        ",p,KNOWN,Bearer p,OK",
        "a,p,KNOWN_BY_KEY,Bearer p,FORBIDDEN",
    })
    void table(String admin, String producer, Access access, String header, String outcome) {
        assertThat(outcome(tokens(admin, producer), access, header)).isEqualTo(outcome);
    }

    /** admin token, producer token, access, header -> outcome; the viewer token is v. */
    @ParameterizedTest
    @CsvSource({
        ",,PROBES,,OK",
        ",,EVERYBODY,Bearer x,OK",
        ",,VIEWERS,,UNAUTHORIZED",
        ",,VIEWERS,Bearer x,UNAUTHORIZED",
        ",,VIEWERS,Bearer v,OK",
        ",,SCRAPES,Bearer v,OK",
        ",,PRODUCERS,,OK",
        ",,PRODUCERS,Bearer v,FORBIDDEN",
        ",,PRODUCERS_AND_VIEWERS,Bearer v,OK",
        ",,OPERATORS,,FORBIDDEN",
        ",,OPERATORS,Bearer v,FORBIDDEN",
        "a,p,VIEWERS,Bearer v,OK",
        "a,p,VIEWERS,Bearer a,OK",
        "a,p,VIEWERS,Bearer p,FORBIDDEN",
        "a,p,PRODUCERS,Bearer v,FORBIDDEN",
        "a,p,PRODUCERS_AND_VIEWERS,Bearer v,OK",
        ",,KNOWN,,UNAUTHORIZED",
        "a,p,KNOWN,Bearer v,OK",
        "a,p,OPERATORS,Bearer v,FORBIDDEN",
        "a,p,LOGIN,Bearer v,OK",
        "v,p,OPERATORS,Bearer v,OK",
    })
    void tableWithAViewer(String admin, String producer, Access access, String header, String outcome) {
        assertThat(outcome(tokens(admin, producer, "v"), access, header)).isEqualTo(outcome);
    }

    /** The roles of all tokens of the table, those of the caller's token, the admin token, access -> outcome. */
    @ParameterizedTest
    @CsvSource({
        "admin,,,PRODUCERS,OK",
        "admin,,,CONSUMERS,OK",
        "admin,,,PRODUCERS_AND_VIEWERS,OK",
        "admin,,,VIEWERS,UNAUTHORIZED",
        "admin,,,OPERATORS,UNAUTHORIZED",
        "admin,,,ADMINS,UNAUTHORIZED",
        "admin,,,EVERYBODY,OK",
        "producer,,,PRODUCERS,UNAUTHORIZED",
        "producer,,,CONSUMERS,UNAUTHORIZED",
        "consumer,,,PRODUCERS,UNAUTHORIZED",
        "consumer,,,PRODUCERS_AND_VIEWERS,UNAUTHORIZED",
        "operator,,,PRODUCERS,OK",
        "producer,,,VIEWERS,FORBIDDEN",
        "producer,,,OPERATORS,FORBIDDEN",
        "producer,,,ADMINS,FORBIDDEN",
        "producer,,a,VIEWERS,UNAUTHORIZED",
        "operator,,,ADMINS,FORBIDDEN",
        "producer,producer,,PRODUCERS,OK",
        "producer,producer,,CONSUMERS,FORBIDDEN",
        "producer,producer,,KNOWN,OK",
        "producer,producer,,PRODUCERS_AND_VIEWERS,OK",
        "producer,producer,a,VIEWERS,FORBIDDEN",
        "consumer,consumer,,PRODUCERS,FORBIDDEN",
        "consumer,consumer,,CONSUMERS,OK",
        "viewer,viewer,,PRODUCERS,FORBIDDEN",
        "viewer,viewer,,CONSUMERS,FORBIDDEN",
        "viewer,viewer,,VIEWERS,OK",
        "viewer,viewer,,SCRAPES,OK",
        "viewer,viewer,a,OPERATORS,FORBIDDEN",
        "operator,operator,,PRODUCERS,OK",
        "operator,operator,,CONSUMERS,OK",
        "operator,operator,,VIEWERS,OK",
        "operator,operator,,OPERATORS,OK",
        "operator,operator,a,ADMINS,FORBIDDEN",
        "admin,admin,,PRODUCERS,OK",
        "admin,admin,,CONSUMERS,OK",
        "admin,admin,,VIEWERS,OK",
        "admin,admin,,OPERATORS,OK",
        "admin,admin,,ADMINS,OK",
        "admin,refused,,PRODUCERS,UNAUTHORIZED",
        "admin,unknown,,PRODUCERS,UNAUTHORIZED",
        "admin,unknown,,CONSUMERS,UNAUTHORIZED",
        "admin,unknown,,PRODUCERS_AND_VIEWERS,UNAUTHORIZED",
        "admin,unknown,,EVERYBODY,OK",
        "admin,refused,,LOGIN,UNAUTHORIZED",
        "admin,refused,,EVERYBODY,OK",
        "admin,refused,,PROBES,OK",
        "admin,refused,a,OPERATORS,UNAUTHORIZED",
    })
    void tableOfTokensThatWereMade(String all, String own, String admin, Access access, String outcome) {
        KnownTokens known = new MadeToken(Role.read(all), own);
        Tokens tokens = new Tokens(secret(admin), Optional.empty(), Optional.empty(), known);
        assertThat(outcome(tokens, access, own == null ? null : "Bearer made")).isEqualTo(outcome);
    }

    @Test
    void administratorsCallsAreClosedWithoutATokenAndTheAdminTokenOpensThem() {
        assertThat(outcome(tokens(null, null), Access.ADMINS, null)).isEqualTo("FORBIDDEN");
        assertThat(outcome(tokens(null, null), Access.ADMINS, "Bearer x")).isEqualTo("FORBIDDEN");
        assertThat(outcome(tokens(null, "p"), Access.ADMINS, "Bearer p")).isEqualTo("FORBIDDEN");
        assertThat(outcome(tokens("a", "p"), Access.ADMINS, "Bearer a")).isEqualTo("OK");
        assertThat(outcome(tokens("a", "p"), Access.ADMINS, "Bearer p")).isEqualTo("FORBIDDEN");
        assertThat(outcome(tokens("a", "p"), Access.ADMINS, null)).isEqualTo("UNAUTHORIZED");
    }

    /** Otherwise it would see the whole queue in that call. */
    @Test
    void aCallerStaysInItsNamespaceIfTheLastTokenIsDeletedMeanwhile() {
        Principal confined = new Principal(
                "token 1", List.of(Role.VIEWER), "shop", Optional.of("1"), Optional.empty(), CallerLimits.NONE);
        KnownTokens deletedMeanwhile = new KnownTokens() {
            @Override
            public Found find(String token) {
                return new Found(confined, null);
            }

            @Override
            public boolean any() {
                return false;
            }

            @Override
            public boolean anyHas(Role... roles) {
                return false;
            }
        };
        Tokens tokens = new Tokens(Optional.empty(), Optional.empty(), Optional.empty(), deletedMeanwhile);
        assertThat(tokens.admit(Access.VIEWERS, "Bearer made")).isEqualTo(confined);
        assertThat(tokens.admit(Access.VIEWERS, null)).isEqualTo(Principal.ANONYMOUS);
    }

    @Test
    void theProducersTokenOfTheConfigurationPullsToo() {
        assertThat(outcome(tokens("a", "p"), Access.CONSUMERS, "Bearer p")).isEqualTo("OK");
        assertThat(outcome(tokens("a", "p"), Access.CONSUMERS, null)).isEqualTo("UNAUTHORIZED");
        assertThat(outcome(tokens("a", "p", "v"), Access.CONSUMERS, "Bearer v")).isEqualTo("FORBIDDEN");
        assertThat(outcome(tokens("a", null), Access.CONSUMERS, null)).isEqualTo("OK");
    }

    /** The token {@code made}: with this role, or {@code refused}. */
    private record MadeToken(List<Role> roles, String own) implements KnownTokens {
        @Override
        public Found find(String token) {
            if (!token.equals("made") || own.equals("unknown")) {
                return Found.NOTHING;
            }
            if (own.equals("refused")) {
                return Found.refused(new DelayException(ErrorCode.UNAUTHORIZED, "disabled"));
            }
            return new Found(
                    new Principal(
                            "token 1",
                            Role.read(own),
                            Principal.ALL,
                            Optional.of("1"),
                            Optional.empty(),
                            CallerLimits.NONE),
                    null);
        }

        @Override
        public boolean any() {
            return true;
        }

        @Override
        public boolean anyHas(Role... some) {
            return Arrays.stream(some).anyMatch(roles::contains);
        }
    }

    @Test
    void saysWhichKeyOpensIt() {
        assertThatThrownBy(() -> tokens(null, "p").admit(Access.OPERATORS, "Bearer p"))
                .hasMessageContaining("mykit.delay.http.admin-token");
    }

    /** admin token, producer token, access, header -> the caller's role. */
    @ParameterizedTest
    @CsvSource({
        ",,PRODUCERS,,ANONYMOUS",
        ",,OPERATORS,Bearer x,ANONYMOUS",
        "a,p,EVERYBODY,,ANONYMOUS",
        "a,p,EVERYBODY,Bearer x,ANONYMOUS",
        "a,p,PROBES,Bearer p,PRODUCER",
        "a,p,PRODUCERS,Bearer p,PRODUCER",
        "a,p,PRODUCERS,Bearer a,OPERATOR",
        "a,p,OPERATORS,Bearer a,OPERATOR",
        "a,,PRODUCERS,,ANONYMOUS",
        "a,,PRODUCERS,Bearer a,OPERATOR",
        "s,s,PRODUCERS,Bearer s,OPERATOR",
        "a,p,VIEWERS,Bearer a,OPERATOR",
    })
    void knowsTheCaller(String admin, String producer, Access access, String header, Role role) {
        Principal caller = tokens(admin, producer).admit(access, header);
        assertThat(caller.role()).isEqualTo(role);
        assertThat(caller.name()).isEqualTo(role.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void comparesTheBytesOnTheWire() {
        // The decoder makes a character of each byte: é as UTF-8 comes in as Ã©.
        assertThat(outcome(tokens("é", null), Access.OPERATORS, "Bearer Ã©")).isEqualTo("OK");
    }

    private static Tokens tokens(String admin, String producer) {
        return tokens(admin, producer, null);
    }

    private static Tokens tokens(String admin, String producer, String viewer) {
        return new Tokens(secret(admin), secret(producer), secret(viewer), KnownTokens.NONE);
    }

    private static Optional<Secret> secret(String text) {
        return Optional.ofNullable(text).map(Secret::new);
    }

    private static String outcome(Tokens tokens, Access access, String header) {
        try {
            tokens.admit(access, header);
            return "OK";
        } catch (DelayException refused) {
            return refused.code().name();
        }
    }
}
