package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files in {@code tls/} were made by OpenSSL and keytool, for these tests only. */
class TlsCheckTest {
    private static final String SECTION = "mykit.delay.http.tls.";

    @TempDir
    private Path dir;

    @BeforeEach
    void copy() throws IOException {
        for (String name : List.of("ec.pem", "ec.key", "rsa.key", "encrypted.key", "expired.pem", "expired.key")) {
            try (InputStream in = TlsCheckTest.class.getResourceAsStream("/tls/" + name)) {
                Files.copy(in, dir.resolve(name));
            }
            Files.setPosixFilePermissions(dir.resolve(name), PosixFilePermissions.fromString("rw-r-----"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificate=ec.pem                          | certificate | needs mykit.delay.http.tls.key, which is missing",
                "key=ec.key                                  | key         | needs mykit.delay.http.tls.certificate",
                "client-ca=ec.pem                            | client-ca   | needs mykit.delay.http.tls.certificate",
                "certificate=no.pem key=ec.key               | certificate | there is no such file",
                "certificate=ec.pem key=no.key               | key         | there is no such file",
                "certificate=ec.pem key=ec.key client-ca=no  | client-ca   | there is no such file",
                "certificate=ec.key key=ec.key               | certificate | there is no certificate in PEM",
                "certificate=ec.pem key=rsa.key              | key         | is not the key of this certificate",
                "certificate=ec.pem key=encrypted.key        | key         | is encrypted",
                "certificate=ec.pem key=ec.key client-ca=ec.key | client-ca | there is no certificate in PEM",
            })
    void namesTheKeyTheFileAndTheProblem(String given, String key, String problem) {
        assertThatThrownBy(() -> load(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(SECTION + key + " = " + dir)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("PRIVATE KEY-----\nM");
    }

    @Test
    void whatCanBeUsedHasNoWarning() {
        LoadedConfig loaded = load("certificate=ec.pem key=ec.key client-ca=ec.pem");
        assertThat(loaded.warnings()).isEmpty();
        assertThat(TlsConfig.files(loaded.config().http().tls())).isPresent();
        assertThat(TlsConfig.scheme(loaded.config().http().tls())).isEqualTo("https");
        LoadedConfig plain = load("");
        assertThat(TlsConfig.files(plain.config().http().tls())).isEmpty();
        assertThat(TlsConfig.scheme(plain.config().http().tls())).isEqualTo("http");
    }

    /** A server with an expired certificate still delivers. */
    @Test
    void warnsOfAnExpiredCertificateAndOfAKeyThatAllMayRead() throws IOException {
        Files.setPosixFilePermissions(dir.resolve("expired.key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(load("certificate=expired.pem key=expired.key").warnings())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .contains(SECTION + "key", "expired.key can be read by every user of this machine"))
                .anySatisfy(line -> assertThat(line)
                        .contains(SECTION + "certificate", "expired at 2020-02-01T00:00:00Z: clients refuse it"));
    }

    private LoadedConfig load(String given) {
        Map<String, String> settings = new HashMap<>();
        for (String pair : given.isEmpty() ? new String[0] : given.split(" ", -1)) {
            String[] parts = pair.split("=", -1);
            settings.put(SECTION + parts[0], dir.resolve(parts[1]).toString());
        }
        return ConfigLoader.loadWithChannels(settings);
    }
}
