/** RFC 6570 level 1, read backwards: which values of its variables make a URI out of a template. */
import type { Variables } from './resource.js'

export interface UriTemplate {
  variables: readonly string[]
  /** The variables' values; undefined when the URI is not of this template. */
  match (uri: string): Variables | undefined
  /** The URI of these variables, always spelled in the same way. */
  fill (variables: Variables): string
}

export const uriTemplate = (template: string): UriTemplate => {
  const variables: string[] = []
  const pattern = template.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    variables.push(part)
    return '([^/?#]+)'
  }).join('')
  const expression = new RegExp(`^${pattern}$`)

  return {
    variables,
    match (uri) {
      const found = expression.exec(uri)
      if (!found) return undefined
      try {
        return Object.fromEntries(variables.map((name, index) => [name, decodeURIComponent(found[index + 1]!)]))
      } catch {
        return undefined // a stray percent sign
      }
    },
    fill: (values) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  }
}
