package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
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
    })
    void table(String admin, String producer, Access access, String header, String outcome) {
        assertThat(outcome(TestConfig.tokens(admin, producer), access, header)).isEqualTo(outcome);
    }

    @Test
    void saysWhichKeyOpensIt() {
        assertThatThrownBy(() -> new Tokens(TestConfig.tokens(null, "p")).check(Access.OPERATORS, "Bearer p"))
                .hasMessageContaining("mykit.delay.http.admin-token");
    }

    @Test
    void comparesTheBytesOnTheWire() {
        // The decoder makes a character of each byte: é as UTF-8 comes in as Ã©.
        assertThat(outcome(TestConfig.tokens("é", null), Access.OPERATORS, "Bearer Ã©"))
                .isEqualTo("OK");
    }

    private static String outcome(TestConfig config, Access access, String header) {
        try {
            new Tokens(config).check(access, header);
            return "OK";
        } catch (DelayException refused) {
            return refused.code().name();
        }
    }
}
