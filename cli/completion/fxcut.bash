# Completes fxcut's commands, options, settings and file names in bash. It asks the program itself, so that it knows
# what that program knows.

_fxcut_commands() { "$1" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p'; }

_fxcut_topics() { "$1" help topics 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p'; }

# The options of a command and those of all; those that take a value end in a space and a word for it.
_fxcut_options() { { "$1" "$2" --help; "$1" help; } 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)\( [A-Z][^ ]*\)\{0,1\}.*/\1\2/p'; }

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
        *) return ;;  # a name or number that only the user knows
      esac
      ;;
  esac
  COMPREPLY=($(compgen -f -- "$word"))
  compopt -o filenames 2>/dev/null
}

complete -F _fxcut fxcut
