package io.mykit.delay.controller.search;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchWay;
import io.mykit.delay.queue.store.RowCursor;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * The end of a page as an opaque text of letters, digits, dashes and underscores. It carries a hash of the filter, because the end
 * of one search has no meaning in another. Stateless.
 */
final class CursorText {
    private static final int HASH_BYTES = 6;
    private static final int PARTS = 4;

    private CursorText() {}

    static String of(SearchCursor cursor, SearchFilter filter) {
        String text = String.join(
                " ",
                hash(filter),
                cursor.way().word(),
                Long.toString(cursor.last().dueTimeMs()),
                row(cursor));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    static SearchCursor read(String text, SearchFilter filter) {
        String[] parts;
        SearchCursor cursor;
        try {
            parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", PARTS);
            cursor = cursor(way(parts[1]), Long.parseLong(parts[2]), parts[PARTS - 1]);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            throw invalid("after must be the next of an earlier answer");
        }
        if (!parts[0].equals(hash(filter))) {
            throw invalid("after belongs to a search with another filter; begin with the first page");
        }
        return cursor;
    }

    /** Topics and ids may have spaces, so the length of the topic tells where the id begins. */
    private static String row(SearchCursor cursor) {
        String id = cursor.last().id();
        return cursor.way() == SearchWay.TOPIC_PREFIX ? cursor.topic().length() + " " + cursor.topic() + id : id;
    }

    private static SearchCursor cursor(SearchWay way, long dueTimeMs, String row) {
        if (way != SearchWay.TOPIC_PREFIX) {
            return new SearchCursor(way, "", new RowCursor(dueTimeMs, row));
        }
        int begin = row.indexOf(' ') + 1;
        int end = Math.addExact(begin, Integer.parseInt(row.substring(0, begin - 1)));
        return new SearchCursor(way, row.substring(begin, end), new RowCursor(dueTimeMs, row.substring(end)));
    }

    private static SearchWay way(String word) {
        return Arrays.stream(SearchWay.values())
                .filter(way -> way.word().equals(word))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    /** The same on each node, and after a restart. */
    private static String hash(SearchFilter filter) {
        List<Object> parts = new ArrayList<>(List.of(
                filter.statuses().stream().sorted().toList(),
                filter.window(),
                filter.topic(),
                filter.bizKey(),
                filter.idPrefix()));
        // Nodes of the version before give the same hash to the filters that they know.
        filter.topicPrefix().ifPresent(parts::add);
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(parts.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
