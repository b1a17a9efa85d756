package io.mykit.delay.test.bench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Figures as a Markdown table with columns of even width. */
public final class Table {
    private static final List<String> HEAD = List.of("line", "what", "figure", "raw ceiling", "ratio", "target", "");

    private Table() {}

    public static String of(List<Figure> figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        figures.forEach(figure -> rows.add(row(figure)));
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        String rule = IntStream.of(widths).mapToObj("-"::repeat).collect(Collectors.joining(" | ", "| ", " |"));
        Stream<String> body = rows.stream().skip(1).map(row -> text(row, widths));
        return Stream.concat(Stream.of(text(HEAD, widths), rule), body).collect(Collectors.joining("\n", "", "\n"));
    }

    private static List<String> row(Figure figure) {
        boolean alone = Double.isNaN(figure.raw());
        return List.of(
                figure.line(),
                figure.what(),
                Numbers.text(figure.value()) + " " + figure.unit(),
                alone ? "" : Numbers.text(figure.raw()) + " (" + figure.ceiling() + ")",
                alone ? "" : Numbers.text(figure.ratio()),
                figure.target() == null ? "" : figure.target().toString(),
                figure.verdict());
    }

    private static String text(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths[column] - row.get(column).length()))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }
}
