package io.mykit.delay.test.outbox;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of Spring on a database. */
final class SpringTransactions {
    private final PlatformTransactionManager manager;

    SpringTransactions(DataSource database) {
        this.manager = new JdbcTransactionManager(database);
    }

    /** @param propagation a constant of {@code TransactionDefinition} */
    void run(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.setPropagationBehavior(propagation);
        transaction.executeWithoutResult(work);
    }

    void readOnly(String name, Consumer<TransactionStatus> work) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.setReadOnly(true);
        transaction.setName(name);
        transaction.executeWithoutResult(work);
    }
}
