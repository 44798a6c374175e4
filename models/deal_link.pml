/* The deal link at k = 1: every message is dealt with exactly once, though packets are lost,
 * duplicated and overtake each other.
 *
 * Source: Dinitz, Dolev, Kumar 2020, Section 5, Algorithm 5, with labels and with deals in the
 * acknowledgements. A direction of the link holds at most CAPACITY = k packets in any order; more
 * are lost. The sender sends packets <m, b, l>, b a bit that alternates with the message, l = 0..k;
 * the receiver delivers m when it holds k + 1 labels of it with b other than the last, deals, keeps
 * the deal, and answers packets of the last b with <b, l, deal>; the sender goes on when it holds
 * k + 1 labels of its b.
 * Checked under every schedule from an empty link: messages are dealt with in order, exactly once;
 * both ends book the same deal.
 *
 * -DPRINTED: acknowledgements carry neither bit nor label, and 2k + 1 of them move the sender on, as
 * printed: duplicated acknowledgements of the last message do so too, and the ends book different deals.
 */

#define CAPACITY 1
#define LABELS (CAPACITY + 1)
#define ALL ((1 << LABELS) - 1)
#define MESSAGES 3
#define PRINTED_COUNT (2 * CAPACITY + 1)

/* A packet on the way there: used, bit, label, message; and back: used, bit, label, deal. */
bool there_used; bit there_bit; byte there_label; byte there_message;
bool back_used; bit back_bit; byte back_label; byte back_deal;

byte sent = 0;       /* message that the sender is at: 0 .. MESSAGES */
byte dealt = 0;      /* messages that the receiver has dealt with */
byte booked[MESSAGES];

/* What the receiver deals for a message: any amount, but only once. */
inline decide(deal) {
    if
    :: deal = 1
    :: deal = 2
    fi
}

active proctype Sender() {
    bit b = 1;
    byte have = 0;  /* labels, or acknowledgements, of the present message */
    byte label;
    byte deal;

    do
    :: sent == MESSAGES -> break
    :: sent < MESSAGES ->
        if
        /* Sends a packet of the present message; a packet that finds the channel full is lost. */
        :: atomic {
            if
            :: label = 0
            :: label = 1
            fi;
            if
            :: !there_used -> there_used = true; there_bit = b; there_label = label; there_message = sent
            :: there_used -> skip
            fi }
        /* Receives an acknowledgement; the channel may keep a copy. */
        :: atomic { back_used ->
            if
#ifdef PRINTED
            :: deal = back_deal; have++
#else
            :: back_bit == b -> deal = back_deal; have = have | (1 << back_label)
            :: else
#endif
            fi;
            if
            :: back_used = false
            :: skip  /* duplicated */
            fi }
        fi;
        atomic {
            if
#ifdef PRINTED
            :: have == PRINTED_COUNT ->
#else
            :: have == ALL ->
#endif
                assert(dealt == sent + 1);
                assert(booked[sent] == deal);
                sent++;
                b = 1 - b;
                have = 0
            :: else
            fi;
            label = 0; deal = 0
        }
    od
}

active proctype Receiver() {
    bit last = 0;
    byte have = 0;     /* labels of that message with the other bit which came last */
    byte held = 0;
    byte deal = 0;

end:
    do
    :: atomic { there_used ->
        if
        :: there_bit != last ->
#ifdef PRINTED
            have = ALL;  /* the first packet of a message delivers it */
#else
            if
            :: held != there_message -> held = there_message; have = 0
            :: else
            fi;
            have = have | (1 << there_label);
#endif
            if
            :: have == ALL ->
                assert(there_message == dealt);
                decide(deal);
                booked[dealt] = deal;
                dealt++;
                last = there_bit;
                have = 0
            :: else
            fi
        :: else
        fi;
        if
        :: there_bit == last && !back_used ->
            back_used = true; back_bit = last; back_label = there_label; back_deal = deal
        :: else
        fi;
        if
        :: there_used = false
        :: skip  /* duplicated */
        fi }
    od
}

/* Loses packets. */
active proctype Loss() {
end:
    do
    :: atomic { there_used -> there_used = false }
    :: atomic { back_used -> back_used = false }
    od
}
