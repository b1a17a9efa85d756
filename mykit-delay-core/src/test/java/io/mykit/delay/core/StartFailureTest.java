package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.core.embedded.DataDir;
import io.mykit.delay.core.embedded.StartException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartFailureTest {
    @TempDir
    Path dir;

    @Test
    void aSentenceForOperatorsHasNoClassName() {
        assertThat(StartFailure.report(new IllegalStateException("the database has other tables"), dir))
                .startsWith("mykit-delay cannot start: the database has other tables");
        assertThat(StartFailure.report(new ConfigException("a key is wrong"), dir))
                .startsWith("mykit-delay cannot start: a key is wrong");
    }

    @Test
    void aServerWhoseDataDirectoryIsInUseWritesNothingIntoIt() {
        try (DataDir running = new DataDir(dir);
                DataDir second = new DataDir(dir)) {
            running.start();
            StartException inUse = catchThrowableOfType(StartException.class, second::start);
            assertThat(StartFailure.report(inUse, dir)).isEqualTo("mykit-delay cannot start: " + inUse.getMessage());
            assertThat(dir.toFile().list()).containsExactly("lock");
        }
    }

    @Test
    void anotherFailureNamesItsCause() {
        Exception port = new IllegalStateException("cannot listen", new IOException(new BindException("in use")));
        assertThat(StartFailure.report(port, dir))
                .startsWith("mykit-delay cannot start: cannot listen (BindException: in use)");
        assertThat(StartFailure.report(new NullPointerException(), dir))
                .startsWith("mykit-delay cannot start: NullPointerException: null");
    }
}
