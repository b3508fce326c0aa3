/** Checks that the endpoint and the credential work. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/ping.input.json' with { type: 'json' }
import output from '#schemas/tools/ping.output.json' with { type: 'json' }
import { READING, type PlanningTool } from './planning-tool.js'
import { result } from '../../engine/tools/tool.js'

export const ping: PlanningTool<FromSchema<typeof input>> = {
  name: 'ping',
  title: 'Check the connection',
  description: 'Checks that the server answers and the credential works.',
  ...READING,
  input,
  output,
  async run (_input, { server }) {
    const time = new Date().toISOString()
    const structured = { status: 'ok', server: server.name, version: server.version, time }
    return result(structured, `ok: ${server.name} ${server.version}, ${time}`)
  }
}
