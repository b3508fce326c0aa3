/** The prompts that the official suite asks for. */
import { inputRequired, type Content, type Prompt, type PromptResult } from 'exploration-mcp/engine'
import { elicitation } from './input-tools.js'
import { PNG } from './media.js'

const saying = (...contents: Content[]): PromptResult => ({ messages: contents.map((content) => ({ role: 'user', content })) })
const text = (words: string): Content => ({ type: 'text', text: words })

export const prompts: readonly Prompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Says one thing.',
    get: async () => saying(text('This is a simple prompt for testing.'))
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Says its arguments.',
    arguments: [{ name: 'arg1', description: 'The first', required: true }, {
      name: 'arg2', description: 'The second', required: true
    }],
    get: async ({ arg1, arg2 }) => saying(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    complete: async (_argument, prefix) => ['testValue1', 'testValue2', 'paris', 'party'].filter((value) => value.startsWith(prefix))
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource.',
    arguments: [{ name: 'resourceUri', description: 'Its URI', required: true }],
    get: async ({ resourceUri }) => saying(
      {
        type: 'resource',
        resource: { uri: resourceUri!, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
      },
      text('Please process the embedded resource above.'))
  },
  {
    name: 'test_prompt_with_image',
    description: 'Holds a picture.',
    get: async () => saying({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.'))
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks before it speaks.',
    async * get () {
      const answers = yield inputRequired({ user_context: elicitation('What is it about?', { context: { type: 'string' } }) })
      return saying(text(`About: ${JSON.stringify(answers)}`))
    }
  }
]
