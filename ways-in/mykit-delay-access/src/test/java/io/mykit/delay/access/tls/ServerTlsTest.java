package io.mykit.delay.access.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.tls.ServerCertificate;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The looks at the files, made by hand. The files in {@code tls/} were made by OpenSSL and keytool, for these tests only. */
class ServerTlsTest {
    @TempDir
    private Path dir;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<ServerCertificate> told = new ArrayList<>();
    private ServerTls tls;
    private ServerCertificate first;

    @BeforeEach
    void open() throws IOException {
        write("ec.pem", "crt");
        write("ec.key", "key");
        tls = tls();
        tls.onChange(told::add);
        first = tls.current();
    }

    private ServerTls tls() {
        DelayConfig config = ConfigLoader.load(Map.of(
                "mykit.delay.http.tls.certificate", dir.resolve("crt").toString(),
                "mykit.delay.http.tls.key", dir.resolve("key").toString()));
        return ServerTls.of(config.http(), InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")), meters)
                .orElseThrow();
    }

    @Test
    void withoutACertificateThereIsNoTls() {
        assertThat(ServerTls.of(ConfigLoader.load(Map.of()).http(), InstantSource.system(), meters))
                .isEmpty();
    }

    @Test
    void changedFilesAreUsedAtTheSecondLookThatFindsThemSo() throws IOException {
        write("rsa.key", "key");
        tls.look();
        write("rsa.pem", "crt");
        tls.look();
        assertThat(tls.current()).as("the files still change").isSameAs(first);
        tls.look();
        assertThat(told).containsExactly(tls.current()).doesNotContain(first);
        tls.look();
        assertThat(told).hasSize(1);
        assertThat(tls.check().up()).isTrue();
        assertThat(reloads("taken")).isEqualTo(1);
        assertThat(reloads("refused")).isZero();
    }

    @Test
    void filesThatCannotBeUsedAreToldOnceAndChangeNothing() throws IOException {
        write("rsa.key", "key");
        look(5);
        assertThat(tls.current()).isSameAs(first);
        assertThat(tls.check().up()).isFalse();
        assertThat(tls.check().details()).hasEntrySatisfying("reason", reason -> assertThat(reason)
                .asString()
                .contains(dir.resolve("key") + ": is not the key of this certificate"));
        assertThat(meters.get("mykit.delay.tls.files.refused").gauge().value()).isEqualTo(1);
        assertThat(reloads("refused")).isEqualTo(1);

        Files.delete(dir.resolve("key"));
        look(2);
        assertThat(tls.check().details())
                .hasEntrySatisfying(
                        "reason", reason -> assertThat(reason).asString().contains("there is no such file"));
        write("ec.key", "key");
        look(2);
        assertThat(tls.check().up()).as("the first files again").isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void anExpiredCertificateReplacesNoValidOne() throws IOException {
        write("expired.pem", "crt");
        write("expired.key", "key");
        look(2);
        assertThat(tls.current()).isSameAs(first);
        assertThat(tls.check().details().get("reason")).asString().contains("expired at 2020-02-01T00:00:00Z");
    }

    @Test
    void aServerWithAnExpiredCertificateTellsSoUntilItHasAnother() throws IOException {
        write("expired.pem", "crt");
        write("expired.key", "key");
        tls = tls();
        assertThat(tls.check().up()).isFalse();
        assertThat(tls.check().details().get("reason")).asString().contains("the certificate expired at");
        write("rsa.pem", "crt");
        write("rsa.key", "key");
        look(2);
        assertThat(tls.check().up()).isTrue();
    }

    @Test
    void aPortThatCannotUseTheCertificateIsAskedAgain() throws IOException {
        List<String> asked = new ArrayList<>();
        tls.onChange(next -> {
            asked.add("");
            if (asked.size() < 2) {
                throw new IllegalStateException("not now");
            }
        });
        write("rsa.pem", "crt");
        write("rsa.key", "key");
        tls.look();
        assertThatThrownBy(tls::look).hasMessage("not now");
        assertThat(reloads("taken")).isZero();
        tls.look();
        assertThat(reloads("taken")).isEqualTo(1);
        assertThat(tls.current()).isNotSameAs(first);
        assertThat(told).hasSize(2).last().isSameAs(tls.current());
    }

    /** Those that were told before it have the other certificate. */
    @Test
    void whenAPortCannotUseTheCertificateTheOneBeforeIsToldAgain() throws IOException {
        List<String> asked = new ArrayList<>();
        tls.onChange(next -> {
            asked.add(next.subject());
            if (asked.size() < 2) {
                throw new IllegalStateException("not now");
            }
        });
        write("rsa.pem", "crt");
        write("rsa.key", "key");
        tls.look();
        assertThatThrownBy(tls::look).hasMessage("not now");
        write("ec.pem", "crt");
        write("ec.key", "key");
        look(2);
        assertThat(asked).hasSize(2);
        assertThat(told).last().isSameAs(tls.current());
        assertThat(tls.current().expires()).isEqualTo(first.expires());
    }

    @Test
    void aPortThatBeginsWhileOthersAreToldReadsTheNewCertificate() throws IOException {
        List<ServerCertificate> read = new ArrayList<>();
        tls.onChange(next -> read.add(tls.current()));
        write("rsa.pem", "crt");
        write("rsa.key", "key");
        look(2);
        assertThat(read).hasSize(1).isEqualTo(told);
    }

    @Test
    void theMetricTellsTheTimeThatIsLeft() {
        double left = meters.get("mykit.delay.tls.certificate.expires").gauge().value();
        assertThat(Instant.parse("2026-01-01T00:00:00Z").plusSeconds((long) left))
                .isEqualTo(first.expires());
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            tls.look();
        }
    }

    private double reloads(String outcome) {
        return meters.get("mykit.delay.tls.reloads")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private void write(String resource, String name) throws IOException {
        try (InputStream in = ServerTlsTest.class.getResourceAsStream("/tls/" + resource)) {
            Files.copy(in, dir.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
