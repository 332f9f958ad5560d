# Completes fxcut's commands, options, settings and file names in bash. It asks the program itself, so that it knows
# what that program knows.

_fxcut_commands() { "$1" help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'; }

_fxcut_topics() { "$1" help topics 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'; }

# _fxcut_values PROGRAM COMMAND OPTION BEGINNING: the values that go on from the beginning, as the program lists them in the hint
# on a wrong one. Some commands take one file, some two.
_fxcut_values() {
  local files
  for files in x 'x x'; do
    "$1" "$2" $files "$3" "$4?" < /dev/null 2>&1
  done | sed -n 's/.*expected \(one of \)\{0,1\}//p' | grep -v ' or more$' |
    grep -Ex '[A-Za-z0-9_.]+((, | or |[|])[A-Za-z0-9_.]+)+' | sed 's/, \| or \|[|]/ /g; q'
}

# The options of a command and those of all; those that take a value end in a space and a word for it.
_fxcut_options() { { "$1" "$2" --help; "$1" help; } 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)\( [A-Z][^ ]*\| [^ ]*|[^ ]*\)\{0,1\}.*/\1\2/p'; }

_fxcut_settings() { "$1" help settings 2>/dev/null | sed -n 's/^  \([a-z_0-9]*\) = .*/\1=/p'; }

_fxcut() {
  local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} value
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$(_fxcut_commands "$program")" -- "$word"))
    return
  fi
  if [ "$command" = help ]; then
    COMPREPLY=($(compgen -W "$(_fxcut_commands "$program") topics $(_fxcut_topics "$program")" -- "$word"))
    return
  fi
  case $word in
    -*)
      COMPREPLY=($(compgen -W "$(_fxcut_options "$program" "$command" | sed 's/ .*//')" -- "$word"))
      return
      ;;
  esac
  # bash takes KEY=VALUE for three words, zsh for one.
  if [ "$word" = = ] && [ "${COMP_WORDS[COMP_CWORD-2]}" = --set ]; then
    COMPREPLY=($(_fxcut_values "$program" "$command" --set "$before="))
    return
  fi
  if [ "$before" = = ] && [ "${COMP_WORDS[COMP_CWORD-3]}" = --set ]; then
    COMPREPLY=($(compgen -W "$(_fxcut_values "$program" "$command" --set "${COMP_WORDS[COMP_CWORD-2]}=")" -- "$word"))
    return
  fi
  case $before:$word in
    --set:*=*)
      value=$(_fxcut_values "$program" "$command" --set "${word%%=*}=")
      COMPREPLY=($(compgen -P "${word%%=*}=" -W "$value" -- "${word#*=}"))
      return
      ;;
  esac
  case $before in
    --set)
      COMPREPLY=($(compgen -W "$(_fxcut_settings "$program")" -- "$word"))
      compopt -o nospace 2>/dev/null
      return
      ;;
    --*)
      value=$(_fxcut_options "$program" "$command" | sed -n "s/^$before //p")
      case $value in
        '' | FILE* | DIR*) ;;
        *)  # one of several words, or a name or number that only the user knows
          COMPREPLY=($(compgen -W "$(_fxcut_values "$program" "$command" "$before" "")" -- "$word"))
          return
          ;;
      esac
      ;;
  esac
  COMPREPLY=($(compgen -f -- "$word"))
  compopt -o filenames 2>/dev/null
}

complete -F _fxcut fxcut
