/** Who may use a namespace of lmstfy, and the tokens that the admin port makes. It blocks only where a method says so. */
package io.mykit.delay.lmstfy.token;
