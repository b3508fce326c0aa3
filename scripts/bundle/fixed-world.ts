/**
 * For builds that give the same bytes each time: with SOURCE_DATE_EPOCH (seconds) this process has that time for ever, as JavaScript and
 * the embedded database see it, and the same sequence of random numbers. What is made so has no secrets.
 */
import crypto, { createHash } from 'node:crypto'

const seconds = process.env['SOURCE_DATE_EPOCH']

/** The time of all files that are written; undefined outside of such a build. */
export const FIXED_TIME = seconds === undefined ? undefined : new Date(Number(seconds) * 1000)

/** Fixes time and random numbers. */
export const fixWorld = (): void => {
  if (FIXED_TIME === undefined) return
  const milliseconds = FIXED_TIME.getTime()
  Date.now = () => milliseconds
  globalThis.Date = new Proxy(Date, {
    construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [milliseconds] : given, made)
  })
  let count = 0
  crypto.randomFillSync = <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
    const target = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < target.length; at += 32) target.set(createHash('sha256').update(`${count++}`).digest().subarray(0, target.length - at), at)
    return bytes
  }
}
