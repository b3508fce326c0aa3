// Runs the test files in this one process, one after another: node test/interop/all.mjs. The clients and what drives Chromium are loaded once,
// and most files share a product. A file runs by itself too: node --test test/interop/FILE.
import { test } from 'node:test'
import { keepShared, stopShared } from './shared.mjs'

// What lists all explorations and workspaces comes before what adds some.
const FILES = [
  'browser-key', 'python', 'typescript', 'inspector', 'oauth', 'inspector-sign-in', 'plan-in-chat', 'engine-examples', 'plans', 'twelve-items',
  'workbench', 'skills', 'kubernetes'
]

keepShared()
// One after another: a file may look whether another one has installed something.
for (const file of FILES) await import(`./${file}.test.mjs`)
test('what they shared ends', stopShared)
