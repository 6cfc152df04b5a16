/** @typedef {import('commander').Command} Command */

/**
 * Every command with its arguments and options, in the words of its own help.
 * @param {Pick<import('./docs-sources.js').Sources, 'createProgram'>} sources
 */
export function renderCommands({ createProgram }) {
  const program = createProgram(
    () => {
      throw new Error('no command is run here');
    },
    { writeOut: () => undefined, writeErr: () => undefined },
  );
  const commands = leavesOf(program);
  return [
    '## Options of every command',
    optionTable(program, ['-h, --help', '-V, --version']),
    '## Commands',
    ['| command | |', '| --- | --- |', ...commands.map(overview)].join('\n'),
    ...commands.map(renderCommand),
  ].join('\n\n');
}

/** @param {Command} command @returns {Command[]} */
function leavesOf(command) {
  const children = visible(command);
  return children.length > 0 ? children.flatMap(leavesOf) : [command];
}

/** @param {Command} command */
function visible(command) {
  const help = command.createHelp();
  return help.visibleCommands(command).filter((child) => child.name() !== 'help');
}

/** @param {Command} command @returns {string} */
function nameOf(command) {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** @param {Command} command */
function overview(command) {
  const name = nameOf(command);
  return `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(command.description())} |`;
}

/** @param {Command} command */
function renderCommand(command) {
  const help = command.createHelp();
  const name = nameOf(command);
  const usage = [
    name,
    ...(hasOptions(command) ? ['[options]'] : []),
    ...command.registeredArguments.map(placeholder),
  ];
  const other = [
    ...command.aliases().map((alias) => nameOf(command).replace(/\S+$/, alias)),
    ...(isDefault(command) && command.parent ? [nameOf(command.parent)] : []),
  ];
  const described = help.visibleArguments(command).filter(({ description }) => description !== '');
  return [
    `### ${name}`,
    `${sentence(command.description())}${other.length > 0 ? ` Also: ${other.map((one) => `\`${one}\``).join(', ')}.` : ''}`,
    `\`\`\`text\n${usage.join(' ')}\n\`\`\``,
    ...(described.length > 0
      ? [
          table(
            'argument',
            described.map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
          ),
        ]
      : []),
    ...(hasOptions(command) ? [optionTable(command, ['-h, --help'])] : []),
  ].join('\n\n');
}

/** @param {Command} command */
function hasOptions(command) {
  return command.options.some((option) => !option.hidden);
}

/** The command that a group runs when none is named. @param {Command} command */
function isDefault(command) {
  const { parent } = command;
  return parent !== null && Reflect.get(parent, '_defaultCommandName') === command.name();
}

/** @param {import('commander').Argument} argument */
function placeholder(argument) {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** @param {Command} command @param {string[]} except */
function optionTable(command, except) {
  const help = command.createHelp();
  const rows = help
    .visibleOptions(command)
    .filter((option) => !except.includes(option.flags))
    .map((option) => [help.optionTerm(option), help.optionDescription(option)]);
  return table('option', rows);
}

/** @param {string} title @param {string[][]} rows */
function table(title, rows) {
  return [
    `| ${title} | |`,
    '| --- | --- |',
    ...rows.map(([term = '', words = '']) => `| \`${cell(term)}\` | ${cell(words)} |`),
  ].join('\n');
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
