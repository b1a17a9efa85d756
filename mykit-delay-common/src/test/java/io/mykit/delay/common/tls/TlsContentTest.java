package io.mykit.delay.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mykit.delay.common.value.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files in {@code tls/} were made by OpenSSL and keytool, for these tests only. */
class TlsContentTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @CsvSource({"rsa, rsa", "rsa, rsa-pkcs1", "ec, ec", "ec, ec-sec1", "ec384, ec384-sec1", "ed25519, ed25519"})
    void readsEachUsualFormOfAKey(String certificate, String key) throws Exception {
        ServerCertificate read = content(certificate, key, Optional.of("rsa")).parse();
        assertThat(read.subject()).isEqualTo("CN=delay.example.org");
        assertThat(read.keys().getKeyManagers()).hasSize(1);
        assertThat(read.clients()).isPresent();
        assertThat(read.invalidity()).isEmpty();
        assertThat(read.expires()).isAfter(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(content(certificate, key, Optional.empty()).parse().clients())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ec      | rsa             | KEY         | is not the key of this certificate",
                "ec      | ec384-sec1      | KEY         | is not the key of this certificate",
                "ec      | encrypted       | KEY         | is encrypted: openssl pkey",
                "rsa     | encrypted-pkcs1 | KEY         | is encrypted: openssl pkey",
            })
    void namesTheFileThatCannotBeUsed(String certificate, String key, TlsPart part, String message) {
        assertRefused(content(certificate, key, Optional.empty()), part, message);
    }

    @Test
    void namesWhatIsMissingInAFile() {
        String pem = text("ec.pem");
        String key = text("ec.key");
        assertRefused(new TlsContent(key, new Secret(key), Optional.empty()), TlsPart.CERTIFICATE, "no certificate");
        assertRefused(new TlsContent(pem, new Secret(pem), Optional.empty()), TlsPart.KEY, "no private key");
        assertRefused(new TlsContent(pem, new Secret(""), Optional.empty()), TlsPart.KEY, "no private key");
        assertRefused(
                new TlsContent(pem, new Secret(key), Optional.of("")), TlsPart.CLIENT_CA, "no certificate in PEM");
        assertRefused(
                new TlsContent(pem + pem.substring(0, 200), new Secret(key), Optional.empty()),
                TlsPart.CERTIFICATE,
                "has no end");
        String damaged = pem.replace(pem.substring(100, 140), "A".repeat(40));
        assertRefused(
                new TlsContent(damaged, new Secret(key), Optional.empty()), TlsPart.CERTIFICATE, "cannot be read");
        assertRefused(
                new TlsContent(text("rsa.pem") + pem, new Secret(key), Optional.empty()),
                TlsPart.KEY,
                "must come first");
    }

    @Test
    void textAndTheKeyMayStandInTheFileOfTheCertificate() throws Exception {
        String both = "a comment\n" + text("ec.pem") + text("ec.key");
        assertThat(new TlsContent(both, new Secret(both), Optional.empty())
                        .parse()
                        .subject())
                .isEqualTo("CN=delay.example.org");
    }

    @Test
    void anExpiredCertificateIsReadAndTellsSo() throws Exception {
        assertThat(content("expired", "expired", Optional.empty()).parse().invalidity())
                .contains("expired at 2020-02-01T00:00:00Z");
    }

    @Test
    void filesAreNamedAndTheKeyIsNoSecretIfAllMayReadIt() throws Exception {
        Path pem = Files.writeString(dir.resolve("a.pem"), text("ec.pem"));
        Path key = dir.resolve("a.key");
        TlsFiles files = new TlsFiles(pem, key, Optional.empty());
        TlsFileException missing = catchThrowableOfType(TlsFileException.class, files::read);
        assertThat(missing).hasMessage("there is no such file");
        assertThat(files.of(missing.part())).isEqualTo(key);
        Files.writeString(key, text("ec.key"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(files.isKeyOpen()).isFalse();
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(files.isKeyOpen()).isTrue();
        assertThat(files.read().toString()).doesNotContain("PRIVATE KEY");
        assertThat(files.read()).isEqualTo(files.read());
    }

    private static void assertRefused(TlsContent content, TlsPart part, String message) {
        TlsFileException refused = catchThrowableOfType(TlsFileException.class, content::parse);
        assertThat(refused).hasMessageContaining(message);
        assertThat(refused.part()).isEqualTo(part);
    }

    private static TlsContent content(String certificate, String key, Optional<String> clientCa) {
        return new TlsContent(
                text(certificate + ".pem"), new Secret(text(key + ".key")), clientCa.map(name -> text(name + ".pem")));
    }

    private static String text(String name) {
        try (InputStream in = TlsContentTest.class.getResourceAsStream("/tls/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
