/** The tools that ask the client for something, written once for both eras. */
import { progress, requestInput, type InputRequest, type Tool } from 'exploration-mcp/engine'
import { said, tool as toolOf } from './tools.js'

type Schema = Record<string, unknown>

export const elicitation = (
  message: string, properties: Record<string, Schema>, required: string[] = Object.keys(properties)
): InputRequest =>
  ({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } }
  })

const sampling = (prompt: string): InputRequest =>
  ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 }
  })

const roots: InputRequest = { method: 'roots/list', params: {} }
const string = { type: 'string' }
const name = elicitation('What is your name?', { name: string })

const saying = (words: string, value: unknown) => said(`${words}: ${JSON.stringify(value)}`)

type Run = Tool<Record<string, string>>['run']

const tool = (name: string, description: string, run: Run, ...strings: string[]) => toolOf(name, description, run, {
  type: 'object', properties: Object.fromEntries(strings.map((key) => [key, { type: 'string' }])), required: strings
})

const asking = (
  key: string, request: InputRequest | ((given: Record<string, string>) => InputRequest), words: string
): Run =>
  async function * (given) {
    const answers = yield * requestInput({ [key]: typeof request === 'function' ? request(given) : request })
    return saying(words, answers[key])
  }

const CAPABILITY: Record<InputRequest['method'], string> =
  { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' }

export const inputTools: ReadonlyArray<Tool<never>> = [
  tool('test_sampling', 'Asks the client\'s model.', asking('sampling', ({ prompt }) => sampling(prompt!), 'LLM response'), 'prompt'),
  tool('test_elicitation', 'Asks the user.', asking('user', ({ message }) =>
    elicitation(message!, { username: string, email: string }), 'User response'), 'message'),
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults.', asking('user', elicitation('Check the defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true }
  }, []), 'Elicitation completed')),
  tool('test_elicitation_sep1330_enums', 'Asks for choices.', asking('user', elicitation('Choose', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [{ const: 'value1', title: 'First' }, { const: 'value2', title: 'Second' }, {
        const: 'value3', title: 'Third'
      }]
    },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: { anyOf: [{ const: 'value1', title: 'First' }, { const: 'value2', title: 'Second' }, { const: 'value3', title: 'Third' }] }
    }
  }, []), 'Elicitation completed')),
  tool('test_missing_capability', 'Needs sampling.', asking('sampling', sampling('Anything'), 'Sampled')),
  tool('test_streaming_elicitation', 'Says something, then asks.', async function * () {
    yield progress(1, 2)
    const { user } = yield * requestInput({ user: name })
    return saying('Hello', user)
  }),
  tool('test_input_required_result_elicitation', 'Asks the user.', asking('user_name', name, 'Hello')),
  tool('test_input_required_result_sampling', 'Asks the model.', asking('capital_question', sampling('What is the capital of France?'), 'The model says')),
  tool('test_input_required_result_list_roots', 'Asks for the roots.', asking('client_roots', roots, 'The roots are')),
  tool('test_input_required_result_request_state', 'Keeps its state with the client.', asking('confirm', name, 'state-ok')),
  tool('test_input_required_result_tampered_state', 'Refuses an altered state.', asking('confirm', name, 'state-ok')),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once.', async function * () {
    return saying('All answered', yield * requestInput({
      user_name: name, greeting: sampling('Greet'), client_roots: roots
    }))
  }),
  tool('test_input_required_result_multi_round', 'Asks twice.', async function * () {
    const { step1 } = yield * requestInput({ step1: name })
    const { step2 } = yield * requestInput({ step2: elicitation('What is your favourite colour?', { color: string }) })
    return saying('Both answered', [step1, step2])
  }),
  tool('test_input_required_result_capabilities', 'Asks only what the client can answer.', async function * (_given, { client }) {
    const all = { user_name: name, greeting: sampling('Greet'), client_roots: roots }
    const possible = Object.entries(all).filter(([, { method }]) => CAPABILITY[method] in client.capabilities)
    return possible.length === 0 ? said('Nothing to ask.') : saying('Answered', yield * requestInput(Object.fromEntries(possible)))
  })
]
