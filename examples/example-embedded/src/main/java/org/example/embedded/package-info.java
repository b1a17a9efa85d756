/** A program that has the queue in its own process. */
package org.example.embedded;
