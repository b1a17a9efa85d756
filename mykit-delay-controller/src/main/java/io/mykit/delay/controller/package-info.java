/**
 * The HTTP interface: parse, ask the room next door, answer in one envelope.
 *
 * <p>Neighbours: everything of {@code queue} that can be asked something comes in as a function of {@link
 * io.mykit.delay.controller.Backend}; nobody calls in here except the wiring. Threads: one or two event loops of Vert.x
 * carry every request and never block; pushes are completed by the intake's threads and answered on the request's own
 * event loop; calls that block run on {@code http-worker} threads, restore and clear on the one {@code http-operator},
 * and health checks on threads of their own, so that health can be asked when everything else is busy.
 *
 * <p>jackson-core reads the requests, fastjson2 writes the answers: as a reader it accepts comments, {@code 01}, missing
 * commas and {@code new Date(1)}, and turns an unpaired surrogate into a question mark, so that the producer would be
 * told that something was accepted which it never sent.
 */
package io.mykit.delay.controller;
