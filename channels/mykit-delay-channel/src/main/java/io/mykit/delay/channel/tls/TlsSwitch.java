package io.mykit.delay.channel.tls;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import java.util.ArrayList;
import java.util.List;

/** The keys of a channel that turns TLS on by a key of its own: {@code tls}, {@code tls-verify-host}, and the certificates. Immutable. */
public final class TlsSwitch {
    private final ChannelKey<Boolean> use;
    private final ChannelKey<Boolean> verifyHost;
    private final TlsKeys certificates = new TlsKeys("");

    /**
     * @param use explains {@code tls}
     * @param host says which host name a certificate must have, as in {@code the host name of its broker}
     */
    public TlsSwitch(String use, String host) {
        this.use = ChannelKey.truth("tls", use).withDefault("false");
        this.verifyHost = ChannelKey.truth(
                        "tls-verify-host",
                        "Whether a certificate must be issued for " + host
                                + ". false = the client accepts any certificate that" + " trust-store trusts.")
                .withDefault("true");
    }

    public List<ChannelKey<?>> all() {
        List<ChannelKey<?>> all = new ArrayList<>(List.of(use, verifyHost));
        all.addAll(certificates.all());
        return all;
    }

    /** Adds a problem for each key that has an effect with TLS only, if TLS is off, and those of {@link TlsKeys#check}. */
    public void check(ChannelSettings settings, ChannelProblems problems) {
        String needed = settings.name(use) + " = true";
        certificates.check(settings, problems, isOn(settings), needed);
        if (!isOn(settings) && !verifiesHost(settings)) {
            problems.add(verifyHost, TlsKeys.onlyWith(needed));
        }
    }

    /** Whether connections use TLS. */
    public boolean isOn(ChannelSettings settings) {
        return settings.get(use);
    }

    /** Whether a certificate must be issued for the host of the connection. */
    public boolean verifiesHost(ChannelSettings settings) {
        return settings.get(verifyHost);
    }

    /** The full name of the key that turns TLS on, for messages to a person. */
    public String name(ChannelSettings settings) {
        return settings.name(use);
    }

    /** As {@link TlsKeys#read}. */
    public Certificates certificates(ChannelSettings settings) {
        return certificates.read(settings);
    }
}
