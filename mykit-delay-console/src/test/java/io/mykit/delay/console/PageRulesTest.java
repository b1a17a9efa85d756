package io.mykit.delay.console;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules for the sources of the page that no compiler checks. */
class PageRulesTest {
    private static final int MAX_LINES = 400;
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*//.*$|(?s)/\\*\\*.*?\\*/");
    private static final Pattern QUOTED = Pattern.compile("'((?:[^'\\\\\\n]|\\\\.)*)'");
    private static final Pattern TEMPLATE = Pattern.compile("`([^`]*)`");
    private static final Pattern INSERTED = Pattern.compile("\\$\\{[^}]*}");
    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");
    /** Words that a person would read: a capital with small letters, or two words. */
    private static final Pattern PROSE = Pattern.compile("[A-Z][a-z]+( .*)?|.*[a-z]{2,} [a-z]{2,}.*");
    /** Names of HTTP, keys and zones, and lists of classes in the style sheet; none of them is read. */
    private static final Pattern NO_PROSE = Pattern.compile(
            "(?s)Authorization|Bearer |Text|Enter|Escape|Arrow(Left|Right)|Page(Up|Down)|English|[A-Z][a-z]+/[A-Z]\\w+");

    private static final Map<String, String> EN = Source.texts("en");
    private static final Map<String, String> ZH = Source.texts("zh");

    static List<Source> scripts() {
        return Source.scripts();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void noScriptWritesMarkupOrRunsText(Source script) {
        assertThat(script.text())
                .doesNotContainPattern(
                        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|dangerouslySetInnerHTML")
                .doesNotContainPattern("\\beval\\b|new Function|setTimeout\\(['\"`]|javascript:")
                .doesNotContainPattern("\\bstyle:");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void noScriptNamesAnotherSite(Source script) {
        assertThat(script.text()).doesNotContainPattern("https?://");
    }

    @Test
    void neitherDoThePageAndItsStyles() {
        assertThat(Source.read("index.html")).doesNotContainPattern("https?://|<style|style=|<script>|\\son\\w+=");
        assertThat(Source.read("console.css")).doesNotContainPattern("https?://|url\\(|@import");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aScriptHasAtMost400Lines(Source script) {
        assertThat(script.text().lines().count()).isLessThanOrEqualTo(MAX_LINES);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void onlyTheTokenIsInSessionStorageAndOnlySettingsAreInLocalStorage(Source script) {
        if (!script.name().equals("api.js")) {
            assertThat(script.text()).doesNotContain("sessionStorage");
        }
        if (!script.name().equals("settings.js")) {
            assertThat(code(script)).doesNotContain("localStorage");
        }
        assertThat(code(script)).doesNotContain("document.cookie");
    }

    /** Chinese has one form for all numbers. */
    @Test
    void bothLanguagesHaveTheSameTextsWithTheSamePlaces() {
        assertThat(ZH.keySet())
                .containsExactlyInAnyOrderElementsOf(EN.keySet().stream()
                        .filter(key -> !key.endsWith(".one"))
                        .toList());
        EN.forEach((key, text) -> assertThat(places(ZH.get(key.replaceAll("\\.one$", ".other"))))
                .as(key)
                .isEqualTo(places(text)));
    }

    @Test
    void noChineseTextIsLeftInEnglish() {
        Set<String> same = EN.keySet().stream()
                .filter(key -> EN.get(key).equals(ZH.get(key)))
                .filter(key -> EN.get(key).replaceAll("\\{\\w+}", "").matches(".*[a-z]{2,}.*"))
                .collect(toCollection(TreeSet::new));
        // Names of products, and of fields that are the same in both languages.
        assertThat(same).isSubsetOf("field.id", "part.index", "unit.kibi", "unit.mebi");
        // The rule sees texts.
        assertThat(EN).hasSizeGreaterThan(300);
    }

    /** A literal that begins as keys do is a key; one that ends with a dot is the begin of keys that a code completes. */
    @Test
    void eachKeyExistsAndIsUsed() {
        Set<String> keys =
                EN.keySet().stream().map(PageRulesTest::withoutPlural).collect(toCollection(TreeSet::new));
        Set<String> spaces = keys.stream()
                .filter(key -> key.contains("."))
                .map(key -> key.replaceAll("\\..*", ""))
                .collect(toCollection(TreeSet::new));
        Set<String> literals =
                scripts().stream().flatMap(script -> literals(code(script))).collect(toCollection(TreeSet::new));
        Set<String> named = literals.stream()
                .filter(text -> text.matches("[a-z]\\w*(\\.\\w+)+") && spaces.contains(text.replaceAll("\\..*", "")))
                .collect(toCollection(TreeSet::new));
        assertThat(keys).containsAll(named);
        List<String> begins = literals.stream()
                .filter(text -> text.matches("[a-z][\\w.]*\\."))
                .toList();
        assertThat(keys).allSatisfy(key -> assertThat(
                        literals.contains(key) || begins.stream().anyMatch(key::startsWith))
                .as(key)
                .isTrue());
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void textForReadersIsInTheLanguages(Source script) {
        String code = code(script).replaceAll("class: *'[^']*'( \\+)?|import .*|\\bkind: *'[^']*'|new Set\\(.*", "");
        assertThat(literals(code).filter(text -> PROSE.matcher(text).matches()).filter(text -> !NO_PROSE.matcher(text)
                        .matches()))
                .isEmpty();
    }

    @Test
    void theRulesSeeAViolation() {
        assertThat(PROSE.matcher("Delete all").matches()).isTrue();
        assertThat(PROSE.matcher("are you sure").matches()).isTrue();
        assertThat(places("{n} of {of}")).containsExactly("{n}", "{of}");
    }

    private static String code(Source script) {
        return COMMENT.matcher(script.text()).replaceAll("");
    }

    /** The texts in quotation marks, and the texts of templates around what they insert. */
    private static Stream<String> literals(String code) {
        return Stream.concat(
                QUOTED.matcher(code).results().map(literal -> literal.group(1)),
                TEMPLATE.matcher(code).results().flatMap(literal -> INSERTED.splitAsStream(literal.group(1))));
    }

    private static String withoutPlural(String key) {
        return key.replaceAll("\\.(one|other)$", "");
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }

    /** A script or a language of the page. */
    record Source(String name, String text) {
        private static final Pattern ENTRY = Pattern.compile("(?m)^\"([^\"]+)\": \"((?:[^\"\\\\]|\\\\.)*)\",?$");

        static List<Source> scripts() {
            return ConsoleAssets.FILES.stream()
                    .filter(name -> name.endsWith(".js") && !name.startsWith("vendor/"))
                    .map(name -> new Source(name, read(name)))
                    .toList();
        }

        /** The texts of a language; the file has one on each line. */
        static Map<String, String> texts(String language) {
            String file = read("i18n/" + language + ".json");
            Map<String, String> texts = new LinkedHashMap<>();
            ENTRY.matcher(file).results().forEach(entry -> texts.put(entry.group(1), entry.group(2)));
            assertThat(texts).hasSize((int) file.lines().count() - 2);
            return texts;
        }

        static String read(String name) {
            try (java.io.InputStream in = ConsoleAssets.class.getResourceAsStream("/console/" + name)) {
                return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
