package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first page is short, and its programs are those that the compiler checks. */
class ReadmeTest {
    private static final String EXAMPLES = "mykit-delay-test/src/test/java/io/mykit/delay/test/example/";
    private static final List<String> PROGRAMS = List.of("ActiveMqConsumer.java", "RocketMqConsumer.java");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md"})
    void readmeIsBelow150Lines(String path) {
        assertThat(Page.of(path).text.lines().count()).isLessThan(150);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "README.zh-CN.md"})
    void consumersOfTheReadmeAreTheBodiesOfTheExamples(String path) {
        for (String program : PROGRAMS) {
            assertThat(Page.of(path).blocks()).as(program).contains(bodyOfMain(source(program)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/getting-started.md", "docs/getting-started.zh-CN.md"})
    void consumersOfGettingStartedAreTheExamples(String path) {
        for (String program : PROGRAMS) {
            String withoutPackage = source(program).replaceFirst("package .*;\n\n", "");
            assertThat(Page.of(path).blocks()).as(program).contains(withoutPackage);
        }
    }

    private static String bodyOfMain(String source) {
        int begin = source.indexOf('\n', source.indexOf("void main(")) + 1;
        String body = source.substring(begin, source.lastIndexOf("    }\n}"));
        return body.stripTrailing().stripIndent() + "\n";
    }

    private static String source(String program) {
        try {
            return Files.readString(Page.root().resolve(EXAMPLES + program));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
