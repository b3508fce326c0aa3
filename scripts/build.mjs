/**
 * Builds dist/ from the sources: `npm run build`. What is independent runs side by side. Types are checked by `npm run check`, not here:
 * that would take twice as long.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
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

/** What is not code (SQL, sample data, …), and what is made of it: the program itself makes it, so it runs as if it were in dist/. */
const buildData = async () => {
  // Folders have no ending. The browser side is built by scripts/web/build.mjs.
  const assets = (await readdir(`${root}src`, { recursive: true })).filter((path) => /\.(?!tsx?$|json$)\w+$/.test(path) && !/^web[/\\]app[/\\]/.test(path))
  await Promise.all(assets.map((path) => cp(`${root}src/${path}`, `${root}dist/${path}`)))
  await run('scripts/bundle/run-source.mjs', 'scripts/build-data.ts')
}

// A file that is gone from src/ has to be gone from dist/, migrations above all.
await rm(`${root}dist`, { recursive: true, force: true })
try {
  await Promise.all([
    run('scripts/bundle/run.mjs'),
    // The declarations of `exploration-mcp/engine`.
    run('node_modules/typescript-native/bin/tsc', '-p', 'src/engine', '--noCheck'),
    buildData(),
    run('scripts/web/build.mjs')
  ])
} catch (error) {
  failed.abort()
  console.error(`The build failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
