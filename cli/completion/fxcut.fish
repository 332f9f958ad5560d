# Completes fxcut's commands, options, settings and file names in fish. It asks the program itself, so that it knows
# what that program knows.

function __fxcut_commands
    fxcut help 2>/dev/null | string match -rg '^  ([a-z]+  +.*)' | string replace -r '  +' \t
end

function __fxcut_topics
    fxcut help topics 2>/dev/null | string match -rg '^  ([a-z]+  +.*)' | string replace -r '  +' \t
end

function __fxcut_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    begin; fxcut $words[2] --help; fxcut help; end 2>/dev/null | string match -rg '^  (--[a-z-]+)'
end

function __fxcut_settings
    fxcut help settings 2>/dev/null | string match -rg '^  ([a-z_0-9]+ =)' | string replace ' =' '='
end

function __fxcut_wants_setting
    set -l words (commandline -opc)
    test "$words[-1]" = --set
end

complete -c fxcut -n __fish_use_subcommand -f -a '(__fxcut_commands)'
complete -c fxcut -n '__fish_seen_subcommand_from help' -f -a '(__fxcut_commands; __fxcut_topics) topics'
complete -c fxcut -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__fxcut_options)'
complete -c fxcut -n __fxcut_wants_setting -f -a '(__fxcut_settings)'
