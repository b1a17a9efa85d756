package io.mykit.delay.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipFilesTest {
    @TempDir
    Path dir;

    private Path file;
    private GzipFiles files;

    @BeforeEach
    void open() {
        file = dir.resolve("server.log");
        files = new GzipFiles(file, 2);
        files.start();
    }

    @Test
    void theNewestFullFileIsNumberOneAndTheOldestGoes() throws IOException {
        for (String text : new String[] {"first", "second", "third"}) {
            Files.writeString(file, text);
            files.rollover();
            awaitCompressed(text);
        }
        assertThat(unzipped(1)).isEqualTo("third");
        assertThat(unzipped(2)).isEqualTo("second");
        assertThat(dir.toFile().list()).containsExactlyInAnyOrder("server.log.1.gz", "server.log.2.gz");
    }

    @Test
    void aFileThatACrashLeftIsCompressedAtTheNextStart() throws IOException {
        Files.writeString(dir.resolve("server.log.full"), "left");
        new GzipFiles(file, 2).start();
        awaitCompressed("left");
    }

    private void awaitCompressed(String text) {
        await().until(() -> Files.exists(dir.resolve("server.log.1.gz"))
                && !Files.exists(dir.resolve("server.log.full"))
                && unzipped(1).equals(text));
    }

    private String unzipped(int number) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(dir.resolve("server.log." + number + ".gz")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
