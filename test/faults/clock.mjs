// Loaded before a replica: its clock, as JavaScript sees it, is ahead by as many milliseconds as it was last sent.
const { now: realNow } = Date
let ahead = 0

Date.now = () => realNow() + ahead
globalThis.Date = new Proxy(Date, {
  construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [Date.now()] : given, made)
})
process.on('message', (ms) => { ahead = Number(ms) })
process.channel?.unref()
