/** Writes docs/reference/commands.md from the grammar of the command line. */
import { PassThrough } from 'node:stream'
import type { Argument, Command, Option } from 'commander'
import { program } from '../../src/cli/program.js'
import type { CliContext } from '../../src/cli/cli-context.js'
import { markdownTable, writePage } from '../markdown.mjs'

/** Options that every command has. */
const COMMON = ['--data', '--database-url', '--database-url-file', '--json']

// The grammar only writes to these two while it is built.
const context = { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as CliContext

const escaped = (text: string): string => text.replaceAll('|', '\\|')

const optionRow = ({ flags, description, argChoices, defaultValue, mandatory }: Option): string[] => {
  const choices = argChoices ? `; one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : ''
  const standard = typeof defaultValue === 'string' || typeof defaultValue === 'number'
    ? `; default \`${defaultValue}\``
    : ''
  return [`\`${escaped(flags)}\``, `${escaped(description)}${choices}${standard}${mandatory ? '; required' : ''}`]
}
const optionTable = (options: readonly Option[]): string[] =>
  options.length === 0 ? [] : [markdownTable(['option', 'meaning'], options.map(optionRow))]

const argumentText = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? ` <${name}>` : ` [${name}]`
}

const isCommon = (option: Option): boolean => COMMON.some((flag) => option.flags.startsWith(flag))

const section = (command: Command, path: string): string[] => {
  const name = [path, command.name()].filter(Boolean).join(' ')
  if (command.commands.length > 0) return command.commands.flatMap((child) => section(child, name))
  const usage = name + command.registeredArguments.map(argumentText).join('')
  return [
    `## ${name}`,
    `\`exploration-mcp ${usage}\`: ${command.description()}`,
    ...optionTable(command.options.filter((option) => !isCommon(option)))
  ]
}

const root = program(context)
await writePage('commands.md', 'npm run fresh from the command line\'s grammar', [
  '# Commands',
  'Run a command with `npx exploration-mcp COMMAND`, or with `node dist/cli.js COMMAND` in a clone. `--help` prints its options.',
  'A command works beside a running server and without one. The exit code is 0, 1 (refused, with a sentence) or 2 (wrong usage).',
  'Every command takes these options:',
  ...optionTable(root.commands[0]?.options.filter(isCommon) ?? []),
  ...root.commands.flatMap((command) => section(command, ''))
])
