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
import java.util.Set;

/** What it means that a statement failed. Numbers are vendors' error codes, five-character strings are SQL states. */
enum SqlFailure {
    /** A primary key is there already. */
    DUPLICATE,
    /** A lost fight for locks; the transaction was rolled back and may be tried again. */
    CONTENTION,
    /** The server cannot be reached, did not answer, or can take nothing at present. */
    UNAVAILABLE,
    /** The server is there but takes no writes: it is read-only, or full. */
    NO_WRITES,
    /** Our own fault: syntax, data too long, a missing table. */
    DEFECT;

    private static final Set<Integer> DUPLICATE_CODES = Set.of(
            1062, // MySQL ER_DUP_ENTRY
            23505); // H2

    private static final Set<Integer> CONTENTION_CODES = Set.of(
            1205, // MySQL ER_LOCK_WAIT_TIMEOUT
            1213, // MySQL ER_LOCK_DEADLOCK
            1020, // MariaDB ER_CHECKREAD, record has changed since last read
            40001, // H2 deadlock
            50200, // H2 lock timeout
            90131); // H2 concurrent update

    private static final Set<Integer> NO_WRITES_CODES = Set.of(
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
            90007, // H2 object already closed
            90020, // H2 database already open elsewhere
            90028, // H2 input/output error
            90031, // H2 input/output error of a named file
            90067, // H2 connection broken
            90098, // H2 database closed
            90121); // H2 database called at shutdown

    /** Judges by the first SQL failure in the chain of causes. */
    static SqlFailure of(Throwable failure) {
        SQLException sql = sqlException(failure);
        if (sql == null) {
            return DEFECT;
        }
        if (DUPLICATE_CODES.contains(sql.getErrorCode())) {
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

    /** One line for people, without secrets. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String outer = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return root == failure ? outer : outer + " (" + root.getMessage() + ")";
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
