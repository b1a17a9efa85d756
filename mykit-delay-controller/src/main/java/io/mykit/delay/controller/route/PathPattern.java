package io.mykit.delay.controller.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of the paths that a route serves: {@code /push}, {@code /get/{topic}/ack}, {@code /job/{id...}}. A parameter is
 * one whole segment, which may be empty; a slash in it is written {@code %2F}. The parameter with the dots takes the rest
 * of the path with all its slashes. Literal parts are compared exactly. Immutable.
 */
final class PathPattern implements Comparable<PathPattern> {
    private static final Pattern PARAMETER = Pattern.compile("(?<=/)\\{(\\w+)(\\.\\.\\.)?}(?=/|$)");
    private static final Pattern TEXT = Pattern.compile("/[^{}]*");

    private final String text;
    private final List<String> names = new ArrayList<>();
    /** The literal parts: one before each parameter, and one after the last. */
    private final List<String> literals = new ArrayList<>();

    private final boolean takesRest;

    /**
     * @throws IllegalArgumentException if the text is no pattern
     */
    PathPattern(String text) {
        this.text = text;
        Matcher parameter = PARAMETER.matcher(text);
        int end = 0;
        boolean rest = false;
        while (parameter.find()) {
            require(!rest && !names.contains(parameter.group(1)));
            literals.add(text.substring(end, parameter.start()));
            names.add(parameter.group(1));
            rest = parameter.group(2) != null;
            end = parameter.end();
        }
        literals.add(text.substring(end));
        takesRest = rest;
        String last = literals.get(literals.size() - 1);
        require(rest ? last.isEmpty() : last.isEmpty() || TEXT.matcher(last).matches());
        require(literals.subList(0, names.size()).stream()
                .allMatch(literal -> TEXT.matcher(literal).matches()));
        require(!text.isEmpty());
    }

    boolean hasParameters() {
        return !names.isEmpty();
    }

    /** The parameters of a path of this form, by name; empty if the path has another form. */
    Optional<Map<String, String>> match(RequestPath path) {
        Map<String, String> values = new LinkedHashMap<>();
        String given = path.text();
        int at = 0;
        for (int i = 0; i < names.size(); i++) {
            String literal = literals.get(i);
            if (!given.startsWith(literal, at)) {
                return Optional.empty();
            }
            at += literal.length();
            boolean last = i == names.size() - 1;
            int end = takesRest && last ? given.length() : path.segmentEnd(at);
            values.put(names.get(i), given.substring(at, end));
            at = end;
        }
        return given.substring(at).equals(literals.get(names.size())) ? Optional.of(values) : Optional.empty();
    }

    /** The shape of the pattern. Two patterns of one shape serve the same paths. */
    String shape() {
        return PARAMETER.matcher(text).replaceAll("{$2}");
    }

    /**
     * The more exact pattern comes first, judged by the first segment in which two of them differ: a literal before a
     * parameter, a parameter before one that takes the rest.
     */
    @Override
    public int compareTo(PathPattern other) {
        return ranks().compareTo(other.ranks());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathPattern pattern && text.equals(pattern.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** The kinds of the segments, one character for each. */
    private String ranks() {
        StringBuilder ranks = new StringBuilder();
        for (String segment : text.substring(1).split("/", -1)) {
            ranks.append(!segment.startsWith("{") ? '0' : segment.endsWith("...}") ? '2' : '1');
        }
        return ranks.toString();
    }

    private void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("no pattern of a path: " + text);
        }
    }
}
