#!/usr/bin/env bash
@summary@
#
# It carries out the plan of the files beside it with Kafka's own tools, wave by wave. It may be
# stopped at any time and run again: it asks the cluster which waves are done, and goes on.
if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi # as after `sh steps.sh`
set +o posix
set -euo pipefail

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402)); then
    echo "expected bash 4.2 or newer, found $BASH_VERSION" >&2
    exit 2
fi

@data@
usage() {
    cat <<'END'
usage: steps.sh --bootstrap-server HOST:PORT [OPTION ...]

  --bootstrap-server HOST:PORT  a broker (or KAFKA_BOOTSTRAP_SERVER)
  --command-config FILE         properties for Kafka's tools (or KAFKA_COMMAND_CONFIG)
  --bin DIRECTORY               where the tools are, with or without .sh (or KAFKA_BIN; default:
                                the search path)
  --poll SECONDS                how often to ask whether a wave is completed (default 10)
  --rollback                    go back from wherever the plan stands
  --status                      say where the plan stands, and change nothing
  --dry-run                     print the commands of the whole plan, and do nothing
  --help                        print this

Exit status: 0 done; 1 stopped, with a reason; 2 wrong arguments.
END
}

say() {
    if ((dry)); then
        printf '# %s\n' "$*"
    else
        printf '%(%H:%M:%S)T  %s\n' -1 "$*"
    fi
}

stop() {
    printf '%s\n' "$@" >&2
    if ((throttled)); then
        echo "Throttles are still set. The script takes them away when it is run again." >&2
    fi
    exit 1
}

misused() {
    printf '%s (--help says more)\n' "$1" >&2
    exit 2
}

bootstrap=${KAFKA_BOOTSTRAP_SERVER:-}
config=${KAFKA_COMMAND_CONFIG:-}
bin=${KAFKA_BIN:-}
poll=10
action=forward
dry=0
throttled=0
# How often in a row something must be seen before it is believed: brokers learn of the end of a
# reassignment one after the other, and a call may fail while a broker restarts.
readonly patience=3

while (($# > 0)); do
    case $1 in
    --bootstrap-server | --command-config | --bin | --poll)
        if (($# < 2)); then misused "$1: expected a value, found none"; fi
        case $1 in
        --bootstrap-server) bootstrap=$2 ;;
        --command-config) config=$2 ;;
        --bin) bin=$2 ;;
        --poll) poll=$2 ;;
        esac
        shift
        ;;
    --rollback) action=back ;;
    --status) action=status ;;
    --dry-run) dry=1 ;;
    --help)
        usage
        exit 0
        ;;
    *) misused "expected an option, found $1" ;;
    esac
    shift
done
if [[ ! $poll =~ ^[0-9]+([.][0-9]+)?$ ]]; then
    misused "--poll: expected a number of seconds, found $poll"
fi
if [[ -z $bootstrap ]]; then
    if ((!dry)); then misused "expected --bootstrap-server HOST:PORT, found none"; fi
    bootstrap=HOST:PORT
fi
if [[ -n $config && ! -r $config ]]; then
    misused "--command-config: expected a file that can be read, found $config"
fi

files=$(dirname "${BASH_SOURCE[0]}")/$stem

tool_path() {
    local name
    for name in "$1.sh" "$1"; do
        if [[ -n $bin ]]; then
            if [[ -x $bin/$name ]]; then
                printf '%s\n' "$bin/$name"
                return
            fi
        elif command -v "$name" > /dev/null; then
            printf '%s\n' "$name"
            return
        fi
    done
    if ((dry)); then
        printf '%s\n' "$1.sh"
    else
        stop "expected $1.sh or $1 in ${bin:-the search path}, found neither" \
            "--bin DIRECTORY says where the tools are."
    fi
}

# Whether a tool's help names an option.
knows() {
    local said
    said=$("$1" --help 2>&1 || true)
    [[ $said == *"$2"* ]]
}

path=$(tool_path kafka-reassign-partitions)
reassign_tool=("$path" --bootstrap-server "$bootstrap")
path=$(tool_path kafka-configs)
configs_tool=("$path" --bootstrap-server "$bootstrap")
path=$(tool_path kafka-leader-election)
election_tool=("$path" --bootstrap-server "$bootstrap")
if [[ -n $config ]]; then
    reassign_tool+=(--command-config "$config")
    configs_tool+=(--command-config "$config")
    # This tool called the option --admin.config before Kafka 4.2.
    if knows "${election_tool[0]}" --command-config; then
        election_tool+=(--command-config "$config")
    else
        election_tool+=(--admin.config "$config")
    fi
fi

