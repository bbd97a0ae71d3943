# Parts of a check, each a function, one after the other with the time of each: to be sourced.

# The parts by name, then `--` and what the user asks for: nothing for all, names, or --list.
parts() {
    local all=() wanted name begun code times=()
    while [ "$1" != -- ]; do all+=("$1"); shift; done
    shift
    case ${1-} in
        --list) printf '%s\n' "${all[@]}"; return ;;
        -*) echo "$0: expected names of parts or --list, got $1; the parts are: ${all[*]}" >&2; exit 2 ;;
    esac
    for name; do
        [[ " ${all[*]} " = *" $name "* ]] || { echo "$0: there is no part $name; the parts are: ${all[*]}" >&2; exit 2; }
    done
    wanted=("$@")
    [ $# != 0 ] || wanted=("${all[@]}")
    for name in "${wanted[@]}"; do
        begun=$SECONDS
        echo "== $name"
        # In a shell of its own, and not as a condition: there a failure would not end it.
        set +e
        (set -euo pipefail; "$name")
        code=$?
        set -e
        [ "$code" = 0 ] || { echo "== $name failed after $((SECONDS - begun)) s" >&2; exit 1; }
        times+=("$(printf '%6d s  %s' $((SECONDS - begun)) "$name")")
    done
    printf '%s\n' '== done' "${times[@]}" "$(printf '%6d s  in all' "$SECONDS")"
}
