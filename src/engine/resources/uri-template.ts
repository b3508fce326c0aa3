/** Matches URIs against templates (RFC 6570 level 1) and returns the values of the variables. */
import type { Variables } from './resource.js'

export interface UriTemplate {
  variables: readonly string[]
  /** Returns the values of the variables; undefined when the URI does not match. */
  match (uri: string): Variables | undefined
  /** Returns the URI for these values, always in the same spelling. */
  fill (variables: Variables): string
}

/** Compiles a template such as `note://{name}`. A variable matches anything but `/`, `?` and `#`. */
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
        return Object.fromEntries(variables.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
      } catch {
        return undefined // a stray percent sign
      }
    },
    fill: (values) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  }
}
