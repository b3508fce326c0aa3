/** The type of a prompt, for the engine and for authors of prompts. */
import type { Principal } from '../../lib/principal.js'
import type { Icon } from '../icon.js'
import type { RequestContext, HandlerOutput } from '../request-context.js'
import type { Content } from '../tools/tool.js'

/** One message of a prompt. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  content: Content
}

/** A prompt with its arguments filled in. */
export interface PromptResult {
  description?: string
  messages: PromptMessage[]
  /** Metadata of the protocol or of an extension. */
  _meta?: Readonly<Record<string, unknown>>
}

/** An argument of a prompt, as `prompts/list` shows it. */
export interface PromptArgument {
  name: string
  description?: string
  required?: boolean
}

/** A prompt. `Services` and `P` are what the server passes to all prompts. */
export interface Prompt<Services = unknown, P extends Principal = Principal> {
  name: string
  title?: string
  description: string
  icons?: readonly Icon[]
  arguments?: PromptArgument[]
  /** `input` has all required arguments. A `Refusal` becomes the error invalid params. */
  get (input: Readonly<Record<string, string>>, context: RequestContext<P> & Services): HandlerOutput<PromptResult>
  /** Suggestions for one argument, best first; at most 100 are sent. */
  complete? (
    argument: string,
    prefix: string,
    otherArguments: Readonly<Record<string, string>>,
    context: RequestContext<P> & Services
  ): Promise<string[]>
}
