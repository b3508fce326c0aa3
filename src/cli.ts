#!/usr/bin/env node
/** The entry point of the command line: creates the context of a command. The only module that reads `process`. */

// Node 20 warns at every start that it imports JSON modules. Other warnings are for the operator. All other code is
// loaded after this.
const warn = process.emitWarning
Object.assign(process, {
  emitWarning (...given: unknown[]) {
    if (!String(given[0]).includes('Importing JSON modules')) Reflect.apply(warn, process, given)
  }
})

// `| head` closes the pipe when it has read enough: that is no error, and no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => { if (error.code !== 'EPIPE') throw error })
}

// What this program writes is for its user: the embedded database, which chooses no modes itself, too.
process.umask(0o077)

const { homedir, hostname } = await import('node:os')
const { fileSystem } = await import('./agent-setup/file-system.js')
const { setProgram } = await import('./lib/text/command-line.js')
const { main } = await import('./cli/program.js')

const args = process.argv.slice(2)
setProgram({ script: process.argv[1] ?? '', folder: process.cwd(), args, env: process.env })

process.exitCode = await main(args, {
  env: process.env,
  pid: process.pid,
  host: {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    fileSystem,
    hostname: hostname(),
    folder: process.cwd()
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onStop (listener) {
    let firstSignalAt: number | undefined
    for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
      process.on(signal, () => {
        if (firstSignalAt === undefined) listener()
        // One Ctrl-C under npm comes twice: from the terminal, and handed on by npm.
        else if (performance.now() - firstSignalAt > 1000) process.exit(code)
        firstSignalAt ??= performance.now()
      })
    }
  },
  openInBrowser: async (url) => (await import('open')).default(url),
  openBackend: async (...given) => (await import('./server/open-backend.js')).openBackend(...given)
})
