package io.mykit.delay.queue.store.mybatis;

import java.util.Properties;
import javax.sql.DataSource;
import org.apache.ibatis.logging.nologging.NoLoggingImpl;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.managed.ManagedTransactionFactory;

/** Configures MyBatis. */
final class Mappers {
    private Mappers() {}

    static SqlSessionFactory sessions(DataSource pool) {
        ManagedTransactionFactory transactions = new ManagedTransactionFactory();
        Properties leaveOpen = new Properties();
        leaveOpen.setProperty("closeConnection", "false");
        transactions.setProperties(leaveOpen);

        Configuration configuration = new Configuration(new Environment("store", transactions, pool));
        // Statement logging would print message bodies, which belong to the producer.
        configuration.setLogImpl(NoLoggingImpl.class);
        configuration.setCacheEnabled(false);
        configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
        configuration.setMapUnderscoreToCamelCase(true);
        configuration.setArgNameBasedConstructorAutoMapping(true);
        configuration.addMapper(JobMapper.class);
        configuration.addMapper(FlowMapper.class);
        configuration.addMapper(EpochMapper.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }
}
