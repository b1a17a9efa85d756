/**
 * What is loaded into a server under test, as a Java agent, and never shipped: tripwires that halt it at a chosen step, and
 * a wrong clock. Runs inside that server, so that it knows nobody but the JDK and ASM; {@link
 * io.mykit.delay.test.fault.agent.AgentJar} alone is called by the harness.
 */
package io.mykit.delay.test.fault.agent;
