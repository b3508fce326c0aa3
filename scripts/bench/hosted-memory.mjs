// npm run bench:memory: what the hosted product holds after a collection, while it answers 200,000 requests and opens 20,000 sessions that nobody
// comes back to.
import { initialize, legacyCalls, load, modernCalls, prepare, start } from './hosted-load.mjs'

const REQUESTS = 200_000
const SESSIONS = 20_000
const STEPS = 4

/** Megabytes after each quarter, and the bytes that each more costs by the line that fits best. */
const measure = async (server, requests, count) => {
  const held = []
  for (let step = 0; step < STEPS; step++) {
    await load(server, requests, count / STEPS)
    held.push((await server.ask('memory')).held)
  }
  const middle = (STEPS - 1) / 2
  const mean = held.reduce((sum, bytes) => sum + bytes) / STEPS
  const slope = held.reduce((sum, bytes, step) => sum + (step - middle) * (bytes - mean), 0) / held.reduce((sum, _, step) => sum + (step - middle) ** 2, 0)
  return { held: held.map((bytes) => (bytes / 2 ** 20).toFixed(1)), slope: slope / (count / STEPS) }
}

export const printMemory = async (access) => {
  const server = await start('product')
  const calls = [...modernCalls(access), ...await legacyCalls(access, server)]
  await load(server, calls, 5000)
  console.log(`\n${''.padEnd(34)}MB held after each quarter      bytes for each more`)
  for (const [name, requests, count] of [[`${REQUESTS} requests`, calls, REQUESTS], [`${SESSIONS} sessions opened and left`, access.keys.map(initialize), SESSIONS]]) {
    const { held, slope } = await measure(server, requests, count)
    console.log(`${name.padEnd(34)}${held.map((megabytes) => megabytes.padStart(6)).join('')}        ${slope.toFixed(1).padStart(6)}`)
  }
  await server.stop()
}

if (import.meta.filename === process.argv[1]) {
  await printMemory(await prepare())
  process.exit()
}
