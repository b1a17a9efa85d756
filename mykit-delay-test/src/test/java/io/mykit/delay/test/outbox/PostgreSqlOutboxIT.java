package io.mykit.delay.test.outbox;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** An application with PostgreSQL. */
@Tag("long")
@EnabledIf(value = "isInstalled", disabledReason = "PostgreSQL is not installed: apt install postgresql")
class PostgreSqlOutboxIT extends OutboxContract {
    private PostgreSqlServer postgreSql;

    static boolean isInstalled() {
        return PostgreSqlServer.programs().isPresent();
    }

    @BeforeAll
    void startPostgreSql() {
        postgreSql = PostgreSqlServer.start();
    }

    @AfterAll
    void stopPostgreSql() {
        if (postgreSql != null) {
            postgreSql.close();
        }
    }

    @Override
    String script() {
        return "postgresql";
    }

    @Override
    UrlDataSource freshDatabase() {
        return new UrlDataSource(postgreSql.freshDatabase("outbox"), PostgreSqlServer.USER);
    }

    @Override
    String zone() {
        return "SET TIME ZONE 'Asia/Shanghai'";
    }
}
