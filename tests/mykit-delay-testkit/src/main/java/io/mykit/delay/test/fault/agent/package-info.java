/**
 * A Java agent for a server under test, which is never shipped: tripwires that halt the server at a chosen step, and
 * a wrong clock. It runs inside that server, so it uses the JDK and ASM only; {@link
 * io.mykit.delay.test.fault.agent.AgentJar} alone is called by the harness.
 */
package io.mykit.delay.test.fault.agent;
