/** Which requirement, rule or profile cites each section of the specification that has a MUST, SHOULD or MAY. */
import { readFileSync } from 'node:fs'
import { CLIENT_RULES } from '../../src/mcp/engine.js'
import { PROFILES } from '../../src/workbench/profiles/all-profiles.js'
import { REQUIREMENTS } from '../../test/conformance/requirements.js'
import { UNWATCHED } from '../../test/conformance/unwatched.js'

export interface CoveredSection {
  revision: string
  page: string
  anchor: string
  must: number
  should: number
  may: number
  /** Ids of requirements of the server. */
  server: string[]
  /** Ids of rules and of profiles for clients. */
  rules: string[]
  profiles: string[]
  /** Why nothing is cited. */
  reason: string | undefined
}

type Row = readonly [revision: string, page: string, anchor: string, parents: string, must: number, should: number, may: number]

const ROWS = JSON.parse(readFileSync(new URL('../../test/conformance/normative-sections.json', import.meta.url), 'utf8')) as readonly Row[]
const isModern = (revision: string): boolean => revision >= '2026-07-28'

/** Pages of revisions before 2025-03-26 under the name that they have later. */
const laterName = (page: string): string => page === 'basic/messages' ? 'basic' : page

interface Citing { id: string, legacy?: string | undefined, modern?: string | undefined }

/** The citations of a section or of one that it is part of. A place of 2025-11-25 counts for the revisions before it. */
const citing = (all: readonly Citing[], [revision, page, anchor, parents]: Row): string[] => {
  const names = [anchor, ...parents.split(' ').filter(Boolean)]
  const places = names.map((name) => name === '' ? laterName(page) : `${laterName(page)}#${name}`)
  return all.filter(({ legacy, modern }) => {
    const place = isModern(revision) ? modern : legacy
    return place !== undefined && places.includes(place)
  }).map(({ id }) => id)
}

const rules: readonly Citing[] = Object.entries(CLIENT_RULES).map(([id, { legacy, modern }]) => ({ id, legacy: legacy?.join('#'), modern: modern?.join('#') }))

/** Returns all sections. `reason` is undefined for a section that is cited, and for one without a reason. */
export const specificationCoverage = (): CoveredSection[] => ROWS.map((row) => {
  const [revision, page, anchor, , must, should, may] = row
  const cited = { server: citing(REQUIREMENTS, row), rules: citing(rules, row), profiles: citing(PROFILES, row) }
  const place = anchor === '' ? page : `${page}#${anchor}`
  const isCited = Object.values(cited).some((ids) => ids.length > 0)
  const unwatched = isCited ? undefined : UNWATCHED.find((each) => each.place.test(place) && (each.revision?.test(revision) ?? true))
  return { revision, page, anchor, must, should, may, ...cited, reason: unwatched?.reason }
})
