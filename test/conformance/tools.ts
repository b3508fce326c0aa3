/** The tools that the official suite asks for, on the engine alone. */
import { progress, Refusal, type Content, type RequestContext, type Tool, type ToolResult } from 'exploration-mcp/engine'
import { PNG, WAV } from './media.js'

const NOTHING = { type: 'object', additionalProperties: false } as const

/** A tool of the fixture; without `input` it takes no arguments. */
export const tool = <Input, Services extends object = object>(
  name: string, description: string, run: Tool<Input, Services>['run'], input: Tool['input'] = NOTHING
): Tool<Input, Services> => ({ name, title: name, description, scope: 'read', input, run })

export const said = (words: string): ToolResult => saying(text(words))

const saying = (...content: Content[]): ToolResult => ({ content })
const text = (words: string): Content => ({ type: 'text', text: words })
const image: Content = { type: 'image', data: PNG, mimeType: 'image/png' }

async function * withProgress (_input: unknown, _call: RequestContext) {
  for (const done of [0, 50, 100]) yield progress(done, 100, `${done} of 100`)
  return saying(text('Done, in three steps.'))
}

export const tools: ReadonlyArray<Tool<never>> = [
  tool('test_simple_text', 'Answers with text.', async () => saying(text('This is a simple text response for testing.'))),
  tool('test_image_content', 'Answers with an image.', async () => saying(image)),
  tool('test_audio_content', 'Answers with a sound.', async () => saying({
    type: 'audio', data: WAV, mimeType: 'audio/wav'
  })),
  tool('test_embedded_resource', 'Answers with a resource.', async () =>
    saying({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.'
      }
    })),
  tool('test_multiple_content_types', 'Answers with a text, an image and a resource.', async () => saying(
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}'
      }
    })),
  tool('test_error_handling', 'Always fails.', async () => { throw new Refusal('This tool intentionally returns an error for testing') }),
  tool('test_tool_with_progress', 'Says how far it is.', withProgress),
  tool('json_schema_2020_12_tool', 'Takes a schema with the wider vocabulary of 2020-12.', async () => saying(text('Taken.')), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' }
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false
  } as Tool['input']),
  tool('test_x_mcp_header', 'Takes an argument that a header mirrors.', async ({ region }: { region?: string }) => saying(text(`Region: ${region ?? 'none'}`)), {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } }
  } as Tool['input'])
]
