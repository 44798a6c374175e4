#!/bin/sh
# Writes a fleet with TLS, users and permissions to a new folder: three sites in a triangle.
# usage: secure.sh FOLDER [FIRST_PORT]        (needs openssl and equipoise)
# Then, for each site: cd FOLDER && env $(cat chicago.env) nats-server -c chicago.conf
# and:                 equipoise agent --fleet FOLDER/chicago.gml --name chicago
# fleet.gml is for `equipoise agent status`. Every file but ca.pem is a secret of somebody's.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,6s/^# //p' "$0"
    exit 2
fi
umask 077
mkdir "$1"
cd "$1"
port=${2-4222}

number() {
    case "$1" in
    chicago) echo 0 ;;
    denver) echo 1 ;;
    seattle) echo 2 ;;
    esac
}

# The address of a site's server for one of its users.
address() {
    variable=PASSWORD_$(echo "$2" | tr a-z- A-Z_)
    password=$(sed -n "s/^$variable=//p" "$1.env")
    echo "nats://$2:$password@127.0.0.1:$((port + $(number "$1")))"
}

# A fleet file for somebody who is this user at every site.
fleet() {
    printf 'graph [\n  label "secure"\n'
    for node in chicago denver seattle; do
        printf '  node [ id %s label "%s" server "%s" ca "ca.pem" ]\n' \
            "$(number $node)" $node "$(address $node "$1")"
    done
    printf '  edge [ source 0 target 1 ]\n  edge [ source 1 target 2 ]\n'
    printf '  edge [ source 2 target 0 ]\n]\n'
}

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
    -subj "/CN=fleet" -keyout ca.key -out ca.pem 2>openssl.log
for site in chicago denver seattle; do
    printf 'subjectAltName=DNS:%s,IP:127.0.0.1\n' $site >$site.ext
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$site" \
        -keyout $site.key -out $site.csr 2>>openssl.log
    openssl x509 -req -in $site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 \
        -extfile $site.ext -out $site.pem 2>>openssl.log
    rm $site.ext $site.csr
    for user in AGENT_CHICAGO AGENT_DENVER AGENT_SEATTLE STATUS WORKERS; do
        echo "PASSWORD_$user=p$(openssl rand -hex 16)" # a word, not a number
    done >$site.env
done
fleet status >fleet.gml
for site in chicago denver seattle; do
    fleet agent-$site >$site.gml
    equipoise agent permissions --fleet fleet.gml --name $site >$site.users
    cat >$site.conf <<END
listen: 127.0.0.1:$((port + $(number $site)))
server_name: $site
jetstream { store_dir: "store/$site", max_file: 1GB }
tls { cert_file: "$site.pem", key_file: "$site.key" }
include "$site.users"
END
done
chmod 644 ca.pem
