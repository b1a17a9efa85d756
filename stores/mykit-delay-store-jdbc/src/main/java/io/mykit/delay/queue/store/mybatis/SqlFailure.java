package io.mykit.delay.queue.store.mybatis;

import com.alibaba.druid.pool.DataSourceClosedException;
import com.alibaba.druid.pool.DataSourceDisableException;
import com.alibaba.druid.pool.DataSourceNotAvailableException;
import com.alibaba.druid.pool.GetConnectionTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** The meaning of a failed statement. Numbers are error codes of vendors; strings of five characters are SQL states. */
enum SqlFailure {
    /** A row with this primary key exists already. */
    DUPLICATE,
    /** The transaction could not get a lock and was rolled back. It may be tried again. */
    CONTENTION,
    /** The server cannot be reached, did not answer, or accepts no statement at present. */
    UNAVAILABLE,
    /** The server is there but takes no writes: it is read-only, or full. */
    NO_WRITES,
    /** A defect of this server: wrong syntax, data too long, or a missing table. */
    DEFECT;

    private static final int DUPLICATE_CODE = 1062; // MySQL ER_DUP_ENTRY

    private static final Set<Integer> CONTENTION_CODES = Set.of(
            1205, // MySQL ER_LOCK_WAIT_TIMEOUT
            1213, // MySQL ER_LOCK_DEADLOCK
            1020, // MariaDB ER_CHECKREAD, record has changed since last read
            5, // SQLITE_BUSY: another program has the file locked
            6); // SQLITE_LOCKED

    private static final Set<Integer> NO_WRITES_CODES = Set.of(
            8, // SQLITE_READONLY
            13, // SQLITE_FULL: the disk is
            3, // MySQL EE_WRITE, error writing file
            1021, // MySQL ER_DISK_FULL
            1026, // MySQL ER_ERROR_ON_WRITE
            1030, // MySQL ER_GET_ERRNO, which is 28 (ENOSPC) in most cases
            1114, // MySQL ER_RECORD_FILE_FULL
            1290, // MySQL ER_OPTION_PREVENTS_STATEMENT: read-only, a replica
            1792, // MySQL ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
            1836); // MySQL ER_READ_ONLY_MODE

    private static final Set<Integer> UNAVAILABLE_CODES = Set.of(
            1040, // MySQL ER_CON_COUNT_ERROR
            1041, // MySQL ER_OUT_OF_RESOURCES
            1045, // MySQL ER_ACCESS_DENIED_ERROR, at login
            1053, // MySQL ER_SERVER_SHUTDOWN
            1129, // MySQL ER_HOST_IS_BLOCKED
            1130, // MySQL ER_HOST_NOT_PRIVILEGED
            1203, // MySQL ER_TOO_MANY_USER_CONNECTIONS
            1317, // MySQL ER_QUERY_INTERRUPTED
            1927, // MariaDB ER_CONNECTION_KILLED
            3024, // MySQL ER_QUERY_TIMEOUT
            3169, // MySQL ER_SESSION_WAS_KILLED
            4031, // MySQL ER_CLIENT_INTERACTION_TIMEOUT
            7, // SQLITE_NOMEM
            9, // SQLITE_INTERRUPT
            10, // SQLITE_IOERR
            11, // SQLITE_CORRUPT: the file is damaged
            14, // SQLITE_CANTOPEN
            15, // SQLITE_PROTOCOL: locks of the file do not work
            26); // SQLITE_NOTADB

    private static final int DATABASE_DENIED = 1044; // MySQL ER_DBACCESS_DENIED_ERROR
    private static final int ACCESS_DENIED = 1045; // MySQL ER_ACCESS_DENIED_ERROR
    private static final int UNKNOWN_DATABASE = 1049; // MySQL ER_BAD_DB_ERROR

    /** Judges by the first SQL failure in the chain of causes. */
    static SqlFailure of(Throwable failure) {
        SQLException sql = sqlException(failure);
        if (sql == null) {
            return DEFECT;
        }
        if (isDuplicate(sql)) {
            return DUPLICATE;
        }
        if (CONTENTION_CODES.contains(sql.getErrorCode())) {
            return CONTENTION;
        }
        if (NO_WRITES_CODES.contains(sql.getErrorCode())) {
            return NO_WRITES;
        }
        return isUnavailable(sql) ? UNAVAILABLE : DEFECT;
    }

    /** The configuration keys to correct if a wrong value made the connect fail; empty = the server is away. */
    static Optional<String> keysToCorrect(Throwable failure) {
        SQLException sql = sqlException(failure);
        if (sql == null) {
            return Optional.empty();
        }
        return switch (sql.getErrorCode()) {
            case ACCESS_DENIED -> Optional.of("mykit.delay.datasource.username and mykit.delay.datasource.password");
            case DATABASE_DENIED -> Optional.of("mykit.delay.datasource.username or the rights of this account");
            case UNKNOWN_DATABASE -> Optional.of("mykit.delay.datasource.url, or create the database");
            default ->
                String.valueOf(sql.getMessage()).startsWith("No suitable driver")
                        ? Optional.of("mykit.delay.datasource.url: jdbc:mysql://host:port/database")
                        : Optional.empty();
        };
    }

    /** One line for people, without secrets. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String outer = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return root == failure ? outer : outer + " (" + root.getMessage() + ")";
    }

    private static boolean isDuplicate(SQLException e) {
        if (e instanceof SQLiteException sqlite) {
            // SQLite has one error code for all constraints.
            return sqlite.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_PRIMARYKEY;
        }
        return e.getErrorCode() == DUPLICATE_CODE;
    }

    private static boolean isUnavailable(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLRecoverableException
                || e instanceof SQLTimeoutException
                || e instanceof GetConnectionTimeoutException
                || e instanceof DataSourceNotAvailableException
                || e instanceof DataSourceDisableException
                || e instanceof DataSourceClosedException
                || e.getCause() instanceof InterruptedException
                || (state != null && state.startsWith("08"))
                || UNAVAILABLE_CODES.contains(e.getErrorCode());
    }

    private static SQLException sqlException(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
