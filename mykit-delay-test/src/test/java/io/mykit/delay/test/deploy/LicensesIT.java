package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The libraries of the packaged server, and what {@code legal/} says of each. */
class LicensesIT {
    private static final Path HOME = Path.of(System.getProperty("mykit.delay.home"));
    private static final Path LEGAL = HOME.resolve("legal");
    private static final String OURS = "mykit-delay-";
    /** How files begin that a machine runs: ELF, Windows, Mach-O. */
    private static final Set<String> PROGRAMS = Set.of("7f454c46", "4d5a9000", "cffaedfe");

    @Test
    void eachLibraryIsListedOnceWithItsVersion() throws IOException {
        List<String> jars = jars().stream()
                .map(jar -> jar.getFileName().toString())
                .filter(name -> !name.startsWith(OURS))
                .toList();
        assertThat(jars).hasSizeGreaterThan(50);
        assertThat(libraries().keySet()).containsExactlyInAnyOrderElementsOf(jars);
    }

    @Test
    void eachLicenseHasItsText() throws IOException {
        assertThat(libraries()).allSatisfy((jar, licenses) -> assertThat(licenses.split(", ", -1))
                .as(jar)
                .isNotEmpty()
                .allSatisfy(license -> assertThat(LEGAL.resolve("licenses/" + license + ".txt"))
                        .isNotEmptyFile()));
    }

    @Test
    void textsThatALibraryBringsAreKept() throws IOException {
        for (Path jar : jars()) {
            for (String entry : entries(jar)) {
                if (entry.matches("(META-INF/)?(LICENSE|NOTICE)[^/]*")) {
                    assertThat(LEGAL.resolve("libraries").resolve(artifact(jar)).resolve(entry))
                            .exists();
                }
            }
        }
    }

    @Test
    void nativeProgramsAndScriptsInsideJarsAreListedWithTheirTexts() throws IOException {
        List<String> parts = lines().stream()
                .filter(line -> line.split(" \\| ", -1).length == 4)
                .toList();
        assertThat(parts).allSatisfy(part -> assertThat(LEGAL.resolve(part.replaceFirst(".* \\| ", "")))
                .isNotEmptyFile());
        Set<String> foreign = new TreeSet<>();
        for (Path jar : jars()) {
            if (hasForeignParts(jar)) {
                foreign.add(artifact(jar));
            }
        }
        assertThat(foreign).contains("sqlite-jdbc", "embedded-redis", "mykit-delay-console");
        assertThat(foreign).allSatisfy(artifact -> assertThat(parts)
                .anySatisfy(part -> assertThat(part).startsWith(artifact + " | ")));
        assertThat(parts).anySatisfy(part -> assertThat(part).contains("Preact " + preact() + ","));
    }

    @Test
    void theArchiveHasTheSameFiles() throws Exception {
        Process tar = new ProcessBuilder("tar", "-tzf", HOME + ".tar.gz")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> archived = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(name -> name.contains("/legal/") && !name.endsWith("/"))
                .map(name -> name.substring(name.indexOf("/legal/") + 1))
                .toList();
        assertThat(tar.waitFor()).isZero();
        try (Stream<Path> files = Files.walk(LEGAL)) {
            assertThat(archived)
                    .containsExactlyInAnyOrderElementsOf(files.filter(Files::isRegularFile)
                            .map(file -> HOME.relativize(file).toString())
                            .toList());
        }
    }

    /** The licenses of each jar, by its file name. */
    private static Map<String, String> libraries() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (String line : lines()) {
            String[] columns = line.split(" \\| ", -1);
            if (columns.length == 2) {
                String[] coordinates = columns[0].split(":", -1);
                assertThat(found.put(coordinates[1] + "-" + coordinates[2] + ".jar", columns[1]))
                        .as(line)
                        .isNull();
            }
        }
        return found;
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(LEGAL.resolve("THIRD-PARTY.txt"));
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(HOME.resolve("lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    private static String artifact(Path jar) {
        return jar.getFileName().toString().replaceFirst("-[0-9][^/]*$", "");
    }

    private static List<String> entries(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<String> names = new ArrayList<>();
            zip.stream().forEach(entry -> names.add(entry.getName()));
            return names;
        }
    }

    private static boolean hasForeignParts(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().matches("console/vendor/.*\\.js") || isProgram(zip, entry)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isProgram(ZipFile zip, ZipEntry entry) throws IOException {
        if (entry.isDirectory() || entry.getName().endsWith(".class")) {
            return false;
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return PROGRAMS.contains(HexFormat.of().formatHex(in.readNBytes(4)));
        }
    }

    private static String preact() throws IOException {
        String pom = Files.readString(DeployFiles.root().resolve("mykit-delay-console/pom.xml"));
        return pom.replaceFirst("(?s).*<preact.version>([^<]+)</preact.version>.*", "$1");
    }
}
