package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in transactions of Hibernate. */
@Timeout(60)
class OutboxJpaTest {
    private final DelayServerStub server = new DelayServerStub();

    @AfterEach
    void close() {
        server.close();
    }

    /** A row of the application. */
    @Entity(name = "seats")
    public static class Seat {
        @Id
        private String number;

        protected Seat() {}

        Seat(String number) {
            this.number = number;
        }

        String number() {
            return number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jpa {
        @Bean
        DataSource dataSource() {
            return OutboxTransactionTest.withTable();
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setManagedTypes(PersistenceManagedTypes.of(Seat.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "update"));
            return factory;
        }

        @Bean
        PlatformTransactionManager transactions(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }
    }

    @Test
    void rowsOfTheOutboxBelongToTheTransactionOfHibernate() {
        Contexts.of(server)
                .withUserConfiguration(Jpa.class)
                .withPropertyValues("mykit.delay.client.outbox.enabled=true", "mykit.delay.client.outbox.relay=false")
                .run(context -> {
                    DelayTemplate template = context.getBean(DelayTemplate.class);
                    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    JdbcTemplate rows = new JdbcTemplate(context.getBean(DataSource.class));
                    for (String number : List.of("kept", "dropped")) {
                        transaction.executeWithoutResult(status -> {
                            EntityManager manager = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
                            manager.persist(new Seat(number));
                            template.send("seats", number, Duration.ZERO, message -> message.id(number));
                            if (number.equals("dropped")) {
                                status.setRollbackOnly();
                            }
                        });
                    }
                    assertThat(rows.queryForList("SELECT number FROM seats", String.class))
                            .containsExactly("kept");
                    assertThat(rows.queryForList("SELECT message_id FROM mykit_delay_outbox", String.class))
                            .containsExactly("kept");
                });
    }
}
