package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/set-version} in a clone of this repository. */
class SetVersionTest {
    private static final String SCRIPT = "bin/set-version";

    @TempDir
    Path dir;

    private Path clone;

    @BeforeEach
    void cloneIt() throws Exception {
        Path root = DeployFiles.root();
        assumeTrue(LintTest.isInstalled("git") && Files.exists(root.resolve(".git")), "this is no clone of git");
        clone = dir.resolve("clone");
        assertThat(run(
                        dir,
                        "git",
                        "clone",
                        "-q",
                        "--shared",
                        root.toAbsolutePath().toString(),
                        "clone"))
                .isEmpty();
        Files.copy(root.resolve(SCRIPT), clone.resolve(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void oneCommandChangesEachPlace() throws Exception {
        String before = run(clone, "git", "diff", "--", ":!" + SCRIPT);
        String old = version();
        assertThat(run(clone, SCRIPT, "98.7.6-SNAPSHOT")).contains(old + " is 98.7.6-SNAPSHOT now");
        assertThat(version()).isEqualTo("98.7.6-SNAPSHOT");
        assertThat(run(clone, "git", "grep", "-lF", old, "--", ":!CHANGELOG.md", ":!docs/adr", ":!*.java"))
                .as("places with the old version")
                .isEmpty();
        assertThat(run(clone, "git", "grep", "-lF", "98.7.6", "--", "deploy", "examples", "*/openapi.json", "docs"))
                .contains(
                        "deploy/compose.yml",
                        "deploy/kubernetes/mykit-delay.yaml",
                        "examples/example-client/pom.xml",
                        "openapi.json",
                        "docs/spring-boot.md");
        assertThat(run(clone, SCRIPT, "98.7.6")).contains("98.7.6 now");
        assertThat(run(clone, SCRIPT, old)).contains(old + " now");
        assertThat(run(clone, "git", "diff", "--", ":!" + SCRIPT))
                .as("what three changes leave behind")
                .isEqualTo(before);
    }

    @Test
    void aWordThatIsNoVersionChangesNothing() throws Exception {
        assertThat(run(clone, SCRIPT, "next")).contains("next is no version like 2.1.0");
        assertThat(run(clone, SCRIPT)).contains("give the new version");
        assertThat(run(clone, "git", "diff", "--stat", "--", ":!" + SCRIPT)).isEmpty();
    }

    private String version() throws IOException {
        String pom = Files.readString(clone.resolve("pom.xml"));
        int own = pom.indexOf("<artifactId>mykit-delay</artifactId>");
        int begin = pom.indexOf("<version>", own) + "<version>".length();
        return pom.substring(begin, pom.indexOf("</version>", begin));
    }

    private static String run(Path where, String... command) throws IOException, InterruptedException {
        return LintTest.runIn(where, command).output();
    }
}
