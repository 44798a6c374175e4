/* Phase 1 of perfect token distribution on trees: one root, and all nodes learn the total.
 *
 * Source: Margara, Pistocchi, Vassura 2004, Section 3, states S1.1 to S1.5.
 * Tree: the path 0 - 1 - 2 - 3; node v counts 2^v, so that a wrong total shows which nodes are
 * missing or counted twice.
 * Checked under every schedule: exactly one root; every node learns the total; nobody waits for
 * ever (no invalid end state).
 *
 * A channel is reserved by one of its ends, in both directions, and free again
 *   as repaired: when its holder has released it and what was sent on it has been delivered;
 *   -DPRINTED:   as soon as its holder releases it. Then both ends of the last channel may send, and
 *                nobody becomes the root.
 */

#define NODES 4
#define LINKS 3
#define TOTAL 15
#define NOBODY 255

mtype = { subtree, everything };

/* Link l joins lower[l] and upper[l]. wire: what is on the way to the upper end (2l) or to the lower
 * one (2l + 1); box: what has been delivered there. */
byte lower[LINKS];
byte upper[LINKS];
chan wire[6] = [2] of { mtype, byte };
chan box[6] = [2] of { mtype, byte };
bool reserved[LINKS];
bool released[LINKS];

byte total[NODES];
bool is_root[NODES];
byte roots;
byte finished;

#define incident(l) (lower[l] == v || upper[l] == v)
#define out(l) (2 * (l) + (lower[l] == v -> 0 : 1))
#define in(l) (2 * (l) + (lower[l] == v -> 1 : 0))

/* The other end's turn comes when the channel is free. */
inline release(l) {
#ifdef PRINTED
    reserved[l] = false
#else
    d_step {
        released[l] = true;
        if
        :: len(wire[2 * l]) + len(wire[2 * l + 1]) == 0 -> reserved[l] = false; released[l] = false
        :: else
        fi
    }
#endif
}

/* Delivers the messages of one link, in order in each direction, at any time. */
proctype Link(byte l) {
    mtype kind;
    byte value;

end:
    do
    :: atomic {
        if
        :: wire[2 * l] ? kind, value -> box[2 * l] ! kind, value
        :: wire[2 * l + 1] ? kind, value -> box[2 * l + 1] ! kind, value
        fi;
        if
        :: released[l] && len(wire[2 * l]) + len(wire[2 * l + 1]) == 0 ->
            reserved[l] = false;
            released[l] = false
        :: else
        fi;
        value = 0
    }
    od
}

proctype Node(byte v; byte degree) {
    byte heard = 0;
    byte from = 0;      /* bit l: link l has been heard of */
    byte parent = NOBODY;
    byte sum = 1 << v;
    byte value;
    byte l;

    /* S1.1: local totals of all neighbours but one. */
    do
    :: heard + 1 >= degree -> break
    :: else ->
        atomic {
            if
            :: incident(0) && nempty(box[in(0)]) -> l = 0
            :: incident(1) && nempty(box[in(1)]) -> l = 1
            :: incident(2) && nempty(box[in(2)]) -> l = 2
                fi;
            box[in(l)] ? subtree, value;
            sum = sum + value;
            from = from | (1 << l);
            heard++
        }
    od;

    /* The neighbour that is left. */
    l = 0;
    do
    :: incident(l) && !(from & (1 << l)) -> parent = l; break
    :: else -> l++
    od;

    /* S1.2: reserve(parent). */
    if
    :: atomic { !reserved[parent] -> reserved[parent] = true };
        /* The neighbour's message may have been faster. */
        if
        :: nempty(box[in(parent)]) ->
            box[in(parent)] ? subtree, value;
            release(parent);
            goto root
        :: empty(box[in(parent)]) ->
            wire[out(parent)] ! subtree, sum;
            release(parent)
        fi
    :: reserved[parent] ->
        /* It is under way. */
        box[in(parent)] ? subtree, value;
        goto root
    fi;

    /* S1.3: the total from the parent. */
    box[in(parent)] ? everything, value;
    sum = value;
    goto hand_on;

root:
    sum = sum + value;
    is_root[v] = true;
    roots++;
    parent = NOBODY;

hand_on:
    /* S1.4, S1.5: safeSend the total to all others. */
    total[v] = sum;
    l = 0;
    do
    :: l == LINKS -> break
    :: l < LINKS && (!incident(l) || l == parent) -> l++
    :: l < LINKS && incident(l) && l != parent ->
        atomic { !reserved[l] -> reserved[l] = true };
        wire[out(l)] ! everything, sum;
        release(l);
        l++
    od;
    assert(total[v] == TOTAL);
    finished++;
    if
    :: finished == NODES -> assert(roots == 1)
    :: else -> skip
    fi
}

init {
    atomic {
        lower[0] = 0; upper[0] = 1;
        lower[1] = 1; upper[1] = 2;
        lower[2] = 2; upper[2] = 3;
            run Node(0, 1);
        run Node(1, 2);
        run Node(2, 2);
        run Node(3, 1);
        run Link(0);
        run Link(1);
        run Link(2)
    }
}
