/** The commands that start a server. */
import { Option, type Command } from 'commander'
import type { AddCommand } from '../add-command.js'
import { reportFiles } from '../testing/report-options.js'
import { PROTOCOL_GROUP, serving } from './setting-options.js'

/** Adds `serve` and `observe`. */
export const serveCommands = (root: Command, command: AddCommand): void => {
  serving(command(root, 'serve', 'serve MCP over HTTP', async (...call) => (await import('./serve.js')).serve(...call)))
    .addOption(new Option('--observe', 'report protocol errors of clients as they happen, with the clause of the ' +
      'specification (OBSERVE)').helpGroup(PROTOCOL_GROUP))
    .option('--from <path...>', 'find the plans of these repositories, import each into a workspace of its own, and ' +
      'follow what changes')
    .option('--write', 'with --from: write what agents report and people accept into those files, never a commit')
    .option('--workspace <workspace>', 'with --from: the workspace to import into; default: the name of the repository')

  reportFiles(serving(command(root, 'observe', 'report protocol errors of clients as they happen; starts a server ' +
    'when none is running',
  async (...call) => (await import('../testing/observe.js')).observe(...call))))
    .option('--once', 'print the current report of the running server and exit (--json does the same)')
    .addOption(new Option('--fail-on <level>', 'which findings make the exit code 1; default: never, and must with ' +
      '--baseline').choices(['must', 'should', 'never']))
}
