#include "support/server.h"
#include "support/support.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- One connection -------------------------------------------------------------------------- */

static bool send_all(int client, const char *bytes, size_t size)
{
    while (size) {
        ssize_t put = send(client, bytes, size, MSG_NOSIGNAL);
        if (put <= 0) return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* The value of a header line, or "". */
static const char *header(const char *request, const char *name, char value[256])
{
    const char *at = strstr(request, name);
    value[0] = 0;
    if (at) sscanf(at + strlen(name), ": %255[^\r\n]", value);
    return value;
}

static void send_body(int client, const test_answer *answer, const char *body, size_t size)
{
    const struct timespec rest = {(long)answer->pause / 1000, (long)answer->pause % 1000 * 1000 * 1000};
    if (answer->cut && answer->cut < size) size = answer->cut;
    while (size) {
        size_t max = answer->piece ? answer->piece : 1000, piece = answer->pause && size > max ? max : size;
        if (!send_all(client, body, piece)) return;
        body += piece;
        size -= piece;
        if (answer->pause) nanosleep(&rest, NULL);
    }
}

static void reply(int client, const char *request, const test_answer *answer)
{
    char head[2048], range[256], condition[256], line[512];
    const char *tag = answer->etag ? answer->etag : answer->modified ? answer->modified : "";
    size_t first = 0, size = answer->size;
    int code = answer->code;
    if (!code) return;
    bool ranged = code == 200 && answer->ranges && sscanf(header(request, "\nRange", range), "bytes=%zu-", &first) == 1;
    header(request, "\nIf-Range", condition);
    if (ranged && !answer->careless && *condition && strcmp(condition, tag)) ranged = false;
    first = ranged ? first + answer->shift : 0;
    if (ranged && first >= size) code = 416, first = size;
    if (ranged && code == 200) code = 206;
    size -= first;
    snprintf(head, sizeof head, "HTTP/1.1 %d Scripted\r\nConnection: close\r\n", code);
    if (!answer->no_length) {
        snprintf(line, sizeof line, "Content-Length: %zu\r\n", answer->promised ? answer->promised : size);
        strcat(head, line);
    }
    if (code == 206) {
        snprintf(line, sizeof line, "Content-Range: bytes %zu-%zu/%zu\r\n", first, answer->size - 1, answer->size);
        strcat(head, line);
    }
    const char *const names[] = {"ETag", "Last-Modified", "Location"};
    const char *const values[] = {answer->etag, answer->modified, answer->location};
    for (size_t i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "%s: %s\r\n", names[i], values[i] ? values[i] : "");
        if (values[i]) strcat(head, line);
    }
    strcat(head, "\r\n");
    if (send_all(client, head, strlen(head)) && size)
        send_body(client, answer, (const char *)answer->body + first, size);
}

/* ---- The process ----------------------------------------------------------------------------- */

static void serve(int listener, const test_answer *answers, size_t count, struct test_server_log *seen)
{
    signal(SIGALRM, SIG_DFL);
    alarm(60);
    for (;;) {
        const struct timeval patience = {5, 0};
        char request[2048] = "";
        size_t used = 0;
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        while (used + 1 < sizeof request && !strstr(request, "\r\n\r\n")) {
            ssize_t got = recv(client, request + used, sizeof request - 1 - used, 0);
            if (got <= 0) break;
            used += (size_t)got;
            request[used] = 0;
        }
        size_t turn = seen->requests;
        if (turn < TEST_SERVER_REQUESTS) strcpy(seen->request[turn], request);
        seen->requests++;
        reply(client, request, answers + (turn < count ? turn : count - 1));
        shutdown(client, SHUT_WR);
        while (recv(client, request, sizeof request, 0) > 0) continue; /* so that nothing sent is lost by a reset */
        close(client);
    }
}

test_server test_server_start(const test_answer *answers, size_t count)
{
    test_server server = {0};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 16), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(server.url, sizeof server.url, "http://127.0.0.1:%u/", (unsigned)ntohs(address.sin_port));
    server.log = mmap(NULL, sizeof *server.log, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(server.log != MAP_FAILED);
    server.process = fork();
    assert_true(server.process >= 0);
    if (!server.process) {
        serve(listener, answers, count, server.log);
        _exit(0);
    }
    close(listener);
    return server;
}

size_t test_server_stop(test_server *server)
{
    size_t requests = server->log->requests;
    kill(server->process, SIGKILL);
    waitpid(server->process, NULL, 0);
    munmap(server->log, sizeof *server->log);
    *server = (test_server){0};
    return requests;
}
