/** What the JUnit schema of Jenkins' xUnit plugin (junit-10.xsd) allows, as a table, and enough of an XML parser for reports. */
export interface XmlElement { name: string, attributes: Record<string, string>, children: XmlElement[], text: string }

interface Rule { required: readonly string[], optional: readonly string[], children: readonly string[], text?: true }

const MESSAGE: Rule = { required: [], optional: ['type', 'message'], children: [], text: true }
const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err']
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'rerunFailure', 'rerunError', 'flakyFailure', 'flakyError', 'system-out', 'system-err']
  },
  failure: MESSAGE,
  error: MESSAGE,
  skipped: MESSAGE,
  'system-out': { required: [], optional: [], children: [], text: true },
  'system-err': { required: [], optional: [], children: [], text: true }
}
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/

/** Returns one sentence for each fault. */
export const validateJunit = (element: XmlElement): string[] => {
  const { name, attributes, children, text } = element
  const rule = RULES[name]
  if (!rule) return [`there is no element ${name}`]
  return [
    ...rule.required.filter((key) => attributes[key] === undefined).map((key) => `${name} needs ${key}`),
    ...Object.keys(attributes).filter((key) => ![...rule.required, ...rule.optional].includes(key)).map((key) => `${name} has no ${key}`),
    ...children.filter((child) => !rule.children.includes(child.name)).map((child) => `${name} holds no ${child.name}`),
    ...(text.trim() !== '' && !rule.text ? [`${name} holds no text`] : []),
    ...(attributes['time'] !== undefined && name !== 'testcase' && !TIME.test(attributes['time']) ? [`${name} has a wrong time`] : []),
    ...children.flatMap(validateJunit)
  ]
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n' }

const decode = (text: string): string => text.replace(/&([^;]{1,6});|[&<]/g, (all, name: string | undefined) => {
  const character = name === undefined ? undefined : ENTITIES[name]
  if (character === undefined) throw new Error(`not well-formed: ${all}`)
  return character
})

/** Parses the XML that reports use. @throws {Error} when it is not well-formed */
export const parseXml = (xml: string): XmlElement => {
  // eslint-disable-next-line no-control-regex -- the characters that XML does not have
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(xml) || /[\ud800-\udfff]/u.test(xml)) throw new Error('a character that XML does not have')
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+/g)) {
    const top = open.at(-1)!
    const [, close, name = '', rest = '', empty] = /^<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>$/.exec(token) ?? []
    if (!token.startsWith('<')) {
      top.text += decode(token)
    } else if (name === '') {
      throw new Error(`not well-formed: ${token.slice(0, 80)}`)
    } else if (close) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
    } else {
      const attributes = Object.fromEntries([...rest.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]))
      const element = { name, attributes, children: [], text: '' }
      top.children.push(element)
      if (!empty) open.push(element)
    }
  }
  const [only] = root.children
  if (open.length !== 1 || !only || root.children.length !== 1) throw new Error('an element is not closed')
  return only
}
