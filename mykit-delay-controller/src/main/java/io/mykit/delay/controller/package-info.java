/**
 * The HTTP interface: parse, ask the part of the server that knows, answer in one envelope. This package puts it together
 * and is the only one that other modules need.
 *
 * <p>The parts of {@code queue} that are asked come in as functions of {@link io.mykit.delay.controller.Backend}. The
 * packages below, each of which uses only those before it: {@code text}, {@code json}, {@code reply}; {@code call}, {@code
 * route}, {@code guard}, {@code http} (the listener); and {@code push}, {@code message}, {@code operate}, {@code health}, whose
 * handlers know neither the listener nor each other.
 */
package io.mykit.delay.controller;
