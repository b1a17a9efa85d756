package io.mykit.delay.queue.store.mybatis;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.session.Configuration;

/**
 * A mapper's statement that repeats a part for each element of a list, as text for a list of each length. MyBatis makes
 * the text once for each length; parameters are then bound by hand. Thread-safe.
 */
final class SizedSql {
    private final MappedStatement statement;
    private final String list;
    private final AtomicReferenceArray<String> texts;

    /**
     * @param list the name by which the statement calls its list
     * @param max the longest list
     */
    SizedSql(Configuration configuration, Class<?> mapper, String name, String list, int max) {
        this.statement = configuration.getMappedStatement(mapper.getName() + "." + name);
        this.list = list;
        this.texts = new AtomicReferenceArray<>(max + 1);
    }

    /** Always the same object for the same length, whose hash the driver's cache need not compute again. */
    String of(int length) {
        String text = texts.get(length);
        if (text == null) {
            texts.compareAndSet(length, null, make(length));
            text = texts.get(length);
        }
        return text;
    }

    private String make(int length) {
        Map<String, Object> parameters = Map.of(list, Collections.nCopies(length, ""));
        return statement.getBoundSql(parameters).getSql().strip().replaceAll("\\s+", " ");
    }
}
