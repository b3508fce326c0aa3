// A model that works through a plan by rule: it claims an item, reports that it is done, and ends when nothing can start. It speaks what the
// agents' command lines ask a model in: the Messages API of Anthropic and the chat completions of OpenAI, streamed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { evidenceOf } from '../twelve-items.mjs'

/** More than a plan needs, so that an agent ends also when something is wrong. */
const MAX_STEPS = 60

/** Answers its origin and `stop`. `plan` is the id of an exploration. */
export const startModel = async (plan) => {
  let count = 0
  const server = createServer(async (request, response) => {
    const api = Object.entries(APIS).find(([path]) => request.url.includes(path))?.[1]
    if (request.method !== 'POST' || !api) {
      response.writeHead(404).end()
      return
    }
    const asked = await json(request)
    const names = api.tools(asked)
    count++
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    // A question without our tools is not about the plan: for a title, say.
    const isAgent = names.some((name) => name.endsWith('claim_item'))
    const step = isAgent && count <= MAX_STEPS ? next(api.last(asked), plan) : undefined
    const call = step && { id: `call_${count}`, name: names.find((name) => name.endsWith(step.tool)), args: JSON.stringify(step.args) }
    response.end(api.answer(call, { id: `reply_${count}`, model: asked.model }).map((event) => `${event}\n\n`).join(''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop () {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The next call after an answer, none where the answer is that nothing can start. */
const next = (last, plan) => {
  if (!last || last.tool.endsWith('report_progress')) return { tool: 'claim_item', args: { exploration_id: plan } }
  const [item] = /item-\d\d/.exec(last.text) ?? []
  return item && { tool: 'report_progress', args: { exploration_id: plan, item_id: item, status: 'done', evidence: evidenceOf(item) } }
}

const sse = (data) => `data: ${JSON.stringify(data)}`

/** By path: the names of the tools that an agent offers, the last call with its answer, and the events of a reply. */
const APIS = {
  '/v1/messages': {
    tools: ({ tools = [] }) => tools.map(({ name }) => name),
    last: ({ messages }) => {
      const parts = messages.flatMap(({ content }) => typeof content === 'string' ? [] : content)
      const result = parts.findLast(({ type }) => type === 'tool_result')
      return result && { tool: parts.find(({ type, id }) => type === 'tool_use' && id === result.tool_use_id).name, text: JSON.stringify(result.content) }
    },
    answer: (call, reply) => {
      const [block, delta, reason] = call
        ? [{ type: 'tool_use', id: call.id, name: call.name, input: {} }, { type: 'input_json_delta', partial_json: call.args }, 'tool_use']
        : [{ type: 'text', text: '' }, { type: 'text_delta', text: 'All done.' }, 'end_turn']
      const usage = { input_tokens: 1, output_tokens: 1 }
      return [
        { type: 'message_start', message: { ...reply, type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null, usage } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
        { type: 'message_stop' }
      ].map((event) => `event: ${event.type}\n${sse(event)}`)
    }
  },
  '/chat/completions': {
    tools: ({ tools = [] }) => tools.map((tool) => tool.function.name),
    last: ({ messages }) => {
      const result = messages.findLast(({ role }) => role === 'tool')
      const calls = messages.flatMap((message) => message.tool_calls ?? [])
      return result && { tool: calls.find(({ id }) => id === result.tool_call_id).function.name, text: JSON.stringify(result.content) }
    },
    answer: (call, reply) => {
      const delta = call
        ? { tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: call.args } }] }
        : { content: 'All done.' }
      const chunk = (choice) => sse({ ...reply, object: 'chat.completion.chunk', created: 1, choices: [{ index: 0, ...choice }] })
      return [
        chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null }),
        chunk({ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }),
        'data: [DONE]'
      ]
    }
  }
}
