package io.mykit.delay.queue.store.mybatis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The JDBC URL of the user, with the parameters added that the store relies on. A parameter of the user wins. */
record JdbcUrl(String value) {
    private static final String MYSQL = "jdbc:mysql:";
    /** By default the driver makes a span for each statement as soon as it finds the API of OpenTelemetry, sampled or not. */
    private static final String NO_SPANS = "openTelemetry";

    private static final String DISABLED = "DISABLED";
    private static final Pattern USER_INFO = Pattern.compile("//[^/@]*@");
    private static final Pattern HOST_PASSWORD = Pattern.compile("(?i)(password=)[^,)&;]*");
    private static final Pattern AFFECTED_ROWS = Pattern.compile("(?i)[?&]useAffectedRows=(true|yes)");

    /**
     * Adds the parameters for normal operation.
     *
     * @param timeout for a connect and for every answer of the server
     * @throws IllegalArgumentException if a parameter would make the answers of the store wrong
     */
    static JdbcUrl complete(String url, Duration timeout) {
        if (Dialect.of(url) == Dialect.SQLITE) {
            return sqlite(url, timeout);
        }
        if (!isMySql(url)) {
            return new JdbcUrl(url);
        }
        if (AFFECTED_ROWS.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "mykit.delay.datasource.url: useAffectedRows=true is not supported, because the store needs the number of"
                            + " rows found; remove this parameter");
        }
        String millis = Long.toString(timeout.toMillis());
        Map<String, String> defaults = new LinkedHashMap<>();
        // The driver caches parsed texts, because parsing is expensive: the cache holds all texts of the frequent
        // statements, and the others.
        defaults.put("cachePrepStmts", "true");
        defaults.put("prepStmtCacheSize", "256");
        defaults.put("prepStmtCacheSqlLimit", "8192");
        defaults.put("useLocalSessionState", "true");
        defaults.put("connectTimeout", millis);
        defaults.put("socketTimeout", millis);
        defaults.put("connectionTimeZone", "UTC");
        defaults.put(NO_SPANS, DISABLED);
        // The wait for a lock is shorter than the wait for an answer: a lost lock can be retried, a lost connection
        // cannot.
        defaults.put("sessionVariables", "innodb_lock_wait_timeout=" + Math.max(1, timeout.toSeconds() / 2));
        return new JdbcUrl(append(url, defaults));
    }

    private static JdbcUrl sqlite(String url, Duration timeout) {
        Map<String, String> defaults = new LinkedHashMap<>();
        // A commit appends to the log and waits for the disk. Readers and the writer do not wait for each other.
        defaults.put("journal_mode", "WAL");
        defaults.put("synchronous", "FULL");
        // In bytes. A commit that finds the log longer than 4 MiB writes it into the file, and the log begins anew,
        // unless a long query still reads it. The disk space of a log that grew for such a query is freed.
        defaults.put("journal_size_limit", Integer.toString(16 << 20));
        // A negative number is in KiB. The size is for each connection.
        defaults.put("cache_size", "-8000");
        // The wait for the lock of another program that uses the file. The server itself has only one writer.
        defaults.put("busy_timeout", Long.toString(Math.max(1, timeout.toMillis() / 2)));
        return new JdbcUrl(append(url, defaults));
    }

    /** Adds the parameters for the migration, which may have to wait for the migration of another node. */
    static JdbcUrl forMigration(String url) {
        if (Dialect.of(url) == Dialect.SQLITE) {
            return complete(url, Duration.ofMinutes(1));
        }
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("connectTimeout", "5000");
        defaults.put("socketTimeout", "120000");
        defaults.put(NO_SPANS, DISABLED);
        return new JdbcUrl(isMySql(url) ? append(url, defaults) : url);
    }

    /** The URL for logs and answers, without parameters and without a password. */
    static String withoutSecrets(String url) {
        String address = url.split("[?;]", 2)[0];
        return HOST_PASSWORD
                .matcher(USER_INFO.matcher(address).replaceAll("//"))
                .replaceAll("$1***");
    }

    Dialect dialect() {
        return Dialect.of(value);
    }

    private static boolean isMySql(String url) {
        return url.startsWith(MYSQL);
    }

    private static String append(String url, Map<String, String> defaults) {
        String lower = url.toLowerCase(Locale.ROOT);
        List<String> added = new ArrayList<>();
        defaults.forEach((name, value) -> {
            String key = name.toLowerCase(Locale.ROOT) + "=";
            if (!lower.contains("?" + key) && !lower.contains("&" + key)) {
                added.add(name + "=" + value);
            }
        });
        if (added.isEmpty()) {
            return url;
        }
        String separator = !url.contains("?") ? "?" : url.endsWith("?") || url.endsWith("&") ? "" : "&";
        return url + separator + String.join("&", added);
    }

    /** Never returns the value, which may hold a password. */
    @Override
    public String toString() {
        return withoutSecrets(value);
    }
}
