/** Checks what tools return: 2026-07-28 server/tools#output-schema, servers MUST provide results that conform. */
import type { validator, Validation } from '../../lib/schema/validator.js'
import type { Tool, ToolResult } from './tool.js'

/** Returns the result as it is sent. Throws or rejects with an error of the program when it does not fit. */
export type CheckResult = (result: ToolResult) => ToolResult | Promise<ToolResult>

/** Creates the check of a tool's results; undefined for a tool without an output schema. */
export const resultCheck = (
  { name, output, checks }: Pick<Tool, 'name' | 'output' | 'checks'>, compile: typeof validator
): CheckResult | undefined => {
  if (!output) return undefined
  const isLibrarys = checks?.output !== undefined
  const check = checks?.output ?? compile(output, 'unchanged')
  /** Results that are the same object each time. */
  const checked = new WeakSet<ToolResult>()

  const conforming = (result: ToolResult, outcome: Validation<unknown>): ToolResult => {
    if (!outcome.ok) {
      throw new Error(`The result of the tool ${name} does not fit its output schema: ${outcome.faults.join('. ')}.`)
    }
    if (isLibrarys) return { ...result, structuredContent: outcome.value }
    if (result.constant) checked.add(result)
    return result
  }

  return (result) => {
    if (result.isError || checked.has(result)) return result
    const outcome = check(result.structuredContent)
    return outcome instanceof Promise
      ? outcome.then((settled) => conforming(result, settled))
      : conforming(result, outcome)
  }
}
