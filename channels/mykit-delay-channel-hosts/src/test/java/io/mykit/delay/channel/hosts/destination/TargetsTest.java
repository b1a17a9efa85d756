package io.mykit.delay.channel.hosts.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetsTest {
    private static final Targets ANY = targets("*");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.255.1.2",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.0.9",
                "168.63.129.16",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.255",
                "224.0.0.1",
                "239.255.255.250",
                "240.0.0.1",
                "255.255.255.255",
                "172.20.10.5",
                "192.168.255.255",
                "100.100.100.200",
                "255.255.255.254",
                "[::]",
                "[::1]",
                "[0:0:0:0:0:0:0:1]",
                "[0000:0000:0000:0000:0000:0000:0000:0001]",
                "[::7f00:1]",
                "[::ffff:0.0.0.0]",
                "[::ffff:7f00:1]",
                "[::FFFF:127.0.0.1]",
                "[0:0:0:0:0:ffff:c0a8:101]",
                "[::ffff:100.64.0.1]",
                "[::ffff:224.0.0.1]",
                "[64:ff9b::169.254.169.254]",
                "[64:ff9b::c0a8:101]",
                "[64:ff9b::]",
                "[64:ff9b:1::a00:1]",
                "[2002::]",
                "[2002:a00:1::]",
                "[2002:e000:1::]",
                "[2001::1]",
                "[2001:2::1]",
                "[2001:db8::1]",
                "[100::1]",
                "[3fff::1]",
                "[5f00::1]",
                "[::ffff:168.63.129.16]",
                "[fd00:ec2::254]",
                "[fe80::a9fe:a9fe]",
                "[ff05::1:3]",
                "[::127.0.0.1]",
                "[::8.8.8.8]",
                "[::ffff:127.0.0.1]",
                "[::ffff:10.1.2.3]",
                "[::ffff:a9fe:a9fe]",
                "[::ffff:0:127.0.0.1]",
                "[64:ff9b::127.0.0.1]",
                "[64:ff9b::a00:1]",
                "[64:ff9b:1::8.8.8.8]",
                "[2002:7f00:1::]",
                "[2002:a9fe:a9fe::1]",
                "[2002:c0a8:101::1]",
                "[2001:0:7f00:1::1]",
                "[fc00::1]",
                "[fdff::1]",
                "[fe80::1]",
                "[febf::1]",
                "[fec0::1]",
                "[ff02::1]"
            })
    void closedAddressesAreNotAllowed(String address) {
        assertThat(ANY.mayAllow(Destination.of("http://" + address + ":8080/x")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "168.63.129.15",
                "168.63.129.17",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.167.255.255",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "[2001:200::1]",
                "[2606:4700:4700::1111]",
                "[::ffff:8.8.8.8]",
                "[64:ff9b::8.8.8.8]",
                "[2002:808:808::1]"
            })
    void publicAddressesAreAllowed(String address) {
        assertThat(ANY.mayAllow(Destination.of("https://" + address + "/"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://127.1/",
                "http://127.0.1/",
                "http://0x7f000001/",
                "http://0X7F000001/",
                "http://017700000001/",
                "http://0/",
                "http://0x0/",
                "http://4294967296/",
                "http://0x7f.1/",
                "http://0177.1/",
                "http://127.0.0x1/",
                "http://127..0.1/",
                "http://127.0.0.1%00.example.com/",
                "http://127%2e0%2e0%2e1/",
                "http://①②⑦.0.0.1/",
                "http://127。0。0。1/",
                "http://[127.0.0.1]/",
                "http://[::ffff:127.1]/",
                "http://[::1/",
                "http://[::1]a/",
                "http://[1]/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://127.0.0.01/",
                "http://127.0.0.0x1/",
                "http://127.0.0.256/",
                "http://1.2.3.4.5/",
                "http://foo.1/",
                "http://[::1%25lo]/",
                "http://[::g]/",
                "http://[fe80::1%251]/",
                "http://exa mple.com/",
                "http://exämple.com/",
                "http://１２７.0.0.1/",
                "http://under_score.com/",
                "http://a%2eb/",
                "http://-a.com/",
                "http://user@example.com/",
                "http://user:secret@example.com/",
                "http://@example.com/",
                "http://example.com\\@127.0.0.1/",
                "http://example.com/#part",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http:///path",
                "http:example.com",
                "//example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "gopher://example.com/",
                "javascript:alert(1)",
                ""
            })
    void urlsThatCannotBeReadInOneWayAreRefused(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> Destination.of(url));
    }

    @Test
    void aMappedAddressThatAResolverDidNotUnpackIsClosed() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xFF;
        mapped[11] = (byte) 0xFF;
        mapped[12] = 127;
        mapped[15] = 1;
        InetAddress raw = Inet6Address.getByAddress("tricky", mapped, -1);
        assertThat(raw).isInstanceOf(Inet6Address.class);
        assertThat(ANY.allow(Destination.of("http://tricky/"), List.of(raw))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*                              | http://example.com/            | true",
                "https://*                      | https://example.com/           | true",
                "https://*                      | http://example.com/            | false",
                "https://*.example.com          | https://a.example.com/         | true",
                "https://*.example.com          | https://a.b.EXAMPLE.com:8443/  | true",
                "https://*.example.com          | https://example.com/           | false",
                "https://*.example.com          | https://badexample.com/        | false",
                "https://*.example.com          | https://a.example.com.evil.io/ | false",
                "https://*.example.com          | https://a.example.com./        | true",
                "https://shop.example.com       | https://shop.example.com/x?y=1 | true",
                "https://shop.example.com:8443  | https://shop.example.com/      | false",
                "https://shop.example.com:8443  | https://shop.example.com:8443/ | true",
                "http://10.0.0.0/8              | http://10.1.2.3:9000/          | true",
                "http://10.0.0.0/8              | https://10.1.2.3/              | false",
                "http://10.0.0.0/8              | http://11.1.2.3/               | false",
                "http://10.0.0.0/8              | http://inside.example.com/     | true",
                "http://10.0.0.7                | http://10.0.0.7/               | true",
                "http://10.0.0.7                | http://10.0.0.8/               | false",
                "http://[fc00::]/7:8080         | http://[fd00::1]:8080/         | true",
                "http://[fc00::]/7:8080         | http://[fd00::1]:8081/         | false",
                "https://*.a.com, http://127.0.0.0/8 | http://127.0.0.1:5/       | true"
            })
    void patternsDecideByTheUrl(String patterns, String url, boolean allowed) {
        assertThat(targets(patterns).mayAllow(Destination.of(url))).isEqualTo(allowed);
    }

    @Test
    void aNameIsAllowedOnlyIfAllItsAddressesAre() throws UnknownHostException {
        InetAddress open = InetAddress.getByName("93.184.216.34");
        InetAddress closed = InetAddress.getByName("10.0.0.1");
        Destination name = Destination.of("http://shop.example.com/");
        Targets byName = targets("http://*.example.com");
        Targets byRange = targets("http://10.0.0.0/8");
        Targets both = targets("http://*.example.com http://10.0.0.0/8");

        assertThat(byName.allow(name, List.of(open))).isTrue();
        assertThat(byName.allow(name, List.of(open, closed))).isFalse();
        assertThat(byName.allow(name, List.of())).isFalse();
        assertThat(byRange.allow(name, List.of(closed))).isTrue();
        assertThat(byRange.allow(name, List.of(open))).isFalse();
        assertThat(both.allow(name, List.of(open, closed))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "ftp://example.com",
                "https://",
                "https://a.com/path",
                "https://10.0.0.0/33",
                "https://10.0.0/8",
                "https://[fc00::]/129",
                "https://*.*.com",
                "https://a*.com"
            })
    void patternsOfAnotherFormAreRefused(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> targets(pattern));
    }

    @Test
    void pathAndQueryAreKeptAsTheyAre() {
        Destination destination = Destination.of("HTTPS://Shop.Example.com?x=%20y");
        assertThat(destination.receiver()).isEqualTo("https://shop.example.com:443");
        assertThat(destination.path()).isEqualTo("/?x=%20y");
        assertThat(Destination.of("http://[::1]:81/a/b?c").path()).isEqualTo("/a/b?c");
    }

    @Test
    void aServiceIsAllowedByItsNameOrByAPatternOfAllServices() {
        Destination shop = Destination.of("service://Shop/x?y=z");
        assertThat(shop.receiver()).isEqualTo("service://shop");
        assertThat(shop.path()).isEqualTo("/x?y=z");
        assertThat(targets("service://shop").mayAllow(shop)).isTrue();
        assertThat(targets("SERVICE://SHOP").mayAllow(shop)).isTrue();
        assertThat(targets("service://*").mayAllow(shop)).isTrue();
        assertThat(targets("* http://* https://shop service://shop2 service://sho")
                        .mayAllow(shop))
                .isFalse();
        assertThat(targets("service://*").mayAllow(Destination.of("http://shop/")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"service://", "service://*.shop", "service://shop:80", "service://shop/x", "service://a b"})
    void aPatternOfServicesIsANameOrAStar(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> TargetPattern.of(pattern, Schemes.HTTP));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service:",
                "service://",
                "service:///path",
                "service:shop",
                "service://-shop/",
                "service://shop-/",
                "service://sh%6Fp/",
                "service://\u5546\u5e97/",
                "service://shop:/",
                "service://shop:8080/",
                "service://u:p@shop/",
                "service://shop/#f",
                "service://[::1]/"
            })
    void aNameOfAServiceHasNoOtherParts(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> Destination.of(url));
    }

    private static Targets targets(String patterns) {
        return Targets.of(patterns, Schemes.HTTP);
    }
}
