import type { Command } from 'commander';
import { ownProgram, placeOf } from '../../../../platform/clients/own-launch.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { completeLine } from './complete.ts';

const NAMES = ['zoo', 'agent-zoo', 'ctx'];

const scripts = { bash, zsh, fish };
export type Shell = keyof typeof scripts;

export interface CompletionOptions {
  name?: string[];
}

/** The script only calls `zoo __complete`, so that it never gets out of date. */
export async function printCompletions(
  call: Invocation,
  shell: Shell,
  { name = [] }: CompletionOptions,
): Promise<void> {
  const command = (await ownProgram(placeOf(call))).map(quote).join(' ');
  const script = scripts[shell](`${command} __complete`, [...NAMES, ...name]);
  if (call.json) return print(call, { shell, script }, () => '');
  return call.terminal.out.verbatim(script);
}

/** Called by the scripts while somebody types, so it never prints an error. */
export async function complete(call: Invocation, program: Command, line: string): Promise<void> {
  const lines = await completeLine(call, program, line).catch(() => []);
  call.terminal.out.write(lines.map((each) => `${each}\n`).join(''));
}

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

// Bash also splits words at colons and equals signs, and expects only the part after them. `nosort` keeps the
// newest ids first; Bash 3, which macOS has, does not support it.
function bash(ask: string, names: readonly string[]): string {
  return `_zoo() {
  local line="\${COMP_LINE:0:COMP_POINT}" value rest
  local word="\${line##* }"
  local before="\${word%"\${word##*[:=]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    case "$value" in
      :files) compopt -o filenames 2>/dev/null; IFS=$'\\n' COMPREPLY=($(compgen -f -- "\${word#"$before"}")) ;;
      :folders) compopt -o filenames 2>/dev/null; IFS=$'\\n' COMPREPLY=($(compgen -d -- "\${word#"$before"}")) ;;
      *) COMPREPLY+=("\${value#"$before"}") ;;
    esac
  done < <(${ask} "$line" 2>/dev/null)
}
complete -o nosort -F _zoo ${names.join(' ')} 2>/dev/null || complete -F _zoo ${names.join(' ')}
`;
}

// Zsh replaces an alias by its text before it completes, unless it is told not to.
function zsh(ask: string, names: readonly string[]): string {
  return `#compdef ${names.join(' ')}
_zoo() {
  local -a values
  local value about
  while IFS=$'\\t' read -r value about; do
    case "$value" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      *) values+=("\${value//:/\\\\:}\${about:+:$about}") ;;
    esac
  done < <(${ask} "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)
  _describe -V zoo values
}
compdef _zoo ${names.join(' ')}
for name in ${names.join(' ')}; do
  (( \${+aliases[$name]} )) && setopt complete_aliases
done
unset name
`;
}

function fish(ask: string, names: readonly string[]): string {
  return `function __zoo_complete
  for line in (${ask} (commandline -cp | string collect) 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (commandline -ct)
      case ':folders'
        __fish_complete_directories (commandline -ct) ''
      case '*'
        echo $line
    end
  end
end
${names.map((name) => `complete -c ${name} -f -k -a '(__zoo_complete)'`).join('\n')}
`;
}
