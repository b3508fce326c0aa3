/** A process that owns a data folder until it is killed. Says when it is ready, and when an import makes progress. */
import { DataFolder, socketIn } from '../../src/server/data-folder.js'
import { serveManagement } from '../../src/server/serve-management.js'
import { backendOn } from '../../src/server/backend.js'
import { testConfig } from './config.js'
import { leaseEmbedded } from './embedded-database.js'

const path = process.argv[2] ?? ''
if (!await DataFolder.take(path, process.pid)) throw new Error('taken')
const ports = await backendOn(await leaseEmbedded('migrated'), testConfig())
await serveManagement(socketIn(path), {
  ...ports,
  importRecords: (source, onProgress) => ports.importRecords(source, (progress) => {
    onProgress(progress)
    process.stdout.write('progress\n')
  })
})
process.stdout.write('ready\n')
