/** Messages for the tests of all modules. Any thread may build one; a builder belongs to one thread. */
package io.mykit.delay.test.message;
