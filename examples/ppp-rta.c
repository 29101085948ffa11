/*
 * RFC 1661, section 4.1: a Terminate-Ack (event RTA) received in state Opened brings the automaton to
 * state Req-Sent, with a Configure-Request sent. The automaton is `fsm.c` of pppd 2.4.0, started in
 * any state with any packet; see docs/c.md for the command.
 */
#include "pppd.h"
#include "fsm.h"

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);

u_char outpacket_buf[PPP_MRU + PPP_HDRLEN];
int peer_mru[NUM_PPP];

/* Of the rest of pppd nothing changes the automaton. */
void timeout(void (*func)(void *), void *arg, int seconds) {}
void untimeout(void (*func)(void *), void *arg) {}
void output(int unit, u_char *packet, int length) {}
void error(char *format, ...) {}
void warn(char *format, ...) {}
void info(char *format, ...) {}

static int n_downs;

static void nothing(fsm *f) {}
static void down(fsm *f) { n_downs++; }
static int length(fsm *f) { return 0; }
static void add(fsm *f, u_char *p, int *len) { *len = 0; }
static int acknowledged(fsm *f, u_char *p, int len) { return __VERIFIER_nondet_int(); }
static int requested(fsm *f, u_char *p, int *len, int reject)
{
    int answers[] = { CONFACK, CONFNAK, CONFREJ };
    *len = 0;
    return answers[__VERIFIER_nondet_int() & 1];
}
static int unknown_code(fsm *f, int code, int id, u_char *p, int len) { return 1; }

static fsm_callbacks callbacks = {
    nothing, length, add, acknowledged, acknowledged, acknowledged, requested,
    nothing, down, nothing, nothing, 0, nothing, unknown_code, "LCP"
};

int main(void)
{
    static fsm f;
    static u_char packet[HEADERLEN];
    int before;

    f.callbacks = &callbacks;
    fsm_init(&f);
    f.state = __VERIFIER_nondet_int();
    __VERIFIER_assume(f.state >= INITIAL && f.state <= OPENED);
    f.flags = __VERIFIER_nondet_int();
    f.reqid = __VERIFIER_nondet_int();
    f.seen_ack = __VERIFIER_nondet_int();
    packet[0] = __VERIFIER_nondet_int();
    packet[1] = __VERIFIER_nondet_int();
    packet[3] = HEADERLEN;

    before = f.state;
    fsm_input(&f, packet, HEADERLEN);
    if (packet[0] == TERMACK && before == OPENED && (f.state != REQSENT || n_downs != 1))
        reach_error();
    return 0;
}
