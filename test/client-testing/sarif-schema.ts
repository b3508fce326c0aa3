/** What the SARIF 2.1.0 schema requires and allows of the objects that our reports use. */
const text = { type: 'string' }
const closed = (properties: object, required: string[] = []) => ({ type: 'object', properties, required, additionalProperties: false })
const list = (items: object) => ({ type: 'array', items })
const bag = { type: 'object' }
const message = { ...closed({ text, markdown: text, id: text, arguments: list(text) }), anyOf: [{ required: ['text'] }, { required: ['id'] }] }
const multiformat = closed({ text, markdown: text }, ['text'])
const level = { enum: ['none', 'note', 'warning', 'error'] }
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }

const rule = closed({
  id: text, name: text, shortDescription: multiformat, fullDescription: multiformat, helpUri: { type: 'string', pattern: '^https://' }, help: multiformat, defaultConfiguration: closed({ level, enabled: { type: 'boolean' } }), properties: bag
}, ['id'])

const location = closed({
  physicalLocation: closed({
    artifactLocation: closed({ uri: text, uriBaseId: text }), region: closed({ startLine: { type: 'integer', minimum: 1 } })
  }),
  logicalLocations: list(closed({ name: text, fullyQualifiedName: text, kind: text }))
})

const result = closed({
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: -1 },
  kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
  level,
  message,
  locations: list(location),
  partialFingerprints: { type: 'object', additionalProperties: text },
  suppressions: list(closed({ kind: { enum: ['inSource', 'external'] }, status: { enum: ['accepted', 'underReview', 'rejected'] }, justification: text }, ['kind'])),
  properties: bag
}, ['message'])

export const SARIF = closed({
  $schema: { type: 'string', pattern: '^https://' },
  version: { const: '2.1.0' },
  runs: list(closed({
    tool: closed({ driver: closed({ name: text, version: text, semanticVersion: text, informationUri: text, rules: list(rule) }, ['name']) }, ['driver']),
    automationDetails: closed({ id: text, guid: text }),
    invocations: list(closed({ executionSuccessful: { type: 'boolean' }, startTimeUtc: time, endTimeUtc: time, commandLine: text }, ['executionSuccessful'])),
    results: list(result),
    properties: bag
  }, ['tool']))
}, ['version', 'runs'])
