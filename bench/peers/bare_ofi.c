/* SPDX-License-Identifier: BSD-3-Clause */
/* Best nanoseconds of gets and answered messages by libfabric's tcp;ofi_rxm alone, with (1) or
 * without (0) a wait object. */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { batches = 101, calls = 500, message_bytes = 56, receives = 4, address_bytes = 64, key = 7 };

/* First member, so that a completion's context identifies the receive. */
struct receive {
  struct fi_context2 context;
  char bytes[256];
};

struct side {
  struct fid_cq* queue;
  struct fid_ep* endpoint;
  fi_addr_t peer;
  struct fi_cq_data_entry event; /* latest */
};

static long word, copy;

static long checked(long result, const char* call) {
  if (result < 0 && result != -FI_EAGAIN) {
    fprintf(stderr, "%s: %s\n", call, fi_strerror((int)-result));
    exit(1);
  }
  return result;
}
#define CHECK(call) checked((long)(call), #call)

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void post(struct side* at, struct receive* buffer) {
  const struct iovec piece = {buffer->bytes, sizeof buffer->bytes};
  const struct fi_msg message = {
      .msg_iov = &piece, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = &buffer->context};
  CHECK(fi_recvmsg(at->endpoint, &message, FI_COMPLETION));
}

static int poll_once(struct side* at) { return CHECK(fi_cq_read(at->queue, &at->event, 1)) > 0; }

static void await(struct side* at) {
  while (!poll_once(at)) continue;
}

static void send_message(struct side* at) {
  static const char bytes[message_bytes];
  while (CHECK(fi_inject(at->endpoint, bytes, sizeof bytes, at->peer)) == -FI_EAGAIN) poll_once(at);
}

static void get(struct side* at) {
  struct fi_context2 context;
  const struct iovec local = {&copy, sizeof copy};
  const struct fi_rma_iov remote = {0, sizeof word, key};
  const struct fi_msg_rma message = {.msg_iov = &local,
                                     .iov_count = 1,
                                     .addr = at->peer,
                                     .rma_iov = &remote,
                                     .rma_iov_count = 1,
                                     .context = &context};
  while (CHECK(fi_readmsg(at->endpoint, &message, FI_COMPLETION)) == -FI_EAGAIN) poll_once(at);
  await(at);
}

static void ask(struct side* at) {
  send_message(at);
  await(at);
  post(at, at->event.op_context);
}

static double best_of(void (*operation)(struct side*), struct side* at) {
  double best = 1e18;
  for (int batch = 0; batch < batches; ++batch) {
    const double begin = now_ns();
    for (int i = 0; i < calls; ++i) operation(at);
    const double time = (now_ns() - begin) / calls;
    if (time < best) best = time;
  }
  return best;
}

static struct side open_side(int sleeps, int socket) {
  struct fi_info *hints = fi_allocinfo(), *info;
  hints->fabric_attr->prov_name = strdup("tcp;ofi_rxm");
  hints->caps = FI_MSG | FI_RMA;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->addr_format = FI_SOCKADDR_IN;
  CHECK(fi_getinfo(FI_VERSION(1, 9), "127.0.0.1", NULL, FI_SOURCE, hints, &info));
  struct fid_fabric* fabric;
  struct fid_domain* domain;
  struct fid_av* addresses;
  struct fid_mr* region;
  struct side made;
  CHECK(fi_fabric(info->fabric_attr, &fabric, NULL));
  CHECK(fi_domain(fabric, info, &domain, NULL));
  struct fi_av_attr table = {.type = FI_AV_TABLE};
  CHECK(fi_av_open(domain, &table, &addresses, NULL));
  struct fi_cq_attr events = {.format = FI_CQ_FORMAT_DATA,
                              .wait_obj = sleeps ? FI_WAIT_FD : FI_WAIT_NONE};
  CHECK(fi_cq_open(domain, &events, &made.queue, NULL));
  CHECK(fi_endpoint(domain, info, &made.endpoint, NULL));
  CHECK(fi_ep_bind(made.endpoint, &addresses->fid, 0));
  CHECK(
      fi_ep_bind(made.endpoint, &made.queue->fid, FI_TRANSMIT | FI_RECV | FI_SELECTIVE_COMPLETION));
  CHECK(fi_enable(made.endpoint));
  CHECK(fi_mr_reg(domain, &word, sizeof word, FI_REMOTE_READ, 0, key, 0, &region, NULL));
  char address[address_bytes] = {0};
  size_t bytes = sizeof address;
  CHECK(fi_getname(&made.endpoint->fid, address, &bytes));
  CHECK(write(socket, address, sizeof address));
  CHECK(recv(socket, address, sizeof address, MSG_WAITALL));
  CHECK(fi_av_insert(addresses, address, 1, &made.peer, 0, NULL));
  for (int i = 0; i < receives; ++i) post(&made, calloc(1, sizeof(struct receive)));
  return made;
}

int main(int argc, char** argv) {
  const int sleeps = argc > 1 && atoi(argv[1]) != 0;
  int sockets[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  volatile int* over =
      mmap(NULL, sizeof *over, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t child = fork();
  struct side mine = open_side(sleeps, sockets[child == 0]);
  if (child == 0) {
    while (!*over) {
      if (!poll_once(&mine)) continue;
      send_message(&mine);
      post(&mine, mine.event.op_context);
    }
    return 0;
  }
  const double get_ns = best_of(get, &mine);
  const double ask_ns = best_of(ask, &mine);
  *over = 1;
  printf("{\"get\": %.0f, \"message-and-answer\": %.0f}\n", get_ns, ask_ns);
  waitpid(child, NULL, 0);
  return 0;
}
