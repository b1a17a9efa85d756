package io.mykit.delay.queue.store.mybatis;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.session.Configuration;

/**
 * The texts of a mapper's statement that repeats a part for each element of a list, one text for each length of the
 * list. MyBatis creates each text once; parameters are then bound without MyBatis. Thread-safe.
 *
 * <p>Lists have few different lengths, so that few texts exist: the driver does not parse a text again that it has
 * seen on this connection. Up to {@value #STEP} every length is used, and above it multiples of that.
 */
final class SizedSql {
    /**
     * The largest number of rows of an INSERT. More rows make a text longer than the driver caches, and save hardly
     * any time.
     */
    static final int MAX_ROWS = 256;

    /** The largest number of ids in an IN list. It keeps statements within the limits of servers and drivers. */
    static final int MAX_IDS = 512;

    private static final int STEP = 16;

    private final MappedStatement statement;
    private final String list;
    private final AtomicReferenceArray<String> texts;

    private SizedSql(Configuration configuration, Class<?> mapper, String name, String list, int max) {
        this.statement = configuration.getMappedStatement(mapper.getName() + "." + name);
        this.list = list;
        this.texts = new AtomicReferenceArray<>(max + 1);
    }

    /** A statement over a list {@code ids}. */
    static SizedSql ofIds(Configuration configuration, Class<?> mapper, String name) {
        return new SizedSql(configuration, mapper, name, "ids", MAX_IDS);
    }

    /** A statement over a list {@code rows}. */
    static SizedSql ofRows(Configuration configuration, Class<?> mapper, String name) {
        return new SizedSql(configuration, mapper, name, "rows", MAX_ROWS);
    }

    /** Cuts a list into lists that fit into a statement. They are views of the parameter, in order. */
    static <T> List<List<T>> chunks(List<T> ids) {
        List<List<T>> chunks = new ArrayList<>(ids.size() / MAX_IDS + 1);
        for (int from = 0; from < ids.size(); from += MAX_IDS) {
            chunks.add(ids.subList(from, Math.min(from + MAX_IDS, ids.size())));
        }
        return chunks;
    }

    /**
     * The largest length that this number of rows fills; the other rows go into the next statement. From half of the
     * maximum on there is no length in between, because the longest texts cost the most memory.
     */
    static int filledBy(int rows) {
        if (rows >= MAX_ROWS) {
            return MAX_ROWS;
        }
        return rows <= STEP ? rows : Math.min(rows - rows % STEP, MAX_ROWS / 2);
    }

    /** The smallest length that holds this number of ids, at most {@value #MAX_IDS}. */
    static int holding(int ids) {
        return ids <= STEP ? ids : (ids + STEP - 1) / STEP * STEP;
    }

    /**
     * The text for a list of this length. It is always the same object, so that the cache of the driver need not
     * compute its hash again.
     */
    String of(int length) {
        String text = texts.get(length);
        if (text == null) {
            texts.compareAndSet(length, null, make(length));
            text = texts.get(length);
        }
        return text;
    }

    /** The text for these ids. The caller binds the ids by {@link #bind}. */
    String of(List<String> ids) {
        return of(holding(ids.size()));
    }

    /**
     * Binds ids. The last id is repeated until the list is full; the repeated id adds no row to the result.
     *
     * @param ids at most {@value #MAX_IDS}
     * @return the number of the next parameter
     */
    static int bind(PreparedStatement statement, int first, List<String> ids) throws SQLException {
        int i = first;
        for (String id : ids) {
            statement.setString(i++, id);
        }
        for (int full = first + holding(ids.size()); i < full; ) {
            statement.setString(i++, ids.get(ids.size() - 1));
        }
        return i;
    }

    private String make(int length) {
        Map<String, Object> parameters = Map.of(list, Collections.nCopies(length, ""));
        return statement.getBoundSql(parameters).getSql().strip().replaceAll("\\s+", " ");
    }
}
