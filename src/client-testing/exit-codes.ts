/** The exit codes of commands that test servers and clients: the table of the documentation is made from this one. */
import { Refusal } from '../lib/errors.js'

export const EXIT_CODES = {
  passed: { code: 0, meaning: 'nothing was found that `--fail-on` counts; `replay --url`, `surface`: no difference' },
  failed: {
    code: 1,
    meaning: 'something was found that `--fail-on` counts, or replies differ; also: refused, with a sentence'
  },
  usage: {
    code: 2,
    meaning: 'wrong usage: an unknown option, profile or format, no address of a server, or a file that cannot be ' +
      'read or written'
  },
  'command-not-started': { code: 3, meaning: 'the command after `--` cannot be started' },
  'never-connected': { code: 4, meaning: 'the command ended, or its time was over, without one request' },
  'never-ended': { code: 5, meaning: 'the command did not end in time on the correct server (`--timeout`, `--for`)' },
  'output-too-large': { code: 6, meaning: 'the command printed more than 64 MiB' },
  'command-failed': { code: 7, meaning: 'the command fails on the correct server too, so no profile can be judged' },
  'no-server': { code: 7, meaning: '`conformance`, `surface`, `audit-auth`: no MCP server answers at the address' },
  'recording-unusable': {
    code: 8,
    meaning: 'the recording is cut, edited, too large, of another version, or no recording'
  },
  stopped: {
    code: 130,
    meaning: 'stopped by Ctrl-C or SIGTERM while a command ran; the report has what was found until then'
  }
} as const

export type ExitReason = keyof typeof EXIT_CODES

/** Ends a command of the workbench with a sentence and the exit code of its reason. */
export class WorkbenchError extends Refusal {
  constructor (
    readonly reasonOfExit: ExitReason,
    message: string
  ) {
    super(message)
    this.name = 'WorkbenchError'
  }

  get exitCode (): number {
    return EXIT_CODES[this.reasonOfExit].code
  }
}