# A --verify that finds nothing moving takes all throttles away, unless an option tells it to keep
# them. Sets `keep` to that option or, where the tool has none, to nothing.
keep=
find_keep() {
    if knows "${reassign_tool[0]}" --preserve-throttles; then keep=--preserve-throttles; fi
}

# A command as one could type it.
quoted() {
    local word line=
    for word in "$@"; do
        if [[ $word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]]; then
            line+=" $word"
        else
            line+=" '${word//\'/\'\\\'\'}'"
        fi
    done
    printf '%s' "${line# }"
}

# "about 1 min 20 s", or nothing for 0.
about() {
    if (($1 > 0)); then printf ', about %s' "$(lasting "$1")"; fi
}

lasting() {
    if (($1 >= 3600)); then
        printf '%d h %d min' "$(($1 / 3600))" "$(($1 % 3600 / 60))"
    elif (($1 >= 60)); then
        printf '%d min %d s' "$(($1 / 60))" "$(($1 % 60))"
    else
        printf '%d s' "$1"
    fi
}

# Runs a command, or prints it in a dry run. What it says is shown only if it fails.
run() {
    if ((dry)); then
        quoted "$@"
        echo
        return
    fi
    local said
    if ! said=$("$@" 2>&1); then
        stop "$said" "This command failed: $(quoted "$@")"
    fi
}

# Each line of the plan: its wave from 0, a partition, its replicas before and after.
wave_of=()
name_of=()
old_of=()
new_of=()
sizes=()
declare -A first=() last=() planned=()
while read -r wave name old new; do
    if [[ -z $wave ]]; then continue; fi
    wave_of+=("$wave")
    name_of+=("$name")
    old_of+=("$old")
    new_of+=("$new")
    sizes[wave]=$((${sizes[wave]:-0} + 1))
    if [[ -z ${first[$name]+there} ]]; then
        first[$name]=$old
        planned[$name]=$old
    fi
    last[$name]=$new
    planned[$name]+=" or $new"
done < <(changes)

# Asks --verify about the partitions of a file, with one more option if it is given. `now` has for
# each of them its replicas, or `done` if they are those of the file, `moving`, or `?` if the tool
# only says that they are others. `cleared`: whether throttles were taken away.
declare -A now=()
moving=0
others=0
completed=0
cleared=0
problem=
verify() {
    local said line
    local command=("${reassign_tool[@]}" --reassignment-json-file "$1" --verify)
    if [[ -n ${2:-} ]]; then command+=("$2"); fi
    if ! said=$("${command[@]}" 2>&1); then
        problem=$said
        return 1
    fi
    now=()
    moving=0
    others=0
    completed=0
    cleared=0
    local partition='^Reassignment of partition ([^ ]+) '
    partition+='(is completed|completed successfully|is still in progress|failed)'
    local elsewhere='^There is no active reassignment of partition ([^ ]+), '
    elsewhere+='but replica set is ([0-9,]*) rather than'
    local directory='^Reassignment of replica [^ ]+ is still in progress'
    while read -r line; do
        if [[ $line =~ $partition ]]; then
            case ${BASH_REMATCH[2]} in
            *completed*)
                now[${BASH_REMATCH[1]}]='done'
                completed=$((completed + 1))
                ;;
            *progress)
                now[${BASH_REMATCH[1]}]=moving
                moving=$((moving + 1))
                ;;
            failed)
                now[${BASH_REMATCH[1]}]='?'
                others=$((others + 1))
                ;;
            esac
        elif [[ $line =~ $elsewhere ]]; then
            now[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]:-none}
            others=$((others + 1))
        elif [[ $line =~ $directory ]]; then
            moving=$((moving + 1))
        elif [[ $line == "Clearing broker-level throttles"* ||
            $line == "Throttle was removed"* ]]; then
            cleared=1
        fi
    done <<< "$said"
}

# A file that speaks of more or fewer partitions than the plan is not of this plan.
expect_partitions() {
    if ((${#now[@]} != $2)); then
        stop "$1: expected the $2 partitions of this script's plan, found ${#now[@]}" \
            "The script and the files beside it are of different plans. Plan again."
    fi
}

faults=0
bear_fault() {
    faults=$((faults + 1))
    if ((faults >= patience)); then
        stop "$problem" "${reassign_tool[0]} --verify failed $faults times in a row." \
            "Run this script again later."
    fi
}

# Waits until none of the plan's partitions moves; `now` is then how they stand.
wait_until_still() {
    local told=0
    faults=0
    while true; do
        if verify "$files-end.json" "$keep"; then
            faults=0
            expect_partitions "$files-end.json" "${#last[@]}"
            if ((moving == 0)); then break; fi
            if ((!told)); then say "waiting for $moving that move already"; fi
            told=1
        else
            bear_fault
        fi
        sleep "$poll"
    done
}

# Whether what is known of a partition fits these replicas.
fits() {
    case ${now[$1]} in
    done) [[ $2 == "${last[$1]}" ]] ;;
    '?') [[ $2 != "${last[$1]}" ]] ;;
    *) [[ $2 == "${now[$1]}" ]] ;;
    esac
}

