// Loaded into a server and its threads: SIGUSR2 makes the thread of the embedded database fail as a defect in it would.
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads'

const channel = new BroadcastChannel('crash-pglite-thread')
channel.unref()
if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage('crash'))
} else if (workerData !== null && 'folder' in workerData) {
  channel.onmessage = () => { throw new Error('unreachable executed') }
}
