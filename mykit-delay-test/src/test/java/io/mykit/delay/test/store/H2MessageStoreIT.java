package io.mykit.delay.test.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class H2MessageStoreIT extends MessageStoreContract {
    @TempDir
    static Path dir;

    @Override
    protected TestDatasource emptyDatabase() {
        String url = "jdbc:h2:file:" + dir.resolve("store").toAbsolutePath() + ";MODE=MySQL;DATABASE_TO_LOWER=TRUE";
        return TestDatasource.of(url, "sa");
    }

    @Override
    protected TestDatasource inTimeZone(TestDatasource database, String zone) {
        return database.at(database.url() + ";TIME ZONE=" + zone);
    }
}
