import type { Command, Option } from 'commander';

interface Node {
  /** The words that lead here, without `zoo`. */
  path: string[];
  words: { word: string; about: string }[];
  options: { flags: string[]; about: string; takesValue: boolean; choices: readonly string[] }[];
  /** Whether its first argument is the id of an agent. */
  takesAgent: boolean;
}

const names = ['zoo', 'agent-zoo', 'ctx'];

/** A static script, made from the tree of commands; ids of agents are asked of the hub. */
export function renderCompletions(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  const nodes = walk(program, []);
  if (shell === 'fish') return renderFish(nodes);
  const bash = renderBash(nodes);
  return shell === 'bash'
    ? bash
    : `#compdef ${names.join(' ')}\nautoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function walk(command: Command, path: string[]): Node[] {
  const children = command.commands.filter((child) => !child.name().startsWith('__'));
  const globals = path.length === 0 ? [] : rootOf(command).options.filter(({ long }) => long !== '--version');
  const first = command.registeredArguments[0]?.name();
  const node: Node = {
    path,
    words: children.map((child) => ({ word: child.name(), about: child.description() })),
    options: [...command.options, ...globals].filter((option) => !option.hidden).map(describeOption),
    takesAgent: children.length === 0 && isAgentArgument(path, first),
  };
  return [node, ...children.flatMap((child) => walk(child, [...path, child.name()]))];
}

function isAgentArgument(path: readonly string[], argument: string | undefined): boolean {
  return argument === 'agent' || (argument === 'id' && (path[0] === 'agent' || path[0] === 'current'));
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

function describeOption(option: Option): Node['options'][number] {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  return {
    flags,
    about: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

function renderBash(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, words, options, takesAgent }) => {
    const all = [...words.map(({ word }) => word), ...options.flatMap(({ flags }) => flags), '--help'];
    const lines = [`words="${all.join(' ')}"`, ...(takesAgent ? ['dynamic=agents'] : [])];
    return `    "${path.join(' ')}") ${lines.join('; ')} ;;`;
  });
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const patterns = flags.map((flag) => `"${[...path, flag].join(' ')}"`).join('|');
        return `    ${patterns}) ${valueOf(flags, choices)} ;;`;
      }),
  );
  return `_zoo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" word words="" dynamic="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      "${path.join(' ')}") path="${path.join(' ')}" ;;`)
  .join('\n')}
    esac
  done
  case "\${path:+$path }$previous" in
${values.join('\n')}
  esac
  case "$path" in
${cases.join('\n')}
  esac
  [[ -n $dynamic && $current != -* ]] && words="$(\${COMP_WORDS[0]} __complete $dynamic 2>/dev/null)"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _zoo ${names.join(' ')}
`;
}

function valueOf(flags: readonly string[], choices: readonly string[]): string {
  if (choices.length > 0) return `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return`;
  if (flags.includes('--agent')) {
    return 'COMPREPLY=($(compgen -W "$(${COMP_WORDS[0]} __complete agents 2>/dev/null)" -- "$current")); return';
  }
  return flags.includes('--workspace')
    ? 'COMPREPLY=($(compgen -d -- "$current")); return'
    : 'COMPREPLY=($(compgen -f -- "$current")); return';
}

function renderFish(nodes: readonly Node[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = nodes.flatMap(({ path, words, options, takesAgent }) => {
    const condition = `-n ${quote(`__zoo_at ${path.join(' ')}`.trimEnd())}`;
    return [
      ...words.map(({ word, about }) => `${condition} -f -a ${word} -d ${quote(about)}`),
      ...options.map(({ flags, about, takesValue, choices }) => {
        const long = flags.find((flag) => flag.startsWith('--'))?.slice(2);
        const short = flags.find((flag) => !flag.startsWith('--'))?.slice(1);
        const named = [long ? `-l ${long}` : '', short ? `-s ${short}` : '', takesValue ? '-r' : '']
          .filter(Boolean)
          .join(' ');
        const values = choices.length > 0 ? ` -f -a ${quote(choices.join(' '))}` : '';
        return `${condition} ${named}${values} -d ${quote(about)}`;
      }),
      ...(takesAgent ? [`${condition} -f -a '(zoo __complete agents 2>/dev/null)'`] : []),
    ];
  });
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  return `function __zoo_at
  set -l path
  for word in (commandline -opc)[2..]
    if contains -- (string join ' ' $path $word) ${paths.join(' ')}
      set path $path $word
    end
  end
  test "$path" = "$argv"
end
${lines.map((line) => `complete -c zoo ${line}`).join('\n')}
${names
  .slice(1)
  .map((name) => `complete -c ${name} -w zoo`)
  .join('\n')}
`;
}
