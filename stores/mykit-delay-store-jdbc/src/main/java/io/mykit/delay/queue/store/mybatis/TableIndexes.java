package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads which indexes a table has. Stateless. */
final class TableIndexes {
    private TableIndexes() {}

    /** The columns of each index by its name, in lower case. */
    static Map<String, List<String>> of(Connection connection, String table) throws SQLException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        // Approximate: the driver must not let the database count rows.
        try (ResultSet rows =
                connection.getMetaData().getIndexInfo(connection.getCatalog(), null, table, false, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index != null && column != null) {
                    columns.computeIfAbsent(index.toLowerCase(Locale.ROOT), any -> new ArrayList<>())
                            .add(column.toLowerCase(Locale.ROOT));
                }
            }
        }
        return columns;
    }
}
