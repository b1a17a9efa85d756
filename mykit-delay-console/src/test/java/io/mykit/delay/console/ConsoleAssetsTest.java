package io.mykit.delay.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class ConsoleAssetsTest {
    private static final int KIB = 1024;
    private static final Pattern LOCAL = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private static final Pattern IMPORT = Pattern.compile("from '([^']+)'");

    private final ConsoleAssets assets = new ConsoleAssets();

    @Test
    void thePageNamesFilesThatAreThere() {
        String page = text(assets.find("").orElseThrow());
        List<String> named =
                LOCAL.matcher(page).results().map(link -> link.group(1)).toList();
        assertThat(named).hasSize(5).allSatisfy(path -> {
            assertThat(path).matches("a/[0-9a-f]{16}/.+");
            assertThat(assets.find(path)).isPresent();
        });
    }

    @Test
    void onlyThePageMayChangeUnderItsPath() {
        assertThat(assets.find("").orElseThrow().isImmutable()).isFalse();
        assertThat(assets.find("index.html")).isEqualTo(assets.find(""));
        assets.assets()
                .forEach((path, asset) ->
                        assertThat(asset.isImmutable()).as(path).isEqualTo(!path.equals("index.html")));
    }

    @Test
    void anotherPathIsNoFile() {
        assertThat(assets.find("app.js")).isEmpty();
        assertThat(assets.find("a/0000000000000000/app.js")).isEmpty();
        assertThat(assets.find("../console/index.html")).isEmpty();
    }

    @Test
    void gzipHoldsTheSameBytes() {
        assets.assets().forEach((path, asset) -> {
            assertThat(unpacked(asset)).as(path).isEqualTo(asset.bytes());
            assertThat(asset.etag()).matches("\"[0-9a-f]{16}\"");
        });
    }

    @Test
    void eachKindOfFileHasItsType() {
        Map<String, String> types = Map.of(
                "app.js", "text/javascript; charset=utf-8",
                "console.css", "text/css; charset=utf-8",
                "i18n/zh.json", "application/json; charset=utf-8",
                "icon.svg", "image/svg+xml",
                "vendor/LICENSE", "text/plain; charset=utf-8");
        types.forEach(
                (name, type) -> assertThat(byName(name).contentType()).as(name).isEqualTo(type));
        assertThat(assets.find("").orElseThrow().contentType()).isEqualTo("text/html; charset=utf-8");
    }

    @Test
    void theListNamesEachFileOfTheFolder() throws IOException {
        Path folder = Path.of("src/main/resources/console");
        try (Stream<Path> files = Files.walk(folder)) {
            List<String> own = files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .toList();
            assertThat(ConsoleAssets.FILES.stream().filter(name -> !name.startsWith("vendor/")))
                    .containsExactlyInAnyOrderElementsOf(own);
        }
    }

    @Test
    void allFilesAreAtMost100KibOfGzip() {
        int all = assets.assets().values().stream()
                .mapToInt(asset -> asset.gzip().length)
                .sum();
        assertThat(all).isLessThanOrEqualTo(100 * KIB);
    }

    /** The first page with the scripts that it imports, its styles, and the texts of one language. */
    @Test
    void whatTheOverviewLoadsIsAtMost60KibOfGzip() {
        Set<String> loaded = new TreeSet<>(
                Set.of("console.css", "icon.svg", "i18n/zh.json", "vendor/preact.min.umd.js", "vendor/hooks.umd.js"));
        addImports("app.js", loaded);
        assertThat(loaded).contains("pages/overview.js", "chart.js").doesNotContain("pages/messages.js");
        int sum = assets.find("").orElseThrow().gzip().length
                + loaded.stream().mapToInt(name -> byName(name).gzip().length).sum();
        assertThat(sum).isLessThanOrEqualTo(60 * KIB);
    }

    private void addImports(String name, Set<String> found) {
        if (found.add(name)) {
            Path folder = Path.of("/" + name).getParent();
            IMPORT.matcher(text(byName(name))).results().forEach(line -> {
                Path imported = folder.resolve(line.group(1)).normalize();
                addImports(imported.toString().substring(1), found);
            });
        }
    }

    private ConsoleAsset byName(String name) {
        return assets.assets().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("/" + name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private static String text(ConsoleAsset asset) {
        return new String(asset.bytes(), UTF_8);
    }

    private static byte[] unpacked(ConsoleAsset asset) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(asset.gzip()))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
