package io.mykit.delay.common.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespacesTest {
    private static final Namespaces NAMESPACES = new Namespaces(Set.of("shop", "bank")::contains);

    @ParameterizedTest
    @CsvSource({
        "shop/orders, shop/",
        "shop/, shop/",
        "shop, ''",
        "shops/orders, ''",
        "/shop/orders, ''",
        "Shop/orders, ''"
    })
    void aNameIsInTheNamespaceOfItsFirstPart(String name, String prefix) {
        assertThat(NAMESPACES.prefix(name)).isEqualTo(prefix);
    }

    /** As on Kafka. */
    @ParameterizedTest
    @CsvSource({
        "shop.orders, true",
        "shop., true",
        "shop.eu/orders, true",
        "shop/orders, false",
        "shop/bank.orders, false",
        "eu/shop.orders, false",
        "shops.orders, false",
        "shop, false",
        "shop-orders, false",
        ".shop.orders, false"
    })
    void aTopicDoesNotHaveTheNameOfAForeignOneAtItsBroker(String topic, boolean intrudes) {
        assertThat(NAMESPACES.intrudes(topic, name -> name.replace('/', '.'))).isEqualTo(intrudes);
    }

    /** ActiveMQ and RabbitMQ know a topic by its own name. */
    @ParameterizedTest
    @CsvSource({"shop.orders", "shop%orders", "shop/orders", "bank"})
    void aNameThatDoesNotChangeIsNoForeignOne(String topic) {
        assertThat(NAMESPACES.intrudes(topic, UnaryOperator.identity())).isFalse();
    }

    /** As on RocketMQ with a namespace for all topics, which is the name of a team too. */
    @ParameterizedTest
    @CsvSource({"orders, true", "bank/orders, true", "shop/orders, false", "shop%orders, true"})
    void aNamespaceOfTheBrokerMakesTopicsForeign(String topic, boolean intrudes) {
        UnaryOperator<String> named = name -> {
            String changed = name.replace('/', '%');
            return changed.startsWith("shop%") ? changed : "shop%" + changed;
        };
        assertThat(NAMESPACES.intrudes(topic, named)).isEqualTo(intrudes);
        assertThat(Namespaces.NONE.intrudes(topic, named)).isFalse();
    }
}
