package io.mykit.delay.common.value;

/** A value that never shows itself by accident. */
public record Secret(String reveal) {
    @Override
    public String toString() {
        return "***";
    }
}
