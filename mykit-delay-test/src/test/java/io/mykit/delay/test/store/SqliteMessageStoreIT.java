package io.mykit.delay.test.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteMessageStoreIT extends MessageStoreContract {
    @TempDir
    static Path dir;

    @Override
    protected TestDatasource emptyDatabase() {
        return TestDatasource.of("jdbc:sqlite:" + dir.resolve("store.db").toUri(), "");
    }

    /** There is no session that could have one. */
    @Override
    protected TestDatasource inTimeZone(TestDatasource database, String zone) {
        return database;
    }
}
