package io.mykit.delay.common.tls;

import io.mykit.delay.common.value.Secret;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The text of the files at one moment. Equal contents are the same certificate. Immutable.
 *
 * @param certificate PEM
 * @param key PEM
 * @param clientCa PEM
 */
public record TlsContent(String certificate, Secret key, Optional<String> clientCa) {
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final Pattern BLOCK = Pattern.compile(BEGIN + "[^-]*-----END CERTIFICATE-----");

    public ServerCertificate parse() throws TlsFileException {
        List<X509Certificate> chain = certificates(TlsPart.CERTIFICATE, certificate);
        PrivateKey secret = PemKey.parse(key);
        if (!fits(secret, chain.get(0).getPublicKey())) {
            boolean ofAnother = chain.stream().anyMatch(each -> fits(secret, each.getPublicKey()));
            throw new TlsFileException(
                    TlsPart.KEY,
                    ofAnother
                            ? "is not the key of the first certificate: the server's own must come first in its file"
                            : "is not the key of this certificate");
        }
        List<X509Certificate> authorities =
                clientCa.isEmpty() ? List.of() : certificates(TlsPart.CLIENT_CA, clientCa.get());
        return new ServerCertificate(chain, secret, authorities);
    }

    private static List<X509Certificate> certificates(TlsPart part, String pem) throws TlsFileException {
        // Other text and other blocks may stand between certificates.
        List<String> blocks =
                BLOCK.matcher(pem).results().map(MatchResult::group).toList();
        if (blocks.isEmpty() || blocks.size() < pem.split(BEGIN, -1).length - 1) {
            throw new TlsFileException(
                    part,
                    blocks.isEmpty()
                            ? "there is no certificate in PEM in it (" + BEGIN + ")"
                            : "a certificate in it has no end");
        }
        try {
            byte[] bytes = String.join("\n", blocks).getBytes(StandardCharsets.ISO_8859_1);
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new TlsFileException(part, "a certificate in it cannot be read", e);
        }
    }

    /** Whether the public key verifies what the private key signs. */
    private static boolean fits(PrivateKey secret, PublicKey known) {
        String algorithm =
                switch (secret.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> secret.getAlgorithm();
                };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(secret);
            signature.update((byte) 1);
            byte[] signed = signature.sign();
            signature.initVerify(known);
            signature.update((byte) 1);
            return signature.verify(signed);
        } catch (GeneralSecurityException otherKind) {
            return false;
        }
    }
}
