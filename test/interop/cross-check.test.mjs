// The same clients through the scenarios in which the official suite plays the server, and through `grade`: no verdict differs without a reason.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { ALL_INSTALLED, CROSS_CHECKED } from './cross-check/clients.mjs'
import { compareClient, unknownScenarios } from './cross-check/compare.mjs'
import { crossCheckPage } from './cross-check/page.mjs'
import { REASONS } from './cross-check/scenarios.mjs'
import { SUITE } from './newer-node.mjs'

describe('cross-check', () => {
  let rows
  before(async () => { rows = (await Promise.all(CROSS_CHECKED.map(compareClient))).flat() })

  test('each disagreement has a reason', () => {
    assert.ok(rows.length >= 16, `${rows.length} rows`)
    const differing = rows.filter(({ agrees }) => !agrees)
    assert.deepEqual(differing.filter(({ key }) => !(key in REASONS)).map(({ key, suite, grade }) => [key, suite, grade]), [])
  })

  test('each reason is needed', () => {
    const agreed = rows.filter(({ agrees }) => agrees).map(({ key }) => key)
    assert.deepEqual(Object.keys(REASONS).filter((key) => agreed.includes(key)), [])
  })

  test('no scenario of the suite is overlooked', async () => {
    assert.deepEqual(await unknownScenarios(), [])
  })

  test('the suite is the one that the conformance command runs', async () => {
    assert.ok((await readFile(new URL('../../src/cli/testing/conformance/official-suite.ts', import.meta.url), 'utf8')).includes(`'${SUITE}'`))
  })

  test('the page is fresh', { skip: ALL_INSTALLED ? false : 'not all clients were asked for, or are installed here' }, async () => {
    assert.equal(await readFile(new URL('../../docs/reference/client-cross-check.md', import.meta.url), 'utf8'), crossCheckPage(rows))
  })
})
