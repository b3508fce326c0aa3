/** API keys and personal access tokens: the same pages with other words and other operations. */
import { call, type Answer, type Sent } from '../api/call.js'
import type { IconName } from '../components/icon.js'

export type Credential = Answer<'GET /keys'>['keys'][number]
export type CreatedCredential = Answer<'POST /keys'>
export type CreateCredentialBody = Sent<'POST /keys'>
export type TestResult = Answer<'POST /keys/test'>

export interface CredentialKindInfo {
  /** `key` or `token`: the word in sentences. */
  noun: 'key' | 'token'
  path: '/keys' | '/tokens'
  title: string
  icon: IconName
  /** What the list says while there is none. */
  empty: string
  create: (input: CreateCredentialBody) => Promise<CreatedCredential>
  rotate: (id: string) => Promise<CreatedCredential>
  revoke: (id: string) => Promise<unknown>
  defaultExpiry: '90' | '365'
}

export const API_KEYS: CredentialKindInfo = {
  noun: 'key',
  path: '/keys',
  title: 'Your keys',
  icon: 'key',
  empty: 'A key lets an agent or a program in, with a scope and for workspaces of your choice.',
  create: (input) => call('POST /keys', { body: input }),
  rotate: (id) => call('POST /keys/:id/rotation', { params: { id } }),
  revoke: (id) => call('DELETE /keys/:id', { params: { id } }),
  defaultExpiry: '90'
}

export const TOKENS: CredentialKindInfo = {
  noun: 'token',
  path: '/tokens',
  title: 'Your tokens',
  icon: 'user',
  empty: 'A token lets a tool of yours in, for all workspaces that you see or for some.',
  create: (body) => call('POST /tokens', { body }),
  rotate: (id) => call('POST /tokens/:id/rotation', { params: { id } }),
  revoke: (id) => call('DELETE /tokens/:id', { params: { id } }),
  defaultExpiry: '365'
}

/** Tries a secret of either kind with a real handshake. */
export const testSecret = (secret: string): Promise<TestResult> =>
  secret.startsWith('svc_pat_')
    ? call('POST /tokens/test', { body: { secret } })
    : call('POST /keys/test', { body: { secret } })
