/** Samplers that watch a run, and readers of the rows and keys at its end: fences, liveness, remains. It uses rig and history. */
package io.mykit.delay.test.fault.watch;
