/** The options of the commands that make a report. */
import { Option, type Command } from 'commander'
import { collect } from '../option-values.js'

/** Adds the options for the files of a report to a command and returns it. */
export const reportFiles = (command: Command): Command => command
  .option('--report <format=file>', 'write the report: junit, sarif, html, json, markdown or badge; may be repeated',
    collect)
  .option('--baseline <file>', 'known failures, which do not count; those that no longer fail do')
  .option('--compare <file>', 'a JSON report of an earlier run: say which checks differ from it')

/** Adds the options to a command whose output is the report, and returns it. */
export const reporting = (command: Command): Command => reportFiles(command)
  .addOption(new Option('--fail-on <level>', 'which failures make the exit code 1').choices(['must', 'should', 'never'])
    .default('must'))
  .option('--all', 'print passed checks too')
