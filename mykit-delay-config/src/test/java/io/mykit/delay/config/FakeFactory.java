package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.common.value.Secret;
import java.util.List;

/** A channel with two keys that a topic may have for itself, a range, and a family. It is never opened. */
final class FakeFactory implements DeliveryChannelFactory {
    static final ChannelKey<String> URL =
            ChannelKey.text("url", "The address.").withDefault("x://default").perTopic();
    static final ChannelKey<Secret> CREDENTIAL =
            ChannelKey.secret("credential", "The secret.").perTopic();
    static final ChannelKey<Integer> TRIES = ChannelKey.number("tries", "From 1 to 9.");

    static final ChannelKey<Secret> PROPERTIES = ChannelKey.secrets("properties", "Anything else.");

    private final String name;

    FakeFactory(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return List.of(URL, CREDENTIAL, TRIES, PROPERTIES);
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        if (settings.find(TRIES).filter(tries -> tries < 1 || tries > 9).isPresent()) {
            problems.add(TRIES, "must be from 1 to 9");
        }
        if (settings.find(CREDENTIAL)
                .filter(own -> own.reveal().equals("hush-hush"))
                .isPresent()) {
            problems.add(CREDENTIAL, "must be another one");
        }
        settings.byTopic(CREDENTIAL).own().forEach((topic, own) -> {
            if (own.reveal().equals("hush-hush")) {
                problems.add(CREDENTIAL, topic, "must be another one");
            }
        });
        settings.family(PROPERTIES).forEach((member, value) -> {
            if (member.equals("acks")) {
                problems.add(PROPERTIES, member, "cannot be set");
            }
        });
        if (settings.inUse() && settings.get(URL).equals("x://default")) {
            problems.add(URL, "must be named");
        }
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        throw new UnsupportedOperationException();
    }
}
