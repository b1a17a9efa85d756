package io.mykit.delay.ports.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PathsTest {
    @Test
    void isDecodedBeforeItIsCut() {
        assertThat(Paths.parts("/api/ns%2Fq%2Cr")).contains(List.of("api", "ns", "q,r"));
    }

    @Test
    void aSlashAtTheEndDoesNotCount() {
        assertThat(Paths.parts("/api/ns/q/")).contains(List.of("api", "ns", "q"));
        assertThat(Paths.parts("/api//q")).contains(List.of("api", "", "q"));
        assertThat(Paths.parts("/")).contains(List.of(""));
        assertThat(Paths.parts("")).contains(List.of(""));
    }

    @Test
    void aPercentSignNeedsItsDigits() {
        for (String bad : List.of("/%", "/%4", "/%zz", "/%4\u0663")) {
            assertThat(Paths.parts(bad)).as(bad).isEmpty();
        }
        assertThat(Paths.parts("/%41%e4%b8%ad%00")).contains(List.of("A\u4e2d\0"));
    }

    @Test
    void bytesThatAreNoTextAreReplaced() {
        assertThat(Paths.parts("/%ff")).contains(List.of("\ufffd"));
    }

    @Test
    void aStarStandsForAPartThatIsNotEmpty() {
        for (List<String> fits : List.of(List.of("api", "n", "job", "1"), List.of("api", "*", "job", "*"))) {
            assertThat(Paths.match("api/*/job/*", fits)).as("%s", fits).isTrue();
        }
        for (List<String> other : List.of(
                List.<String>of(),
                List.of(""),
                List.of("api"),
                List.of("api", "n", "job"),
                List.of("api", "n", "job", ""),
                List.of("api", "", "job", "1"),
                List.of("api", "n", "jo", "1"),
                List.of("api", "n", "jobs", "1"),
                List.of("api", "n", "job", "1", "2"))) {
            assertThat(Paths.match("api/*/job/*", other)).as("%s", other).isFalse();
        }
        assertThat(Paths.match("pools", List.of("pools"))).isTrue();
        assertThat(Paths.match("pools", List.of("pools", ""))).isFalse();
    }
}
