// The composite action: its steps run here as a runner runs them, with npx replaced by the built program.
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { ROOT } from '../helpers/root.js'
import { FEW_LINES_CLIENT } from './few-lines-client.js'

interface Workflow {
  permissions: object
  jobs: Record<string, { steps: Array<{ if?: string, uses?: string, run?: string, with?: Record<string, string> }> }>
}
interface Step { id: string, shell: string, env: Record<string, string>, run: string }
interface Action {
  inputs: Record<string, { description: string, required?: boolean, default?: string }>
  outputs: Record<string, { description: string, value: string }>
  runs: { using: string, steps: Step[] }
}

const action = parse(readFileSync(join(ROOT, 'scripts/action/action.yml'), 'utf8')) as Action
const INPUT = /^\$\{\{ inputs\.([\w-]+) \}\}$/
const OUTPUT = /^\$\{\{ steps\.([\w-]+)\.outputs\.([\w-]+) \}\}$/

/** In the place of npx: the program of this checkout, whatever version is asked for. */
const NPX = `#!/bin/sh
[ "$1" = --yes ] && [ "$2" = exploration-mcp@1.2.3 ] || exit 99
shift 2
exec '${process.execPath}' '${join(ROOT, 'dist/cli.js')}' "$@"
`

/** Runs the steps with these inputs. Returns the exit code, the outputs of the action, and the summary of the job. */
const runAction = (t: Test, inputs: Record<string, string>) => {
  const dir = t.testdir({ npx: NPX, output: '', summary: '', 'client.mjs': FEW_LINES_CLIENT })
  chmodSync(join(dir, 'npx'), 0o755)
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? ''
  let code = 0
  for (const { env, run } of action.runs.steps) {
    const values = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, given(INPUT.exec(value)?.[1] ?? '')]))
    const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run], {
      cwd: dir,
      env: { PATH: `${dir}:${process.env['PATH']}`, GITHUB_OUTPUT: join(dir, 'output'), GITHUB_STEP_SUMMARY: join(dir, 'summary'), ...values },
      encoding: 'utf8'
    })
    code ||= status ?? 1
    t.comment(stderr)
  }
  const outputs = Object.fromEntries(readFileSync(join(dir, 'output'), 'utf8').trim().split('\n').map((line) => line.split('=')))
  return {
    dir,
    code,
    outputs: Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, outputs[OUTPUT.exec(value)?.[2] ?? '']])),
    summary: readFileSync(join(dir, 'summary'), 'utf8')
  }
}

t.test('workflows on pages upload failures: the step that finds them fails', async (t) => {
  for (const [name, sarif, step] of [
    ['grade-a-client', `${action.inputs['reports']!.default!}/report.sarif`, /grade-mcp-client/],
    ['conformance-in-ci', 'conformance.sarif', /conformance --url/]
  ] as const) {
    const page = readFileSync(join(ROOT, `docs/how-to/${name}.md`), 'utf8')
    const [, text = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
    const { permissions, jobs } = parse(text) as Workflow
    t.match(permissions, { 'security-events': 'write', contents: 'read' })
    const { steps } = Object.values(jobs)[0]!
    const at = steps.findIndex(({ uses, run }) => step.test(uses ?? run ?? ''))
    const after = steps.slice(at + 1)
    t.ok(at > 0 && after.length > 1, name)
    for (const later of after) t.match(later.if, /^\$\{\{ !cancelled\(\)/)
    t.equal(after.find(({ uses }) => uses?.includes('upload-sarif'))?.with?.['sarif_file'], sarif)
  }
})

t.test('the file', async (t) => {
  t.equal(action.runs.using, 'composite')
  const ids = action.runs.steps.map(({ id }) => id)
  for (const [name, { description, value }] of Object.entries(action.outputs)) {
    t.ok(description.length > 10 && ids.includes(OUTPUT.exec(value)?.[1] ?? ''), `output ${name} is of a step`)
  }
  t.strictSame(Object.keys(action.outputs), ['passed', 'failed', 'report'])
  const used = action.runs.steps.flatMap(({ env }) => Object.values(env).map((value) => INPUT.exec(value)?.[1]))
  t.strictSame([...used].sort(), Object.keys(action.inputs).sort(), 'each input reaches a step, and nothing else')
  for (const { run, shell } of action.runs.steps) {
    t.equal(shell, 'bash')
    t.notMatch(run, '${{', 'no input is text of a script')
  }
})

const client = `'${process.execPath}' client.mjs`

t.test('a client that does well', async (t) => {
  const { dir, code, outputs, summary } = runAction(t, { client, profile: 'reply-json', version: '1.2.3' })
  t.equal(code, 0)
  t.match(outputs, { failed: '0', report: 'mcp-report/report.json' })
  t.ok(Number(outputs['passed']) > 10)
  t.match(summary, /^# MCP grade: passed/)
  for (const file of ['report.json', 'report.xml', 'report.sarif', 'report.html', 'report.md', 'report.svg']) {
    t.ok(readFileSync(join(dir, 'mcp-report', file), 'utf8').length > 100, file)
  }
})

t.test('a client that fails, and a baseline that knows it', async (t) => {
  const inputs = { client, profile: 'session-gone', version: '1.2.3', reports: 'of the client; touch injected' }
  const first = runAction(t, inputs)
  t.match(first, { code: 1, outputs: { failed: '1', report: 'of the client; touch injected/report.json' }, summary: /session-gone/ })
  t.throws(() => readFileSync(join(first.dir, 'injected')), 'inputs are no code')
  const baseline = join(t.testdirName, '..', 'action-baseline.json')
  writeFileSync(baseline, '{"failures":["session-gone"]}')
  t.match(runAction(t, { ...inputs, baseline }), { code: 0, outputs: { failed: '0' } })
})

t.test('a client that is none', async (t) => {
  t.match(runAction(t, { client: 'true', profile: '', version: '1.2.3' }), { code: 4, outputs: { passed: '0', failed: '0', report: '' } })
})
