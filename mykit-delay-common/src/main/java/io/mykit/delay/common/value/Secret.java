package io.mykit.delay.common.value;

/** A secret value: {@code toString} hides it, so no log shows it by accident. */
public record Secret(String reveal) {
    @Override
    public String toString() {
        return "***";
    }
}
