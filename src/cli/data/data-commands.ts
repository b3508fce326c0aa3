/** The commands for what the server serves: its records and their search index. */
import { Option, type Command } from 'commander'
import { FORMATS } from '../../importers/types.js'
import type { AddCommand } from '../add-command.js'
import { moment } from '../option-values.js'

export const dataCommands = (root: Command, command: AddCommand): void => {
  command(root, 'import <path...>', 'import the plans of a repository, the export of a tracker, or records (NDJSON, ' +
    'plain or gzip, - for standard input)',
  async (...call) => (await import('./import.js')).importPaths(...call))
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
    async (...call) => (await import('./patch.js')).patch(...call))
    .option('--workspace <workspace>', 'slug or id; default: the name of the repository')
    .option('--from <path>', 'the repository with the files', '.')
    .option('--since <when>', 'only later changes: a time (RFC 3339), a date, or how long ago (24h, 7d)', moment)

  command(
    root, 'export', 'write all records to a file that import reads; credentials and the audit log are not among them',
    async (...call) => (await import('./export.js')).exportToFile(...call)
  )
    .requiredOption('--output <file>', 'the file, gzip when its name ends in .gz; it is replaced when all is written')
    .option('--workspace <workspace>', 'only this workspace: slug or id')
    .option('--people', 'with people, service accounts and memberships')

  command(root, 'reindex', 'rebuild the search index; searches use the old index until it is done',
    async (...call) => (await import('./reindex.js')).reindex(...call))
    .option('--state', 'only print the state of the index')
}
