package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import org.apache.ibatis.exceptions.PersistenceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqlFailureTest {
    @ParameterizedTest
    @CsvSource({
        "23000, 1062, DUPLICATE",
        "40001, 1213, CONTENTION",
        "HY000, 1205, CONTENTION",
        ", 5, CONTENTION",
        ", 8, NO_WRITES",
        ", 10, UNAVAILABLE",
        ", 11, UNAVAILABLE",
        ", 13, NO_WRITES",
        ", 1, DEFECT",
        ", 19, DEFECT",
        "08S01, 0, UNAVAILABLE",
        "08004, 1040, UNAVAILABLE",
        "HY000, 1290, NO_WRITES",
        "HY000, 1836, NO_WRITES",
        "HY000, 1114, NO_WRITES",
        "HY000, 1030, NO_WRITES",
        "28000, 1045, UNAVAILABLE",
        "42000, 1064, DEFECT",
        "22001, 1406, DEFECT",
        "23000, 1048, DEFECT",
        "42S02, 1146, DEFECT",
        "HY000, 1366, DEFECT"
    })
    void isJudgedByCodeAndState(String state, int code, SqlFailure expected) {
        SQLException failure = new SQLException("m", state, code);
        assertThat(SqlFailure.of(failure)).isEqualTo(expected);
        assertThat(SqlFailure.of(new PersistenceException("wrapped", failure))).isEqualTo(expected);
        assertThat(SqlFailure.of(new BatchUpdateException("batch", state, code, new int[0])))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "SQLITE_CONSTRAINT_PRIMARYKEY, DUPLICATE",
        "SQLITE_CONSTRAINT_NOTNULL, DEFECT",
        "SQLITE_CONSTRAINT_CHECK, DEFECT",
        "SQLITE_BUSY, CONTENTION",
        "SQLITE_BUSY_RECOVERY, CONTENTION",
        "SQLITE_FULL, NO_WRITES",
        "SQLITE_IOERR_FSYNC, UNAVAILABLE",
        "SQLITE_CORRUPT, UNAVAILABLE",
        "SQLITE_NOTADB, UNAVAILABLE",
        "SQLITE_READONLY_DIRECTORY, NO_WRITES",
        "SQLITE_CANTOPEN, UNAVAILABLE",
        "SQLITE_ERROR, DEFECT"
    })
    void ofSqliteTheResultCodeDecides(SQLiteErrorCode code, SqlFailure expected) {
        assertThat(SqlFailure.of(new SQLiteException("m", code))).isEqualTo(expected);
    }

    @Test
    void connectionFailuresNeedNoCode() {
        assertThat(SqlFailure.of(new SQLNonTransientConnectionException("gone")))
                .isEqualTo(SqlFailure.UNAVAILABLE);
    }

    @Test
    void whatIsNoSqlIsOurFault() {
        assertThat(SqlFailure.of(new PersistenceException("no such mapper"))).isEqualTo(SqlFailure.DEFECT);
    }

    @Test
    void theReasonIsOneLine() {
        SQLException failure = new SQLException("Communications link failure\n\nThe last packet ...");
        failure.initCause(new java.net.ConnectException("Connection refused"));
        assertThat(SqlFailure.reason(failure)).isEqualTo("Communications link failure (Connection refused)");
        assertThat(SqlFailure.reason(new SQLException("Access denied\nx"))).isEqualTo("Access denied");
    }
}
