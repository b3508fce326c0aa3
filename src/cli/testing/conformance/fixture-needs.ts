/**
 * What a scenario of the official suite needs: some need a capability, and most call tools, get prompts or read
 * resources that only the fixture of the suite has.
 */
import { asObject, type JsonObject } from '../../../lib/json/json-object.js'

/** What a server declares, and lists: the names of its tools and prompts, the URIs of its resources and skills. */
export interface Offer extends Readonly<Record<'tools' | 'prompts' | 'resources' | 'skills', readonly string[]>> {
  capabilities: JsonObject
  /** Whether a client can have several streams: in an era with sessions it needs one. */
  streams: boolean
}

const has = (names: readonly string[], form: RegExp): boolean => names.some((name) => form.test(name))
const hasKind = (offer: Offer, kind: 'tools' | 'prompts' | 'resources' | 'skills'): boolean =>
  offer.capabilities[kind] !== undefined || offer[kind].length > 0
const hasTestTool = ({ tools }: Offer): boolean => has(tools, /^(test_|json_schema_2020_12)/)
const hasTestPrompt = ({ prompts }: Offer): boolean => has(prompts, /^test_/)
const hasTestResource = ({ resources }: Offer): boolean => has(resources, /^test:/)

type Need = readonly [scenarios: RegExp, what: string, met: (offer: Offer) => boolean]
const NEEDS: readonly Need[] = [
  [/^(tools-list|http-header-validation)$/, 'tools', (offer) => hasKind(offer, 'tools')],
  [/^server-sse-multiple-streams$/, 'sessions with tools', (offer) => hasKind(offer, 'tools') && offer.streams],
  [/^prompts-list$/, 'prompts', (offer) => hasKind(offer, 'prompts')],
  [/^(resources-list|sep-2164-resource-not-found)$/, 'resources', (offer) => hasKind(offer, 'resources')],
  [/^logging-set-level$/, 'logging', ({ capabilities }) => capabilities['logging'] !== undefined],
  [
    /^resources-(un)?subscribe$/,
    'subscriptions, and resources of the fixture of the suite',
    (offer) => asObject(offer.capabilities['resources'])['subscribe'] === true && hasTestResource(offer)
  ],
  [/^resources-/, 'resources of the fixture of the suite', hasTestResource],
  [
    /^completion/,
    'completions, and prompts of the fixture of the suite',
    (offer) => offer.capabilities['completions'] !== undefined && hasTestPrompt(offer)
  ],
  [/^prompts-/, 'prompts of the fixture of the suite', hasTestPrompt],
  [
    /^(tools-call-|elicitation-|input-required-|tasks-|json-schema|server-sse-polling|http-custom-header|server-stateless)/,
    'tools of the fixture of the suite',
    hasTestTool
  ],
  // Looks at what resources/list says of a SKILL.md.
  [/^sep-2640-skills-manifest$/, 'skills among its resources', ({ resources }) => has(resources, /\/SKILL\.md$/)],
  [/^sep-2640-skills-/, 'skills', (offer) => hasKind(offer, 'skills')],
  [
    /^caching$/,
    'prompts and resources of the fixture of the suite',
    (offer) => hasTestPrompt(offer) && hasTestResource(offer)
  ]
]

/** What the scenario needs and the server does not have, in words; undefined when it can be exercised. */
export const unmetNeed = (scenario: string, offer: Offer): string | undefined => {
  const need = NEEDS.find(([form]) => form.test(scenario))
  return need?.[2](offer) ?? true ? undefined : need?.[1]
}
