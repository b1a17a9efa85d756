package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What differs from database to database.
 *
 * @param file the script of the table
 * @param now the time of the database in epoch milliseconds
 * @param skipsLocked whether a SELECT passes over rows that another relay is about to take
 */
record Dialect(String file, String now, boolean skipsLocked) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?");
    private static final String PACKAGE = "io/mykit/delay/outbox/";

    // UTC: the local time of a session has an hour twice a year that comes twice.
    private static final String MYSQL_NOW =
            "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)";
    // now() would be the begin of the transaction.
    private static final String POSTGRESQL_NOW = "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)";
    private static final String H2_NOW =
            "DATEDIFF('MILLISECOND', TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP)";

    /** @throws IllegalStateException if the database is none of those that are known */
    static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return of(database.getDatabaseProductName(), database.getDatabaseProductVersion());
    }

    static Dialect of(String product, String version) {
        String name = product.toLowerCase(Locale.ROOT);
        if (name.contains("mariadb") || version.toLowerCase(Locale.ROOT).contains("mariadb")) {
            // The version of MariaDB stands behind a 5.5.5- for old clients of MySQL.
            return new Dialect(PACKAGE + "mysql.sql", MYSQL_NOW, isAtLeast(version.replace("5.5.5-", ""), 10, 6, 0));
        }
        return switch (name) {
            case "mysql" -> new Dialect(PACKAGE + "mysql.sql", MYSQL_NOW, isAtLeast(version, 8, 0, 1));
            case "postgresql" -> new Dialect(PACKAGE + "postgresql.sql", POSTGRESQL_NOW, true);
            case "h2" -> new Dialect(PACKAGE + "h2.sql", H2_NOW, isAtLeast(version, 2, 2, 220));
            default ->
                throw new IllegalStateException(
                        "the outbox knows MySQL, MariaDB, PostgreSQL and H2, and not " + product + " " + version);
        };
    }

    private static boolean isAtLeast(String version, int major, int minor, int patch) {
        Matcher found = VERSION.matcher(version);
        if (!found.find()) {
            return false;
        }
        int[] least = {major, minor, patch};
        for (int i = 0; i < least.length; i++) {
            String part = found.group(i + 1);
            int number = part == null ? 0 : Integer.parseInt(part);
            if (number != least[i]) {
                return number > least[i];
            }
        }
        return true;
    }
}
