package io.mykit.delay.test.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Markdown page of the documentation: its headings, links, tables and blocks of code. Immutable. */
public final class Page {
    private static final String FENCE = "```";
    private static final Pattern HEADING = Pattern.compile("(#{1,6}) (.+)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^\\p{L}\\p{N}\\- _]");
    private static final String CHINESE = ".zh-CN.md";

    final Path file;
    final String text;
    /** Lines that are not inside a block of code. */
    private final List<String> prose = new ArrayList<>();

    private final List<String> blocks = new ArrayList<>();

    private Page(Path file) {
        this.file = file;
        this.text = read(file);
        StringBuilder block = null;
        for (String line : text.lines().toList()) {
            if (line.strip().startsWith(FENCE)) {
                if (block != null) {
                    blocks.add(block.toString().stripTrailing().stripIndent() + "\n");
                }
                block = block == null ? new StringBuilder() : null;
            } else if (block != null) {
                block.append(line).append('\n');
            } else {
                prose.add(line);
            }
        }
    }

    /** @param path from the root of the repository, such as {@code docs/http-api.md} */
    public static Page of(String path) {
        return new Page(root().resolve(path));
    }

    /** Every page of the repository that users read. */
    static List<Page> all() {
        return below(root());
    }

    /** @param root of the repository or of the distribution */
    static List<Page> below(Path root) {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"));
                Stream<Path> examples = Files.walk(root.resolve("examples"))) {
            return Stream.of(top, docs, examples)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The root of the repository. */
    static Path root() {
        return Path.of(System.getProperty("mykit.delay.repo", ".."))
                .toAbsolutePath()
                .normalize();
    }

    boolean isChinese() {
        return file.toString().endsWith(CHINESE);
    }

    /** The same page in English. */
    Page english() {
        return new Page(Path.of(file.toString().replace(CHINESE, ".md")));
    }

    /** Whether a link of this page leads to an English page that exists in Chinese, too. */
    boolean isTranslated(String link) {
        String page = link.replaceFirst("#.*", "");
        return page.endsWith(".md")
                && !page.endsWith(CHINESE)
                && !page.contains(":")
                && Files.exists(file.resolveSibling(page.replaceFirst("\\.md$", CHINESE)));
    }

    public List<String> blocks() {
        return blocks;
    }

    /** Targets of links, in order. */
    List<String> links() {
        return prose.stream()
                .map(line -> CODE.matcher(line).replaceAll(""))
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> link.group(1))
                .toList();
    }

    /** The level of each heading, in order. */
    List<Integer> outline() {
        return headings().stream().map(heading -> heading.group(1).length()).toList();
    }

    /** The anchors of this page for links with a {@code #}, as GitHub makes them. */
    List<String> anchors() {
        Map<String, Integer> seen = new HashMap<>();
        return headings().stream()
                .map(heading -> anchor(heading.group(2)))
                .map(anchor -> {
                    int times = seen.merge(anchor, 1, Integer::sum);
                    return times == 1 ? anchor : anchor + "-" + (times - 1);
                })
                .toList();
    }

    /** The cells of each row of each table, without heads. */
    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < prose.size(); i++) {
            boolean head = i + 1 < prose.size() && prose.get(i + 1).startsWith("| ---");
            if (prose.get(i).startsWith("| ") && !head && !prose.get(i).startsWith("| ---")) {
                rows.add(cells(prose.get(i)));
            }
        }
        return rows;
    }

    private static List<String> cells(String row) {
        return Stream.of(row.substring(1).split("(?<!\\\\)\\|", -1))
                .map(String::strip)
                .toList();
    }

    private List<Matcher> headings() {
        return prose.stream().map(HEADING::matcher).filter(Matcher::matches).toList();
    }

    private static String anchor(String heading) {
        String plain = heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        return NO_ANCHOR
                .matcher(plain.toLowerCase(Locale.ROOT).replace("`", ""))
                .replaceAll("")
                .strip()
                .replace(' ', '-');
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return root().relativize(file).toString();
    }
}
