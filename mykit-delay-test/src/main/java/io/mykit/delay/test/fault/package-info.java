/**
 * Tries to break the promises: runs a workload on the packaged servers while a seeded schedule of faults is carried out,
 * and judges what came of it. {@code bin/chaos} comes in here, and so does the short selection of the build.
 */
package io.mykit.delay.test.fault;
