// The composite action: its steps run here as a runner runs them, with npx replaced; what they would start runs in this process.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { commandLine, noDatabase } from '../helpers/command-line.js'
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

/** In the place of npx: notes its words, has the reports of `saved`, and ends as `code` says. */
const NPX = `#!/bin/sh
printf '%s\\0' "$@" > words
[ ! -d saved ] || cp saved/* "$REPORTS"
exit $(cat code)
`

/** Runs the steps with these inputs in a folder. Returns the exit code, the outputs, the summary of the job, and what npx was told. */
const runAction = (dir: string, inputs: Record<string, string>) => {
  for (const name of ['output', 'summary']) writeFileSync(join(dir, name), '')
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? ''
  const codes = action.runs.steps.map(({ env, run }) => {
    const values = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, given(INPUT.exec(value)?.[1] ?? '')]))
    return spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run], {
      cwd: dir,
      env: { PATH: `${dir}:${process.env['PATH']}`, GITHUB_OUTPUT: join(dir, 'output'), GITHUB_STEP_SUMMARY: join(dir, 'summary'), ...values }
    }).status
  })
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8')
  const outputs = Object.fromEntries(read('output').trim().split('\n').map((line) => line.split('=')))
  return {
    code: codes.find(Boolean) ?? 0,
    outputs: Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, outputs[OUTPUT.exec(value)?.[2] ?? '']])),
    summary: read('summary'),
    words: read('words').split('\0').slice(0, -1)
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

t.test('what the steps run, and what they make of its reports', async (t) => {
  const dir = t.testdir({ npx: NPX, code: '4', 'client.mjs': FEW_LINES_CLIENT, 'known.json': '{"failures":["session-gone"]}' })
  chmodSync(join(dir, 'npx'), 0o755)
  const reports = join(dir, 'of the client; touch injected')
  const inputs = { client: `'${process.execPath}' '${dir}/client.mjs'`, profile: 'session-gone', version: '1.2.3', reports }
  const { words, ...without } = runAction(dir, inputs)
  t.match(without, { code: 4, outputs: { passed: '0', failed: '0', report: '' }, summary: '' })
  t.strictSame(words.slice(0, 3), ['--yes', 'exploration-mcp@1.2.3', 'grade'])
  t.strictSame(runAction(dir, { ...inputs, baseline: 'known.json' }).words.filter((word) => !words.includes(word)), ['--baseline', 'known.json'])

  const { run } = commandLine(t, { data: join(dir, 'data'), openBackend: noDatabase })
  t.match(await run(words.slice(2)), { code: 1 }, 'the program knows these words')
  for (const file of ['report.json', 'report.xml', 'report.sarif', 'report.html', 'report.md', 'report.svg']) {
    t.ok(readFileSync(join(reports, file), 'utf8').length > 100, file)
  }
  renameSync(reports, join(dir, 'saved'))
  writeFileSync(join(dir, 'code'), '1')
  t.match(runAction(dir, inputs), { code: 1, outputs: { failed: '1', passed: /^[1-9]/, report: `${reports}/report.json` }, summary: /^# MCP grade[^]*session-gone/ })
  t.notOk(existsSync(join(dir, 'injected')), 'inputs are no code')
})
