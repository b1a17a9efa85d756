package org.example.shop;

/** What the message of an order says. */
public record Order(String number) {}
