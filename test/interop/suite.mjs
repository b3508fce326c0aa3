// The two scenarios of the official suite for authorization servers. They belong together: the second takes the metadata from the first.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { newerNode } from './newer-node.mjs'

/**
 * Runs them against the issuer `endpoint`. The suite prints the address that a person would open, and waits for the
 * answer at its callback: `follow(address)` does what the person does, and leads there.
 */
export const runAuthorizationScenarios = async (product, endpoint, port, follow) => {
  const redirect = `http://127.0.0.1:${port}/callback`
  const { client_id: id } = await product.command('clients', 'create', '--name', 'Suite', '--redirect-uri', redirect)
  const suite = spawn('conformance', ['authorization', '--url', endpoint, '--client-id', id, '-p', String(port)], {
    env: newerNode(),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let printed = ''
  let followed
  for (const stream of [suite.stdout, suite.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed += `${line}\n`
      const url = /https?:\/\/\S+\/authorize\?\S+/.exec(line)?.[0]
      followed ??= url && follow(url)
    })
  }
  const code = await new Promise((resolve) => { suite.once('close', resolve) })
  assert.ok(followed, printed)
  await followed
  assert.equal(code, 0, printed)
  assert.doesNotMatch(printed, /✗|FAILURE|failed: [1-9]/, printed)
  return printed
}
