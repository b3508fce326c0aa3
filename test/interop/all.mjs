// Runs the test files in this one process, one after another: node test/interop/all.mjs, with `agents` those of the agents. The clients and
// what drives Chromium are loaded once, and most files share a product. A file runs by itself too: node --test test/interop/FILE.
import { test } from 'node:test'
import { keepShared, stopShared } from './shared.mjs'

// What lists all explorations and workspaces comes before what adds some.
const FILES = {
  clients: [
    'browser-key', 'python', 'typescript', 'inspector', 'oauth', 'inspector-sign-in', 'plan-in-chat', 'engine-examples', 'plans', 'twelve-items',
    'workbench', 'skills', 'kubernetes'
  ],
  agents: ['agents/agents', 'agents/twelve-items']
}

keepShared()
// One after another: a file may look whether another one has installed something.
for (const file of FILES[process.argv[2] ?? 'clients']) await import(`./${file}.test.mjs`)
test('what they shared ends', stopShared)
