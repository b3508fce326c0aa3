/**
 * Builds dist/ from the sources: `npm run build`. What is independent runs side by side. Types are checked by `npm run types`, not here:
 * that would take three times as long.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const failed = new AbortController()

/**
 * Runs a program of the project in a process of its own. The first one that fails ends the others.
 * @param {string} program path from the root of the project
 * @param {...string} args
 * @throws {Error} when it fails, or was ended
 */
const run = async (program, ...args) => {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit', signal: failed.signal })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}

/** @param {string} project folder with a tsconfig.json */
const emit = (project) => run('node_modules/typescript/bin/tsc', '-p', project, '--noCheck')

const buildServer = async () => {
  await emit('src')
  await run('scripts/copy-assets.mjs')
  // These run the program that was just compiled.
  await run('scripts/retrofit-words.mjs')
  await run('scripts/database-images.mjs')
}

// A file that is gone from src/ has to be gone from dist/, migrations above all.
await rm(`${root}dist`, { recursive: true, force: true })
try {
  await Promise.all([buildServer(), emit('src/mcp'), run('scripts/web/build.mjs')])
} catch (error) {
  failed.abort()
  console.error(`The build failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
