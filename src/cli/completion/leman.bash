# bash completion for leman; load it with: source <(leman help --completion bash)
_leman_words()
{
    # The last of comma-separated words: what stands before it is kept.
    local before=
    [[ $word == *,* ]] && before=${word%,*},
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${word##*,}"))
}
_leman_files()
{
    compopt -o filenames 2>/dev/null || true
    local IFS=$'\n'
    COMPREPLY=($(compgen "$1" -- "$word"))
}
_leman()
{
    # bash cuts words at =; they are joined again, and what bash has of them is removed from the completions.
    local i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before
    while ((i > 1)) && [[ $word == =* || ${COMP_WORDS[i - 1]} == "=" ]]; do
        word=${COMP_WORDS[--i]}$word
    done
    before=${COMP_WORDS[i - 1]}
    [[ $word == --*=* ]] && before=${word%%=*} word=${word#*=}
    COMPREPLY=()
    _leman_complete
    ((i < COMP_CWORD)) && [[ $word == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${word%=*}="}")
    return 0
}
_leman_complete()
{
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "--help --version%NAMES%" -- "$word"))
        return
    fi
    case $command:$before in
%BASH_VALUES%
    esac
    case $command in
%BASH_COMMANDS%
    esac
}
complete -F _leman leman