# The waves of which all partitions fit, the last one that is done in part or moves, and how many
# waves that could be, as `standing` finds them.
candidates=()
begun=-1
begins=0
standing() {
    local name wave entry=0 misfits=0 before helped
    for name in "${!first[@]}"; do
        if ! fits "$name" "${first[$name]}"; then misfits=$((misfits + 1)); fi
    done
    candidates=()
    begun=-1
    begins=0
    for ((wave = 0; wave <= waves; ++wave)); do
        if ((misfits == 0)); then candidates+=("$wave"); fi
        before=$misfits
        helped=0
        while ((entry < ${#wave_of[@]} && wave_of[entry] == wave)); do
            name=${name_of[entry]}
            if fits "$name" "${old_of[entry]}"; then
                if ! fits "$name" "${new_of[entry]}"; then misfits=$((misfits + 1)); fi
            elif fits "$name" "${new_of[entry]}"; then
                misfits=$((misfits - 1))
                helped=$((helped + 1))
            elif [[ ${now[$name]} == moving ]]; then
                helped=$((helped + 1))
            fi
            entry=$((entry + 1))
        done
        if ((before > 0 && helped == before)); then
            begun=$wave
            begins=$((begins + 1))
        fi
    done
}

# For --status: asks once, and has said all if some of the plan's partitions move.
look_once() {
    if [[ -z $keep ]]; then
        say "unless something moves, --verify of this version takes all throttles away"
    fi
    if ! verify "$files-end.json" "$keep"; then stop "$problem"; fi
    expect_partitions "$files-end.json" "${#last[@]}"
    if ((moving == 0)); then return; fi
    standing
    if ((begins == 1)); then say "wave $((begun + 1)) of $waves moves now"; fi
    say "$moving of the plan's partitions move now"
    exit 0
}

tell_strangers() {
    local name replicas shown=0
    for name in "${!last[@]}"; do
        replicas=${now[$name]}
        if [[ $replicas == 'done' || $replicas == '?' ]]; then continue; fi
        if [[ " ${planned[$name]} " == *" $replicas "* ]]; then continue; fi
        printf 'partition %s has the replicas %s; the plan knows %s\n' "$name" "$replicas" \
            "${planned[$name]}" >&2
        shown=$((shown + 1))
        if ((shown == 5)); then break; fi
    done
}

# Sets `place`, the number of waves that are done, and `begun`: the next wave if it is done in part,
# otherwise -1. Nothing of the plan moves, and `now` is how its partitions stand.
place=0
locate() {
    local name
    for name in "${!last[@]}"; do
        if [[ -z ${now[$name]+there} ]]; then
            stop "expected ${reassign_tool[0]} --verify to speak of partition $name, found nothing"
        fi
    done
    standing
    local count=${#candidates[@]}
    if ((count == 0)); then
        if ((begun >= 0)); then
            place=$begun
            return
        fi
        tell_strangers
        stop "The partitions stand as they do after no wave of the plan: something else changed" \
            "them. Plan again from the present state."
    fi
    begun=-1
    place=${candidates[count - 1]}
    # Old tools do not say which replicas a partition has: then the files of waves decide.
    if ((count > 1)) && [[ " ${now[*]} " == *' ? '* ]]; then
        local at
        for ((at = count - 1; at > 0; --at)); do
            if ! verify "$files-$((candidates[at] - 1)).json" "$keep"; then stop "$problem"; fi
            if ((moving == 0 && others == 0)); then break; fi
        done
        place=${candidates[at]}
    fi
}

# Takes away the throttles that an interrupted wave may have left. The next wave sets its own, and
# takes all away that concern its topics.
tidy() {
    if ((waves == 0 || cleared)) || [[ -z $keep ]]; then return; fi
    if ((place == 0 && begun < 0)) && [[ $action == forward ]]; then return; fi
    faults=0
    until verify "$files-end.json"; do
        bear_fault
        sleep "$poll"
    done
}

# The change of a configuration: which way (set or delete), brokers or topics, leader or follower,
# and the rate or list; nothing for -.
change() {
    if [[ $4 == - ]]; then return; fi
    local name=$3.replication.throttled.replicas value="[$4]"
    if [[ $2 == brokers ]]; then
        name=$3.replication.throttled.rate
        value=$4
    fi
    if [[ $1 == set ]]; then name+="=$value"; fi
    printf ',%s' "$name"
}

# Sets the throttles of a wave (forward or back, and its number from 0), or deletes them.
throttle() {
    local way wave kind name leader follower changes command said
    while read -r way wave kind name leader follower; do
        if [[ $way != "$2" || $wave != "$3" ]]; then continue; fi
        changes=$(change "$1" "$kind" leader "$leader")$(change "$1" "$kind" follower "$follower")
        command=("${configs_tool[@]}" --entity-type "$kind" --entity-name "$name" --alter)
        if [[ $1 == set ]]; then
            throttled=1
            run "${command[@]}" --add-config "${changes#,}"
        elif ! said=$("${command[@]}" --delete-config "${changes#,}" 2>&1); then
            # Somebody else took it away.
            if [[ $said == *"Invalid config"* ]]; then continue; fi
            stop "$said" "This command failed:" \
                "$(quoted "${command[@]}" --delete-config "${changes#,}")"
        fi
    done < <(throttles)
}

# Waits until a file's partitions, so many, are completed.
wait_for() {
    local strikes=0 name
    faults=0
    while true; do
        if verify "$1"; then
            faults=0
            expect_partitions "$1" "$2"
            if ((completed == $2 && moving == 0)); then return; fi
            if ((others > 0)); then strikes=$((strikes + 1)); else strikes=0; fi
        else
            bear_fault
        fi
        if ((strikes >= patience)); then
            for name in "${!now[@]}"; do
                case ${now[$name]} in
                done | moving) ;;
                '?') echo "partition $name: the reassignment failed" >&2 ;;
                *) echo "partition $name does not move, and has the replicas ${now[$name]}" >&2 ;;
                esac
            done
            stop "This wave did not end as planned ($1). When the cause is known, run this script" \
                "again: it goes on from here."
        fi
        sleep "$poll"
    done
}

# Carries out a wave: forward or back, its number from 0, the ending of its file's name, how many
# partitions change, what it is called, and what it does.
play() {
    local file=$files$3 start=$SECONDS
    say "$5 ($stem$3): $6"
    throttle set "$1" "$2"
    run "${reassign_tool[@]}" --reassignment-json-file "$file" --execute
    if ((dry)); then
        run "${reassign_tool[@]}" --reassignment-json-file "$file" --verify
        echo '# ... again and again until all are completed; this also takes the throttles away'
        throttled=0
        return
    fi
    wait_for "$file" "$4"
    if ((throttled && !cleared)); then throttle delete "$1" "$2"; fi
    throttled=0
    say "$5: completed after $(lasting $((SECONDS - start)))"
}

elect() {
    if [[ -z $2 ]]; then return; fi
    say "leaders: $2"
    run "${election_tool[@]}" --election-type preferred --path-to-json-file "$1"
}

go_forward() {
    local wave
    for ((wave = place; wave < waves; ++wave)); do
        play forward "$wave" "-$wave.json" "${sizes[wave]}" "wave $((wave + 1)) of $waves" \
            "${forward_words[wave]}$(about "${forward_seconds[wave]}")"
    done
    elect "$files-leaders.json" "$leaders_words"
    if ((!dry)); then say "all is done"; fi
}

go_back() {
    local wave number steps=$place
    if ((begun >= 0)); then steps=$((begun + 1)); fi
    if ((dry)); then steps=$waves; fi
    for ((wave = steps; wave > 0; --wave)); do
        number=$((waves - wave))
        play back "$number" "-rollback-$number.json" "${sizes[wave - 1]}" \
            "step $((steps - wave + 1)) of $steps back" "${back_words[number]}"
    done
    elect "$files-rollback-leaders.json" "$back_leaders_words"
    if ((!dry)); then say "all replicas are as they were before the plan"; fi
}

for ((wave = 0; wave < waves; ++wave)); do
    for file in "$files-$wave.json" "$files-rollback-$wave.json" "$files-end.json"; do
        if [[ ! -r $file ]]; then stop "expected the file $file, found none"; fi
    done
done
interrupted() {
    echo "Stopped. A wave that was started goes on; run this script again to go on after it." >&2
    exit 1
}
trap interrupted INT TERM
say "$title"
if ((dry)); then
    if [[ $action == status ]]; then exit 0; fi
elif ((waves > 0)); then
    find_keep
    if [[ $action == status ]]; then look_once; else wait_until_still; fi
    locate
fi
if ((!dry)); then
    if ((begun >= 0)); then
        say "$place of $waves waves are done, and a part of the next one"
    else
        say "$place of $waves waves are done"
    fi
fi
case $action in
forward)
    tidy
    go_forward
    ;;
back)
    tidy
    go_back
    ;;
esac
