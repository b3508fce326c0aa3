/**
 * Which scenarios of the official suite cannot be exercised on a server: most of them call tools, get prompts or read
 * resources that only the fixture of the suite has.
 */

import type { Scenario } from './official-suite.js'

/** What a server lists: the names of its tools and prompts, and the URIs of its resources and skills. */
export type Offer = Readonly<Record<'tools' | 'prompts' | 'resources' | 'skills', readonly string[]>>

const TEST_TOOL = /^(test_|json_schema_2020_12)/
const TEST_PROMPT = /^test_/
const TEST_RESOURCE = /^test:/

type Need = readonly [scenarios: RegExp, met: (offer: Offer) => boolean]
const has = (names: readonly string[], form: RegExp): boolean => names.some((name) => form.test(name))
const NEEDS: readonly Need[] = [
  [/^prompts-list$/, ({ prompts }) => prompts.length > 0],
  [/^(prompts-|completion)/, ({ prompts }) => has(prompts, TEST_PROMPT)],
  [/^(resources-list|sep-2164-resource-not-found)$/, ({ resources }) => resources.length > 0],
  [/^resources-/, ({ resources }) => has(resources, TEST_RESOURCE)],
  [
    /^(tools-call-|elicitation-|input-required-|tasks-|json-schema|server-sse-polling|http-custom-header|logging|server-stateless)/,
    ({ tools }) => has(tools, TEST_TOOL)
  ],
  // Looks at what resources/list says of a SKILL.md.
  [/^sep-2640-skills-manifest$/, ({ resources }) => has(resources, /\/SKILL\.md$/)],
  // Asks each list and reads a resource of the fixture.
  [/^caching$/, ({ prompts, resources }) => has(prompts, TEST_PROMPT) && has(resources, TEST_RESOURCE)]
]

/** Returns the scenarios, without the results of those that a server which lists this cannot exercise. */
export const withoutUnexercised = (scenarios: readonly Scenario[], offer: Offer): Scenario[] =>
  scenarios.map((scenario) => NEEDS.find(([form]) => form.test(scenario.name))?.[1](offer) ?? true
    ? scenario
    : { ...scenario, passed: 0, failed: 0, warnings: 0, skipped: 0, complaints: [], lacksFixture: true })
