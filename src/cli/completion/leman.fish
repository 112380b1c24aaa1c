# fish completion for leman; put it as leman.fish into ~/.config/fish/completions
function __leman_list
    # The last of comma-separated words: what stands before it is kept.
    set -l before (string match -r '^(?:-[^=]*=)?(.*,)' -- (commandline -ct))[2]
    for word in $argv
        echo "$before$word"
    end
end
complete -c leman -n __fish_use_subcommand -f
complete -c leman -n __fish_use_subcommand -s h -l help -d 'show the help'
complete -c leman -n __fish_use_subcommand -l version -d 'show the version'
%FISH_COMMANDS%
