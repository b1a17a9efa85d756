package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.NamespaceColumns;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** The SQL on {@code mykit_delay_token} and {@code mykit_delay_namespace}, see TokenMapper.xml. The changes return the number of rows found: 1 or 0. */
interface TokenMapper {
    List<StoredToken> tokens(@Param("limit") int limit);

    /** Null if no token has the hash. */
    String idOf(@Param("hash") String hash);

    void insert(StoredToken token);

    int update(@Param("tokenId") String tokenId, @Param("to") TokenColumns columns);

    /** Null if no token has the id. */
    StoredToken token(@Param("tokenId") String tokenId);

    int delete(@Param("tokenId") String tokenId);

    int use(@Param("tokenId") String tokenId, @Param("day") String day);

    List<StoredNamespace> namespaces(@Param("limit") int limit);

    void insertNamespace(StoredNamespace namespace);

    int updateNamespace(@Param("name") String name, @Param("to") NamespaceColumns columns);

    /** Null if no namespace has the name. */
    StoredNamespace namespace(@Param("name") String name);

    int deleteNamespace(@Param("name") String name);
}
