/** The registry of prompts: lists them, finds them by name, and checks their arguments. */
import type { AttachServices, RequestContext, HandlerOutput } from '../request-context.js'
import { Refusal } from '../../lib/errors.js'
import { pick } from '../../lib/json/json-object.js'
import type { Prompt, PromptResult } from './prompt.js'

type PromptArguments = Readonly<Record<string, string>>

export type PromptRegistry = ReturnType<typeof promptRegistry>

export const promptRegistry = <Services extends object>(
  prompts: ReadonlyArray<Prompt<Services>>, attachServices: AttachServices<Services>
) => {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  return {
    /** As `prompts/list` shows them. */
    definitions: prompts.map((prompt) => pick(prompt, 'name', 'title', 'description', 'icons', 'arguments')),

    /** Undefined when there is none of this name. @throws {Refusal} when a required argument is missing */
    get (name: string, input: PromptArguments, context: RequestContext): HandlerOutput<PromptResult> | undefined {
      const prompt = byName.get(name)
      const missing = prompt?.arguments?.find(({ name, required }) => required && input[name] === undefined)
      if (missing) throw new Refusal(`The prompt ${name} needs the argument "${missing.name}".`)
      return prompt?.get(input, attachServices(context))
    },

    /** Suggests values for an argument; undefined when there is no such prompt or argument. */
    async complete (
      name: string, argument: string, prefix: string, otherArguments: PromptArguments, context: RequestContext
    ): Promise<string[] | undefined> {
      const prompt = byName.get(name)
      if (!prompt?.arguments?.some((declared) => declared.name === argument)) return undefined
      return await prompt.complete?.(argument, prefix, otherArguments, attachServices(context)) ?? []
    }
  }
}
