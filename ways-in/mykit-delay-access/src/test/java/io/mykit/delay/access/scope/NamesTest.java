package io.mykit.delay.access.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final Names SHOP = new Names("shop");

    /** Whatever a caller says is inside, and comes back as it was said. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "20",
                "",
                "/",
                "/20",
                "../20",
                "..",
                "../bank/20",
                "bank/20",
                "shop/20",
                "Shop/20",
                "%2F20",
                "a b",
                "é",
                "x/../../bank/1"
            })
    void noNameLeadsOutOfTheNamespace(String name) {
        assertThat(SHOP.in(name)).startsWith("shop/").hasSize(5 + name.length());
        assertThat(SHOP.has(SHOP.in(name))).isTrue();
        assertThat(SHOP.out(SHOP.in(name))).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20", "sh/20", "shops/20", "Shop/20", "shop", "/shop/20", "bank/shop/20"})
    void otherNamesAreOutside(String full) {
        assertThat(SHOP.has(full)).isFalse();
        assertThat(SHOP.out(full)).isEqualTo(full);
    }

    @Test
    void theTextOfAFailureHasTheNamesOfTheCaller() {
        DelayException failure = new DelayException(ErrorCode.ID_CONFLICT, "message shop/20 of shop/orders exists");
        assertThat(SHOP.out(failure))
                .hasMessage("message 20 of orders exists")
                .extracting(DelayException::code)
                .isEqualTo(ErrorCode.ID_CONFLICT);
        assertThat(SHOP.out((Throwable) new CompletionException(failure))).hasMessage("message 20 of orders exists");
        DelayException key = new DelayException(
                ErrorCode.NOT_PULLABLE, "topic shop/orders is not pulled: set mykit.delay.delivery.topics.shop/orders");
        assertThat(SHOP.out(key))
                .as("an administrator sets the key as it is")
                .hasMessage("topic orders is not pulled: set mykit.delay.delivery.topics.shop/orders");
        DelayException other = new DelayException(ErrorCode.BUSY, "the workshop/2 is busy, as my_shop/3 is");
        assertThat(SHOP.out(other)).isSameAs(other);
        Error defect = new AssertionError("shop/1");
        assertThat(SHOP.out(defect)).isSameAs(defect);
    }
}
