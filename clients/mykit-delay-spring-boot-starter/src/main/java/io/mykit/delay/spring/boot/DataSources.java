package io.mykit.delay.spring.boot;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The DataSource of the outbox among those of the application.
 *
 * @param wanted the name of the bean; empty = the only or primary one
 */
record DataSources(ListableBeanFactory beans, String wanted) {
    private static final String PROPERTY = "mykit.delay.client.outbox.data-source";

    /** @throws IllegalStateException if there is none, or there are several and none is named */
    DataSource chosen() {
        List<String> names = Arrays.asList(beans.getBeanNamesForType(DataSource.class));
        if (!wanted.isEmpty()) {
            if (!names.contains(wanted)) {
                throw new IllegalStateException(PROPERTY + " names no DataSource: " + wanted + "; there are " + names);
            }
            return beans.getBean(wanted, DataSource.class);
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new IllegalStateException(
                    names.isEmpty()
                            ? "mykit.delay.client.outbox.enabled needs a DataSource, and there is none"
                            : "there are several DataSources, " + names + ": " + PROPERTY
                                    + " has to name the one with the table of the outbox");
        }
        return only;
    }

    /** For messages. */
    String nameOf(DataSource database) {
        return beans.getBeansOfType(DataSource.class).entrySet().stream()
                .filter(bean -> bean.getValue() == database)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("of the outbox");
    }
}
