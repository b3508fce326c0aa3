/**
 * The commands for what the server serves: its records, what agents and people change of them, and their search index.
 */
import { Option, type Command } from 'commander'
import { FORMATS } from '../../importers/types.js'
import type { AddCommand } from '../add-command.js'
import { limit, moment } from '../option-values.js'

/** Adds `import`, `patch`, `export` and `reindex`. */
export const dataCommands = (root: Command, command: AddCommand): void => {
  command(root, 'import <path...>', 'import the plans of a repository, the export of a tracker, or records (NDJSON, ' +
    'plain or gzip, - for standard input)',
  () => import('./import.js'), 'importPaths')
    .option('--workspace <workspace>', 'the workspace to import into: slug or id; created when it does not exist; ' +
      'default: the name of the repository')
    .addOption(new Option('--format <format>', 'how the files are read').choices(['auto', ...FORMATS])
      .default('auto'))
    .option('--dry-run', 'show what would be imported and what would be left out; write nothing')
    .option('--ndjson', 'with --dry-run: print the records')
    .option('--verbose', 'say of everything that was read why, and which file became which package')
    .option('--strict', 'import nothing when a file has a problem')
    .option('--watch', 'go on, and import what changes until it is stopped')
    .option('--replace', 'overwrite also what was changed here since the last import')
    .option('--map <column...>', 'the name of a column in an export, for example title=Titel')

  command(root, 'patch', 'print what was changed here of plans that come from files, as a diff for git apply',
    () => import('./patch.js'), 'patch')
    .option('--workspace <workspace>', 'slug or id; default: the name of the repository')
    .option('--from <path>', 'the repository with the files', '.')
    .option('--since <when>', 'only later changes: a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)

  command(
    root, 'export', 'write all records to a file that import reads; credentials and the audit log are not among them',
    () => import('./export.js'), 'exportToFile'
  )
    .requiredOption('--output <file>', 'the file, gzip when its name ends in .gz; it is replaced when all is written')
    .option('--workspace <workspace>', 'only this workspace: slug or id')
    .option('--people', 'with people, service accounts and memberships')

  command(root, 'reindex', 'rebuild the search index; searches use the old index until it is done',
    () => import('./reindex.js'), 'reindex')
    .option('--state', 'only print the state of the index')
}

const DECIDER: readonly [string, string] = [
  '--user <user>', 'the editor or admin of the workspace who decides: id or e-mail address'
]

/** Adds `proposals`, `questions`, `history` and `undo`. */
export const changeCommands = (root: Command, command: AddCommand): void => {
  const proposals = root.command('proposals').description('what agents propose to change')
  command(proposals, 'list', 'list proposals, newest first', () => import('./proposals.js'), 'list')
    .option('--workspace <workspace>', 'id or slug')
    .addOption(new Option('--state <state>', 'all when absent')
      .choices(['open', 'accepted', 'dismissed', 'superseded']))
  command(proposals, 'accept <id>', 'accept a proposal', () => import('./proposals.js'), 'accept')
    .requiredOption(...DECIDER)
  command(proposals, 'dismiss <id>', 'dismiss a proposal', () => import('./proposals.js'), 'dismiss')
    .requiredOption(...DECIDER)
    .requiredOption('--reason <text>', 'why; the agent reads it')

  const questions = root.command('questions').description('what agents ask')
  command(questions, 'answer <id>', 'answer a question', () => import('./proposals.js'), 'answer')
    .requiredOption('--exploration <id>', 'the exploration that it is about')
    .requiredOption(...DECIDER)
    .requiredOption('--text <text>', 'the answer')

  command(root, 'history', 'list what changed in an exploration, newest first',
    () => import('./history.js'), 'history')
    .requiredOption('--exploration <id>', 'its id')
    .addOption(new Option('--limit <number>', 'the maximum number of changes').default(100).argParser(limit))
    .option('--before <cursor>', 'the id of a change: only older ones')
  command(root, 'undo <id>', 'undo a change of a history', () => import('./history.js'), 'undo')
    .requiredOption(...DECIDER)
}
