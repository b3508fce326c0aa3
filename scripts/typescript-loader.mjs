// The loader that the tests use, for `node --import`: unlike one that is registered later, it is there in threads as well.
process.env.TS_NODE_TRANSPILE_ONLY = '1'
process.removeAllListeners('warning')
await import('@tapjs/typescript/import')
