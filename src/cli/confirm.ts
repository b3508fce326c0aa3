/** Asks the user for confirmation on a terminal. */
import { createInterface } from 'node:readline'
import { Refusal } from '../lib/errors.js'
import type { CliContext } from './cli-context.js'

export async function requireConsent (context: CliContext, question: string): Promise<void> {
  const { stdin, stderr } = context
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new Refusal('Nothing was changed: there is no terminal to ask for confirmation. Add --yes to do it.')
  }
  if (!await confirm(context, question)) throw new Refusal('Nothing was changed.')
}

/** Anything but a yes is a no, the end of the input and Ctrl-C too. */
async function confirm ({ stdin, stderr }: CliContext, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true })
  try {
    return await new Promise((resolve) => {
      lines.once('close', () => resolve(false))
      lines.once('SIGINT', () => resolve(false))
      lines.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())))
    })
  } finally {
    lines.close()
  }
}
