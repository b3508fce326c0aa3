/** A process that owns a data folder until it is killed, with no user in it. Says when it is ready, and when an import makes progress. */
import { DataFolder, socketIn } from '../../src/server/data-folder.js'
import { serveManagement } from '../../src/server/serve-management.js'
import type { ManagementPorts } from '../../src/administration/ports.js'

const path = process.argv[2] ?? ''
if (!await DataFolder.take(path, process.pid)) throw new Error('taken')
const ports: Record<string | symbol, object> = {
  directory: { listUsers: async () => [] },
  importRecords: async (_source: unknown, run: Parameters<ManagementPorts['importRecords']>[1]) => {
    run?.onProgress?.({ phase: 'checking', done: 1 })
    process.stdout.write('progress\n')
    return await new Promise(() => {})
  }
}
await serveManagement(socketIn(path), new Proxy({}, { get: (_, name) => ports[name] ?? {} }) as ManagementPorts)
process.stdout.write('ready\n')
