/* Asynchronous deal-agreement between three nodes on a path.
 *
 * Source: Dinitz, Dolev, Kumar 2020, Section 4, Algorithm 4. Node 1 is in the middle.
 * Checked under every schedule, from every start with at most TOKENS tokens: tokens owned are
 * conserved; every deal leaves the giver at least as high as the receiver, so that no node ever owns
 * more than the most of the start, or less than the least; nobody waits for ever; at rest neighbours
 * differ by at most one.
 *
 * As repaired a node handles one message at a time, with one load. -DPRINTED: the deals of two
 * proposals are computed from the same load (the handlers of the printed program run beside each
 * other, and both read the load before either has written it): a receiver ends above its giver.
 */

#ifndef TOKENS
#define TOKENS 9
#endif
#define NODES 3
#define LESS(v, w) (load[v] + 1 < load[w])

mtype = { report, proposal, acknowledgement };

/* to[2 * v + p]: what arrives at node v through port p; port 0 leads to v - 1, port 1 to v + 1. */
chan to[6] = [4] of { mtype, byte, byte };

byte load[NODES];
byte most;
byte least;
byte deals;  /* tokens that the receiver owns already and the giver still counts */
byte total;

#define neighbour(p) (v - 1 + 2 * (p))
#define into(p) to[2 * neighbour(p) + 1 - (p)]
#define exists(p) ((p) == 0 && v > 0 || (p) == 1 && v < NODES - 1)

/* Tells the load through all ports but one; 2: through all. */
inline tell(except) {
    if
    :: exists(0) && except != 0 -> into(0) ! report, load[v], 0
    :: else
    fi;
    if
    :: exists(1) && except != 1 -> into(1) ! report, load[v], 0
    :: else
    fi
}

/* Water over the lower neighbours, one token at a time to the lower one (port 0 first). */
inline propose() {
    gift[0] = 0;
    gift[1] = 0;
    level = load[v];
    do
    :: known[0] && view[0] + gift[0] + 2 <= level &&
       (!known[1] || view[0] + gift[0] <= view[1] + gift[1]) -> gift[0]++; level--
    :: known[1] && view[1] + gift[1] + 2 <= level &&
       (!known[0] || view[1] + gift[1] < view[0] + gift[0]) -> gift[1]++; level--
    :: else -> break
    od;
    if
    :: gift[0] > 0 -> into(0) ! proposal, gift[0], level; open++
    :: else
    fi;
    if
    :: gift[1] > 0 -> into(1) ! proposal, gift[1], level; open++
    :: else
    fi
}

/* What leaves the proposer at least as high as this node. */
inline settle(d, tentative, before) {
    if
    :: tentative > before && tentative - before < d -> deal = tentative - before
    :: tentative > before && tentative - before >= d -> deal = d
    :: else -> deal = 0
    fi
}

/* A deal is fair: the giver stays at least as high as the receiver becomes. */
inline take(tentative) {
    load[v] = load[v] + deal;
    deals = deals + deal;
    assert(deal == 0 || load[v] <= tentative)
}

inline accept(d, tentative, p) {
    settle(d, tentative, load[v]);
    take(tentative);
    into(p) ! acknowledgement, deal, load[v];
    if
    :: deal > 0 -> tell(p)
    :: else
    fi
}

inline check() {
    assert(load[0] + load[1] + load[2] - deals == total);
    assert(load[v] <= most && load[v] >= least)
}

proctype Node(byte v) {
    byte view[2];
    bool known[2];
    byte gift[2];
    byte open = 0;
    byte level;
    byte a;
    byte b;
    byte deal;
    byte p;
    mtype kind;
#ifdef PRINTED
    byte other;
    byte other_tentative;
    byte before;
#endif

    d_step { known[0] = false; known[1] = false };
    atomic { tell(2) };

    /* One message at a time: a rest is a valid end. */
end:
    do
    :: atomic {
        if
        :: to[2 * v] ? kind, a, b -> p = 0
        :: to[2 * v + 1] ? kind, a, b -> p = 1
        fi;
        if
        :: kind == report ->
            view[p] = a;
            known[p] = true
        :: kind == acknowledgement ->
            load[v] = load[v] - a;
            deals = deals - a;
            view[p] = b;
            known[p] = true;
            open--;
            if
            :: a > 0 -> tell(2)
            :: else
            fi
        :: kind == proposal ->
#ifdef PRINTED
            if
            :: p == 0 && to[2 * v + 1] ? [proposal, _, _] ->
                /* Two handlers beside each other: both read the load before either writes it. */
                to[2 * v + 1] ? kind, other, other_tentative;
                before = load[v];
                accept(a, b, 0);
                settle(other, other_tentative, before);
                take(other_tentative);
                into(1) ! acknowledgement, deal, load[v];
                if
                :: deal > 0 -> tell(1)
                :: else
                fi
            :: else -> accept(a, b, p)
            fi
#else
            accept(a, b, p)
#endif
        fi;
        if
        :: open == 0 -> propose()
        :: else
        fi;
        check();
        deal = 0; a = 0; b = 0; gift[0] = 0; gift[1] = 0; level = 0; p = 0
    }
    od
}

/* When nothing is on the way and nobody can act, neighbours differ by at most one. */
proctype Rest() {
end:
    atomic {
        timeout;
        assert(deals == 0);
        assert(!LESS(0, 1) && !LESS(1, 0) && !LESS(1, 2) && !LESS(2, 1))
    }
}

init {
    byte left = TOKENS;
    byte i = 0;
    do
    :: i < NODES && left > 0 -> load[i]++; left--
    :: i < NODES -> i++
    :: i == NODES -> break
    od;
    atomic {
        least = 255;
        i = 0;
        do
        :: i == NODES -> break
        :: i < NODES ->
            total = total + load[i];
            if
            :: load[i] > most -> most = load[i]
            :: else
            fi;
            if
            :: load[i] < least -> least = load[i]
            :: else
            fi;
            i++
        od;
        run Node(0);
        run Node(1);
        run Node(2);
        run Rest()
    }
}
