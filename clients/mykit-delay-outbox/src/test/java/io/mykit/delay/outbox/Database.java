package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A database in memory. */
record Database(DataSource source) {
    static Database empty() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return new Database(source);
    }

    static Database withTable() throws SQLException {
        Database database = empty();
        database.execute(DelayOutbox.ddl("h2", "mykit_delay_outbox").toArray(String[]::new));
        return database;
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The statements of an application. */
    interface Work {
        void run(Connection connection) throws SQLException;
    }

    void commit(Work work) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
    }

    /** The number in the first row. */
    long first(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
