/** The commands for what the server serves: its records and their search index. */
import { Option, type Command } from 'commander'
import type { AddCommand } from '../add-command.js'

/** The formats of src/importers, which are loaded only when they are needed. */
const IMPORT_FORMATS = [
  'spec-kit', 'openspec', 'kiro', 'backlog-md', 'task-master', 'adr', 'rfc', 'linear-csv', 'jira-csv', 'github',
  'ndjson'
]

/** Adds `import`, `export` and `reindex`. */
export const dataCommands = (root: Command, command: AddCommand): void => {
  command(root, 'import <path...>', 'import the plans of a repository, the export of a tracker, or records (NDJSON, ' +
    'plain or gzip, - for standard input)',
  async () => (await import('./import.js')).importPaths, 'paths')
    .option('--workspace <workspace>', 'the workspace to import into: slug or id; created when it does not exist; ' +
      'default: the name of the repository')
    .addOption(new Option('--format <format>', 'how the files are read').choices(['auto', ...IMPORT_FORMATS])
      .default('auto'))
    .option('--dry-run', 'show what would be imported and what would be left out; write nothing')
    .option('--ndjson', 'with --dry-run: print the records')
    .option('--strict', 'import nothing when a file has a problem')
    .option('--watch', 'go on, and import what changes until it is stopped')
    .option('--map <column...>', 'the name of a column in an export, for example title=Titel')

  command(
    root, 'export', 'write all records to a file that import reads; credentials and the audit log are not among them',
    async () => (await import('./export.js')).exportToFile
  )
    .requiredOption('--output <file>', 'the file, gzip when its name ends in .gz; it is replaced when all is written')
    .option('--workspace <workspace>', 'only this workspace: slug or id')
    .option('--people', 'with people, service accounts and memberships')

  command(
    root, 'reindex', 'rebuild the search index; searches use the old index until it is done',
    async () => (await import('./reindex.js')).reindex
  )
    .option('--state', 'only print the state of the index')
}
