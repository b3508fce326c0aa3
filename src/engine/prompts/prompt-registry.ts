/** The registry of prompts: lists them, finds them by name, and checks their arguments. */
import type { AttachServices, RequestContext, HandlerOutput } from '../request-context.js'
import { Refusal } from '../../lib/errors.js'
import type { Prompt, PromptResult } from './prompt.js'

/** A prompt as `prompts/list` shows it. */
export type PromptDefinition = Pick<Prompt, 'name' | 'title' | 'description' | 'icons' | 'arguments'>

type PromptArguments = Readonly<Record<string, string>>

export interface PromptRegistry {
  definitions: readonly PromptDefinition[]
  /**
   * Runs a prompt. Returns undefined when there is no such prompt.
   * @throws {Refusal} when a required argument is missing
   */
  get (name: string, input: PromptArguments, context: RequestContext): HandlerOutput<PromptResult> | undefined
  /** Suggests values for an argument. Resolves with undefined when there is no such prompt or argument. */
  complete (
    name: string, argument: string, prefix: string, otherArguments: PromptArguments, context: RequestContext
  ): Promise<string[] | undefined>
}

/**
 * Creates the registry. Each prompt gets its services with its context. `get` throws a `Refusal` when a
 * required argument is missing.
 */
export const promptRegistry = <Services extends object>(
  prompts: ReadonlyArray<Prompt<Services>>, attachServices: AttachServices<Services>
): PromptRegistry => {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  return {
    definitions: prompts.map(({ name, title, description, icons, arguments: declared }) => ({
      name,
      ...(title !== undefined && { title }),
      description,
      ...(icons && { icons }),
      ...(declared && { arguments: declared })
    })),

    get (name, input, context) {
      const prompt = byName.get(name)
      const missing = prompt?.arguments?.find(({ name, required }) => required && input[name] === undefined)
      if (missing) throw new Refusal(`The prompt ${name} needs the argument "${missing.name}".`)
      return prompt?.get(input, attachServices(context))
    },

    async complete (name, argument, prefix, otherArguments, context) {
      const prompt = byName.get(name)
      if (!prompt?.arguments?.some((declared) => declared.name === argument)) return undefined
      return await prompt.complete?.(argument, prefix, otherArguments, attachServices(context)) ?? []
    }
  }
}
