package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LinksTest {
    @Test
    void eachLinkLeadsToAFileAndAHeading() {
        assertThat(new Links(Page.root()).broken()).isEmpty();
    }

    /** A decision is found by its title. */
    @Test
    void theIndexListsEachDecision() throws IOException {
        String index = Page.of("docs/adr/README.md").text;
        try (Stream<Path> files = Files.list(Page.root().resolve("docs/adr"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString).filter(name -> name.startsWith("0")))
                    .hasSizeGreaterThan(50)
                    .allSatisfy(name -> {
                        String title = Files.readString(
                                        Page.root().resolve("docs/adr").resolve(name))
                                .lines()
                                .findFirst()
                                .orElseThrow()
                                .replaceFirst("# \\d+\\. ", "");
                        assertThat(index).contains("[" + title + "](" + name + ")");
                    });
        }
    }
}
