/** XML text: escaped, and without the characters that XML 1.0 does not allow. */

// eslint-disable-next-line no-control-regex -- the characters that XML does not have
const CONTROL = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFFE\uFFFF]/
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/
const NOT_ALLOWED = new RegExp(`${CONTROL.source}|${LONE_SURROGATE.source}`, 'g')
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}

/** Escapes a text for the content or an attribute of an element. Characters that XML does not have become U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(NOT_ALLOWED, '\uFFFD').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

export type Attributes = Readonly<Record<string, string | number | undefined>>

export const element = (name: string, attributes: Attributes, content = ''): string => {
  const attributeTexts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`]
  )
  return `<${name}${attributeTexts.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`
}
