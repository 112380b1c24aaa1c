/*
 * A scripted HTTP server on the loopback, in a process of its own: the n-th request gets the n-th answer, and all
 * further ones the last. What was asked is written down for the test to look at. It ends with the test, and by itself
 * after a minute.
 */
#ifndef TEST_SERVER_H
#define TEST_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct test_answer {
    int code; /* 200 becomes 206 where a range is asked for and honoured; 0: closes without a word */
    const void *body;
    size_t size;
    const char *etag, *modified, *location; /* headers; NULL: none */
    bool ranges;                            /* honours Range, and If-Range */
    bool careless;                          /* honours Range whatever If-Range says */
    bool no_length;                         /* no Content-Length: the body ends with the connection */
    size_t promised;                        /* Content-Length; 0: the real length */
    size_t shift;                           /* answers with a range that begins so much later than asked */
    size_t cut;                             /* closes after so many bytes of the body; 0: sends all */
    unsigned pause;                         /* milliseconds of sleep after each piece */
    size_t piece;                           /* bytes; 0: 1000 */
} test_answer;

enum { TEST_SERVER_REQUESTS = 32 };

typedef struct test_server {
    pid_t process;
    char url[64]; /* "http://127.0.0.1:PORT/" */
    struct test_server_log {
        size_t requests;
        char request[TEST_SERVER_REQUESTS][2048]; /* the lines, as they came */
    } * log;
} test_server;

test_server test_server_start(const test_answer *answers, size_t count);
/* Ends it, and returns how many requests there were. The log stays until then. */
size_t test_server_stop(test_server *server);

#endif
