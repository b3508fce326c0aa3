/** The type of a prompt, for the engine and for authors of prompts. */
import type { RequestContext, HandlerOutput } from '../request-context.js'
import type { Content } from '../tools/tool.js'

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: Content
}

export interface PromptResult {
  description?: string
  messages: PromptMessage[]
}

export interface PromptArgument {
  name: string
  description?: string
  required?: boolean
}

export interface Prompt<Services = unknown> {
  name: string
  title?: string
  description: string
  arguments?: PromptArgument[]
  get (input: Readonly<Record<string, string>>, context: RequestContext & Services): HandlerOutput<PromptResult>
  /** Suggestions for one argument, best first; at most 100 are sent. */
  complete? (
    argument: string,
    prefix: string,
    otherArguments: Readonly<Record<string, string>>,
    context: RequestContext & Services
  ): Promise<string[]>
}
