package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.LoadedConfig;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BannerTest {
    @Test
    void saysWhatIsUsedAndKeepsTheSecrets() {
        String banner = banner(
                Map.of(
                        "mykit.delay.mode", "master-standby",
                        "mykit.delay.registry.server-list", "zk:2181",
                        "mykit.delay.redis.uri", "redis://user:hidden@r:6379/0",
                        "mykit.delay.datasource.url", "jdbc:mysql://m:3306/delay?password=hidden",
                        "mykit.delay.datasource.password", "hidden",
                        "mykit.delay.http.admin-token", "hidden",
                        "mykit.delay.delivery.topics.orders", "console"),
                Map.of());

        assertThat(banner)
                .contains("http://127.0.0.1:7000 (master-standby)")
                .contains("redis://r:6379/0")
                .contains("jdbc:mysql://m:3306/delay\n")
                .contains("ZooKeeper zk:2181")
                .contains("activemq embedded, console")
                .contains("gRPC      127.0.0.1:7001\n")
                .contains("curl -XPOST http://127.0.0.1:7000/push")
                .doesNotContain("hidden");
    }

    @Test
    void namesTheAddressesOfEmbeddedParts() {
        assertThat(banner(Map.of(), Map.of("mykit.delay.redis.uri", "redis://:hidden@127.0.0.1:4711/0")))
                .contains("redis://127.0.0.1:4711/0 (embedded)")
                .doesNotContain("hidden");
    }

    @Test
    void saysWhereEachChannelDelivers() {
        Map<String, String> given = Map.of(
                "mykit.delay.delivery.topics.orders", "rocketmq",
                "mykit.delay.rocketmq.namesrv-addr", "a:1;b:2",
                "mykit.delay.rocketmq.access-key", "me",
                "mykit.delay.rocketmq.secret-key", "hidden");
        assertThat(banner(given, Map.of("mykit.delay.activemq.broker-url", "failover:(tcp://127.0.0.1:5)?x=hidden")))
                .contains("  channels  activemq failover:(tcp://127.0.0.1:5) (embedded), rocketmq a:1;b:2\n")
                .doesNotContain("hidden");
    }

    private static String banner(Map<String, String> given, Map<String, String> used) {
        LoadedConfig loaded = ConfigLoader.loadWithChannels(given);
        return String.join(
                "\n",
                Banner.lines(
                        loaded,
                        loaded.with(used),
                        7000,
                        Optional.of("127.0.0.1:7001"),
                        Map.of("lmstfy", "127.0.0.1:7777")));
    }
}
