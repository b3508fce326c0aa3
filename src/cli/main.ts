/**
 * Runs one command line and returns its exit code: 0, 1 for a refusal (one sentence on stderr), 2 for wrong usage, and
 * those of src/client-testing/exit-codes.ts.
 */
import { CommanderError } from 'commander'
import { Refusal } from '../lib/errors.js'
import { WorkbenchError } from '../client-testing/exit-codes.js'
import { stripControlChars, stripControlCharsKeepLines } from './print/print.js'
import { program } from './program.js'
import type { CliContext } from './cli-context.js'

export async function main (args: readonly string[], context: CliContext): Promise<number> {
  try {
    await program(context).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its message already. Requested help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    context.stderr.write(`${reason(error)}\n`)
    return error instanceof WorkbenchError ? error.exitCode : 1
  }
}

function reason (error: unknown): string {
  if (error instanceof Refusal) return stripControlCharsKeepLines(error.message)
  return `Internal error: ${stripControlChars(error instanceof Error ? error.message : String(error))}`
}
