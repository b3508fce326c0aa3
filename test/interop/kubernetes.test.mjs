// The example for Kubernetes against the schemas of its API, as `kubernetes-models` and `@kubernetes-models/gateway-api` have them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { newerNode } from './newer-node.mjs'

const VALIDATE = fileURLToPath(new URL('kubernetes/validate.mjs', import.meta.url))
const resources = () => parseAllDocuments(readFileSync(new URL('../../scripts/deploy/kubernetes.yaml', import.meta.url), 'utf8')).map((document) => document.toJS())

const judge = (all) => new Promise((resolve, reject) => {
  const child = execFile('node', [VALIDATE], { env: newerNode() }, (error, stdout) => error ? reject(error) : resolve(JSON.parse(stdout)))
  child.stdin.end(JSON.stringify(all))
})

/** The resource of this kind, changed. */
const broken = (kind, change) => {
  const resource = resources().find((one) => one.kind === kind)
  change(resource)
  return resource
}

describe('kubernetes.yaml', () => {
  test('each resource is what the schema of its API says, without a field that it does not know', async () => {
    assert.deepEqual(await judge(resources()), resources().map(({ kind }) => ({ kind, unknown: [] })))
  })

  test('a mistake is seen', async () => {
    const [wrongType, missing, misspelt, unknown] = await judge([
      broken('NetworkPolicy', ({ spec }) => { spec.ingress[0].ports[0].protocol = 6 }),
      broken('Job', ({ spec }) => { delete spec.template.spec.containers[0].name }),
      broken('PodDisruptionBudget', ({ spec }) => { spec.maxUnavailabel = 1 }),
      broken('Deployment', ({ spec }) => { spec.template.spec.containers[0].securityContext.readOnlyRootFileSystem = true })
    ])
    assert.match(wrongType.error, /protocol/)
    assert.match(missing.error, /name/)
    assert.deepEqual(misspelt.unknown, ['/spec/maxUnavailabel'])
    assert.deepEqual(unknown.unknown, ['/spec/template/spec/containers/0/securityContext/readOnlyRootFileSystem'])
  })
})
