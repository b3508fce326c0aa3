// What a terminal shows of a run of the tests.
import t from 'tap'
import { createTerminalReport, failuresOf } from '../../scripts/test/terminal-report.mjs'

const RESULTS = `TAP version 14
# Subtest: outer
    # Subtest: fine
        ok 1 - one
        1..1
    ok 1 - fine # time=1ms

    # Subtest: inner
        not ok 1 - should be equal
          ---
          diff: |
            -a
            +b
          at:
            fileName: test/x.test.ts
          ...
        ok 2 - other
        not ok 3 - later # TODO
        1..3
        # failed 1 of 3 tests
    not ok 2 - inner # time=2ms
    1..2
not ok 1 - outer # time=3ms

# Subtest: endless
not ok 2 - endless # time=9ms
  ---
  signal: null
  ...
ok 3 - service # SKIP no service
ok 4 - other service # SKIP no service
not ok - the process ended with SIGKILL in the middle of it
1..4
`

t.test('each failure once, with the tests around it and its diagnosis', async (t) => {
  t.strictSame(failuresOf(RESULTS), [
    'outer > inner > should be equal\n    diff: |\n      -a\n      +b\n    at:\n      fileName: test/x.test.ts',
    'endless # time=9ms\n    signal: null',
    'the process ended with SIGKILL in the middle of it'
  ])
  t.strictSame(failuresOf('# Subtest: a\n    ok 1 - b\n    1..1\nok 1 - a\n1..1\n'), [])
})

t.test('one line that changes, and the sums', async (t) => {
  let shown = ''
  const report = createTerminalReport({ columns: 60, write: (text: string) => { shown += text } }, 2)
  report.add('test/x.test.ts', RESULTS)
  t.match(shown, /✖ test\/x\.test\.ts: outer > inner > should be equal\n/)
  t.ok(shown.endsWith('\r\u001b[K1 of 2 files, 3 failures · x.test.ts'), JSON.stringify(shown.slice(-60)))
  report.add('test/y.test.ts', 'ok 1 - a\n1..1\n')
  report.end({ pass: 4, fail: 3, skip: 2, seconds: 1.2 })
  t.ok(shown.endsWith('2 files: 4 passed, 3 failed, 2 skipped, in 1 s\nSkipped 2: no service\n'), JSON.stringify(shown.slice(-90)))
})
