/** A process that owns a data folder until it is killed. */
import { DataFolder, socketIn } from '../../src/commands/data-folder.js'
import { serveManagement } from '../../src/commands/serve-management.js'
import { memoryPorts } from './ports.js'

const path = process.argv[2] ?? ''
if (!await DataFolder.take(path, process.pid)) throw new Error('taken')
await serveManagement(socketIn(path), memoryPorts())
process.stdout.write('ready\n')
