#!/bin/sh
# Three machines in one: network namespaces joined by cables, in a triangle, as in namespaces.gml.
# As root:
#   namespaces.sh up                    make them
#   namespaces.sh cut chicago denver    unplug a cable
#   namespaces.sh mend chicago denver   plug it in again
#   namespaces.sh down                  remove them
# Namespaces are called after their sites, the ends of a cable after the site at its other end.
set -eu

address() {
    case "$1" in
    chicago) echo 10.77.0.1 ;;
    denver) echo 10.77.0.2 ;;
    seattle) echo 10.77.0.3 ;;
    esac
}

plug() {
    for way in "$1 $2" "$2 $1"; do
        ip -n "${way% *}" link set "${way#* }" up
    done
    for way in "$1 $2" "$2 $1"; do
        ip -n "${way% *}" route replace "$(address "${way#* }")" dev "${way#* }" \
            src "$(address "${way% *}")"
    done
}

cable() {
    ip link add "$2" netns "$1" type veth peer name "$1" netns "$2"
    plug "$1" "$2"
}

case "$#-${1-}" in
1-up)
    for site in chicago denver seattle; do
        ip netns add "$site"
        ip -n "$site" link set lo up
        ip -n "$site" address add "$(address "$site")/32" dev lo
    done
    cable chicago denver
    cable denver seattle
    cable seattle chicago
    ;;
3-cut)
    ip -n "$2" link set "$3" down
    ip -n "$3" link set "$2" down
    ;;
3-mend) plug "$2" "$3" ;;
1-down)
    for site in chicago denver seattle; do
        ip netns delete "$site"
    done
    ;;
*)
    sed -n '2,7s/^# //p' "$0"
    exit 2
    ;;
esac
