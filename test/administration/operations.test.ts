// Each route of the pages and of the socket is a row of the table of operations, with someone who may use it and a handler.
import t from 'tap'
import { pageHandlers, socketHandlers } from '../../src/administration/handlers.js'
import { operations, pageOperations, socketOperations } from '../../src/administration/operations.js'
import type { Operation } from '../../src/administration/operation.js'
import { signInOperations } from '../../src/administration/operations/sign-in.js'
import type { PageDeps } from '../../src/administration/page-deps.js'
import { accountHandlers } from '../../src/web/account/account-handlers.js'
import type { SignInWays } from '../../src/web/sign-in/sign-in-ways.js'
import type { WebDeps } from '../../src/web/web-deps.js'
import { webServer } from '../helpers/web.js'

const rows = Object.entries<Operation>(operations)

t.test('each row has a name of its own, someone who may use it, and what runs', async (t) => {
  const { backend } = await webServer(t)
  const deps = backend as unknown as PageDeps
  // The handlers are made, and none is called.
  const page = { ...pageHandlers(deps), ...accountHandlers({ ports: {} } as WebDeps, {} as SignInWays) }
  const socket = socketHandlers(backend)
  t.equal(new Set(rows.map(([, { id }]) => id)).size, rows.length)
  for (const [key, { may }] of rows) {
    t.ok(Object.values(may).some((reach) => reach !== 'none'), `${key}: someone may`)
    t.equal(key in pageOperations || key in socketOperations, true, `${key} is served`)
    if (key in pageOperations) t.type(page[key as keyof typeof page], 'function', `${key} of the pages`)
    if (key in socketOperations) t.type(socket[key as keyof typeof socket], 'function', `${key} of the socket`)
  }
})

t.test('each route of the pages is a row', async (t) => {
  const { app } = await webServer(t)
  const { paths } = (await app.inject('/web/v1/openapi.json')).json<{ paths: Record<string, Record<string, { operationId: string }>> }>()
  const served = Object.values(paths).flatMap((methods) => Object.values(methods)).map(({ operationId }) => operationId)
  t.same(served.sort(), Object.values({ ...pageOperations, ...signInOperations }).map(({ id }) => id).sort())
})
