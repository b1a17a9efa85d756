package io.mykit.delay.config;

/** A value that never shows itself by accident. */
public record Secret(String reveal) {
    @Override
    public String toString() {
        return "***";
    }
}
