/** API keys and personal access tokens: the same pages with other words and other operations. */
import type { Answer, Sent } from '../api/call.js'
import { requestJson } from '../api/request.js'
import type { IconName } from '../components/icon.js'

export type Credential = Answer<'GET /keys'>['keys'][number]
export type CreatedCredential = Answer<'POST /keys'>
export type CreateCredentialBody = Sent<'POST /keys'>
export type TestResult = Answer<'POST /keys/test'>

export type CredentialKindInfo = ReturnType<typeof kindOf>

const kindOf = (
  noun: 'key' | 'token', rest: { icon: IconName, empty: string, defaultExpiry: '90' | '365' }
) => {
  const path = `/${noun}s` as const
  return {
    noun,
    path,
    title: `Your ${noun}s`,
    ...rest,
    create: (body: CreateCredentialBody) => requestJson<CreatedCredential>('POST', path, { body }),
    rotate: (id: string) => requestJson<CreatedCredential>('POST', `${path}/${id}/rotation`),
    revoke: (id: string) => requestJson('DELETE', `${path}/${id}`)
  }
}

export const API_KEYS = kindOf('key', {
  icon: 'key',
  empty: 'A key lets an agent or a program in, with a scope and for workspaces of your choice.',
  defaultExpiry: '90'
})

export const TOKENS = kindOf('token', {
  icon: 'user',
  empty: 'A token lets a tool of yours in, for all workspaces that you see or for some.',
  defaultExpiry: '365'
})

/** Tries a secret of either kind with a real handshake. */
export const testSecret = (secret: string): Promise<TestResult> =>
  requestJson('POST', `${secret.startsWith('svc_pat_') ? TOKENS.path : API_KEYS.path}/test`, { body: { secret } })
