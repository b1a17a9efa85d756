package io.mykit.delay.queue.store.mybatis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.io.Resources;
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

    static SqlSessionFactory sessions(DataSource pool, Dialect dialect) {
        ManagedTransactionFactory transactions = new ManagedTransactionFactory();
        Properties leaveOpen = new Properties();
        leaveOpen.setProperty("closeConnection", "false");
        transactions.setProperties(leaveOpen);

        Configuration configuration = new Configuration(new Environment("store", transactions, pool));
        configuration.setDatabaseId(dialect.databaseId());
        // A log of statements would show message bodies, which belong to the producer.
        configuration.setLogImpl(NoLoggingImpl.class);
        configuration.setCacheEnabled(false);
        configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
        configuration.setMapUnderscoreToCamelCase(true);
        configuration.setArgNameBasedConstructorAutoMapping(true);
        configuration.getTypeHandlerRegistry().register(LocalDateTime.class, new UtcTimeHandler());
        addDialect(configuration);
        configuration.addMapper(JobMapper.class);
        configuration.addMapper(FlowMapper.class);
        configuration.addMapper(AuthorMapper.class);
        configuration.addMapper(DeadMapper.class);
        configuration.addMapper(TopicMapper.class);
        configuration.addMapper(AuditMapper.class);
        configuration.addMapper(TokenMapper.class);
        configuration.addMapper(ResultMapper.class);
        configuration.addMapper(EpochMapper.class);
        configuration.addMapper(SearchMapper.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    /**
     * Adds the parts of statements that the mappers include. Dialect.xml has no statements, so no mapper interface
     * loads it.
     */
    private static void addDialect(Configuration configuration) {
        String resource = Dialect.class.getName().replace('.', '/') + ".xml";
        try (InputStream xml = Resources.getResourceAsStream(Dialect.class.getClassLoader(), resource)) {
            new XMLMapperBuilder(xml, configuration, resource, configuration.getSqlFragments()).parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
