/** Faults, their seeded schedule, and the injector that carries it out. It uses the rig, which it breaks, and history. */
package io.mykit.delay.test.fault.injection;
