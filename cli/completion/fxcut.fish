# Completes fxcut's commands, options, settings and file names in fish. It asks the program itself, so that it knows
# what that program knows.

function __fxcut_commands
    fxcut help 2>/dev/null | string match -rg '^  ([a-z][a-z-]*  +.*)' | string replace -r '  +' \t
end

function __fxcut_topics
    fxcut help topics 2>/dev/null | string match -rg '^  ([a-z][a-z-]*  +.*)' | string replace -r '  +' \t
end

function __fxcut_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    begin; fxcut $words[2] --help; fxcut help; end 2>/dev/null | string match -rg '^  (--[a-z-]+)'
end

function __fxcut_settings
    fxcut help settings 2>/dev/null | string match -rg '^  ([a-z_0-9]+ =)' | string replace ' =' '='
end

# __fxcut_values OPTION BEGINNING: the values that go on from the beginning, as the program lists them in the hint on a wrong one.
# Some commands take one file, some two.
function __fxcut_values
    set -l words (commandline -opc)
    for files in x 'x x'
        fxcut $words[2] (string split ' ' $files) $argv[1] "$argv[2]?" </dev/null 2>&1
    end | string match -rg 'expected (?:one of )?([A-Za-z0-9_.]+(?:(?:, | or |[|])[A-Za-z0-9_.]+)+)$' |
        string match -v '* or more' | head -n 1 | string replace -ra ', | or |[|]' \n
end

function __fxcut_values_of_option
    set -l option (commandline -opc)[-1]
    string match -q -- '--*' $option; or return
    test $option = --set; or __fxcut_values $option ''
end

function __fxcut_values_of_setting
    set -l setting (string match -r '^[a-z_0-9]+=' -- (commandline -ct)); or return
    string replace -r '^' $setting (__fxcut_values --set $setting)
end

function __fxcut_wants_setting
    set -l words (commandline -opc)
    test "$words[-1]" = --set
end

complete -c fxcut -n __fish_use_subcommand -f -a '(__fxcut_commands)'
complete -c fxcut -n '__fish_seen_subcommand_from help' -f -a '(__fxcut_commands; __fxcut_topics) topics'
complete -c fxcut -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__fxcut_options)'
complete -c fxcut -n __fxcut_wants_setting -f -a '(__fxcut_settings)'
complete -c fxcut -n __fxcut_wants_setting -f -a '(__fxcut_values_of_setting)'
complete -c fxcut -n 'test (count (commandline -opc)) -ge 3' -a '(__fxcut_values_of_option)'
