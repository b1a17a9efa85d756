/** One class for each line of the table. */
package io.mykit.delay.test.bench.line;
