/** Headers that mirror the body agree with it: 2026-07-28 basic/transports/streamable-http#server-validation */
import { Fault } from '../../../lib/errors.js'
import { targetOf, type MethodDefinition } from '../../methods/index.js'
import type { Request } from '../../jsonrpc/message.js'
import { argumentAt } from '../../tools/param-headers.js'
import type { ToolRegistry } from '../../tools/tool-registry.js'
import { headerOf, type Headers } from '../era.js'
import { decodeHeaderValue } from './header-value.js'

/** @throws {Fault} `header_mismatch`, naming the header of Mcp-Method, Mcp-Name and Mcp-Param that differs */
export const checkHeaders = (
  request: Request, definition: MethodDefinition, headers: Headers, tools: ToolRegistry
): void => {
  requireEqual('Mcp-Method', headerOf(headers, 'mcp-method'), request.method)
  if (definition.target) {
    const target = targetOf(definition, request.params)
    // Without a target in the body there is nothing to mirror. The method reports what is missing.
    if (typeof target === 'string') requireEqual('Mcp-Name', decoded('Mcp-Name', headerOf(headers, 'mcp-name')), target)
  }
  if (definition.name === 'tools/call') checkParameters(request, headers, tools)
}

const checkParameters = ({ params }: Request, headers: Headers, tools: ToolRegistry): void => {
  for (const { header, path } of tools.paramHeadersOf(params['name'])) {
    const value = argumentAt(params['arguments'], path)
    const headerValue = decoded(header, headerOf(headers, header.toLowerCase()))
    if (value === undefined || value === null) {
      if (headerValue === undefined) continue
      throw mismatch(`The ${header} header mirrors an argument that the body does not have. Leave it out.`)
    } else if (typeof value === 'number') {
      if (headerValue === undefined || !DECIMAL.test(headerValue) || Number(headerValue) !== value) {
        throw differs(header, headerValue)
      }
    } else {
      requireEqual(header, headerValue, String(value))
    }
  }
}

// 2026-07-28 basic/transports/streamable-http#value-encoding: an intermediary may read 0x2a as another number
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const decoded = (name: string, raw: string | undefined): string | undefined => {
  if (raw === undefined) return undefined
  const value = decodeHeaderValue(raw)
  if (value === undefined) {
    throw mismatch(`The ${name} header has no valid value. Send plain ASCII, or =?base64?…?= of UTF-8.`)
  }
  return value
}

const requireEqual = (name: string, value: string | undefined, expected: string): void => {
  if (value !== expected) throw differs(name, value)
}

const differs = (name: string, value: string | undefined): Fault => mismatch(value === undefined
  ? `The ${name} header is missing: it mirrors the body.`
  : `The ${name} header does not agree with the body.`)

const mismatch = (message: string): Fault => new Fault('header_mismatch', message)
