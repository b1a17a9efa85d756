/**
 * The HTTP interface: it parses a request, calls the right part of the server, and answers in one envelope. This package
 * connects the parts of the module, and other modules need only this package.
 *
 * <p>The parts of {@code queue} that it calls are functions of {@link io.mykit.delay.controller.Backend}. The packages
 * below, each of which uses only those before it: {@code text}, {@code json}, {@code reply}, {@code trace}; {@code call}, {@code route},
 * {@code guard}, {@code log}, {@code http} (the listener); and {@code push}, {@code message}, {@code operate}, {@code health}, whose
 * handlers depend neither on the listener nor on each other.
 */
package io.mykit.delay.controller;
