package io.mykit.delay.config;

import static io.mykit.delay.config.ConfigKeys.ROOT;

import io.mykit.delay.common.tls.TlsFileException;
import io.mykit.delay.common.tls.TlsFiles;
import io.mykit.delay.common.tls.TlsPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the certificate of the server's ports. It reads the files. Stateless. */
final class TlsCheck {
    private static final String SECTION = ROOT + ".http.tls.";
    private static final Map<TlsPart, String> KEYS = Map.of(
            TlsPart.CERTIFICATE, SECTION + "certificate",
            TlsPart.KEY, SECTION + "key",
            TlsPart.CLIENT_CA, SECTION + "client-ca");

    private TlsCheck() {}

    static void run(TlsConfig tls, Problems problems) {
        needs(problems, TlsPart.CERTIFICATE, tls.certificate(), TlsPart.KEY, tls.key());
        needs(problems, TlsPart.KEY, tls.key(), TlsPart.CERTIFICATE, tls.certificate());
        needs(problems, TlsPart.CLIENT_CA, tls.clientCa(), TlsPart.CERTIFICATE, tls.certificate());
        TlsConfig.files(tls).ifPresent(files -> {
            try {
                files.read().parse();
            } catch (TlsFileException e) {
                problems.add(KEYS.get(e.part()), files.of(e.part()), e.getMessage());
            }
        });
    }

    /** Things that work but are probably a mistake. A file that cannot be used is none of them. */
    static List<String> warnings(TlsConfig tls) {
        List<String> warnings = new ArrayList<>();
        TlsConfig.files(tls).ifPresent(files -> {
            if (files.isKeyOpen()) {
                warnings.add(KEYS.get(TlsPart.KEY) + " = " + files.key()
                        + " can be read by every user of this machine: chmod o-r");
            }
            invalidity(files)
                    .ifPresent(why -> warnings.add(KEYS.get(TlsPart.CERTIFICATE) + " = " + files.certificate() + " "
                            + why + ": clients refuse it until the file is replaced"));
        });
        return warnings;
    }

    private static Optional<String> invalidity(TlsFiles files) {
        try {
            return files.read().parse().invalidity();
        } catch (TlsFileException e) {
            // It is a problem of the configuration, and run() names it.
            return Optional.empty();
        }
    }

    private static void needs(
            Problems problems, TlsPart part, Optional<Path> given, TlsPart needed, Optional<Path> other) {
        given.filter(file -> other.isEmpty())
                .ifPresent(
                        file -> problems.add(KEYS.get(part), file, "needs " + KEYS.get(needed) + ", which is missing"));
    }
}
