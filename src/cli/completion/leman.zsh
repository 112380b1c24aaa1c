#compdef leman
# zsh completion for leman; put it as _leman into a folder of $fpath
_leman_list() {
    # The last of comma-separated words: what stands before it is kept.
    compset -P '*,'
    compadd -q -S '' -- "$@"
}
_leman() {
    local -a commands
    commands=(
%ZSH_NAMES%
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
%ZSH_COMMANDS%
    esac
}
compdef _leman leman
