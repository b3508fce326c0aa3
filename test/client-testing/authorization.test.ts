// `grade --authorization`: a correct client gets its token and passes each profile; a client with one defect is caught.
import t from 'tap'
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../src/client-testing/authorization/authorization-rules.js'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import { runAuthorizedClient, type AuthorizationDefect } from './client/authorized.js'

/** The defect by which each profile and rule catches a client. */
const CAUGHT: Readonly<Record<string, AuthorizationDefect>> = {
  'iss-wrong': 'anyIssuer',
  'iss-missing': 'needsNoIssuer',
  'iss-normalized': 'looseIssuer',
  'iss-wrong-error': 'printsErrors',
  'metadata-issuer-other': 'anyMetadata',
  'resource-other': 'anyResource',
  'pkce-unsupported': 'noPkceCheck',
  'challenge-bare': 'noWellKnown',
  'metadata-openid': 'noOpenId',
  'scope-step-up': 'noStepUp',
  'scope-step-up-endless': 'endlessStepUp',
  'token-expired': 'refreshWithoutResource',
  'refresh-rotated': 'reusesRefresh',
  'authorization-server-changed': 'reusesRegistration',
  'token-redirected': 'followsRedirects',
  'authorization-names-resource': 'noResource',
  'token-names-resource': 'noResource',
  'pkce-challenge': 'noChallenge',
  'pkce-verifier': 'shortVerifier',
  'state-sent': 'noState',
  'redirect-safe': 'plainRedirect',
  'scope-of-challenge': 'noScope',
  'application-type': 'noApplicationType',
  'refresh-registered': 'noRefreshType'
}

const token = createTestToken()

t.test('clients on authorization', async (t) => {
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  const checksOf = async (defects: AuthorizationDefect[], ids: readonly string[]) => grade({
    server,
    token,
    authorization: true,
    requireSuccess: false,
    profiles: AUTHORIZATION_PROFILES.filter(({ id }) => ids.includes(id)),
    client: { run: (url) => runAuthorizedClient(url, defects) }
  })
  const all = AUTHORIZATION_PROFILES.map(({ id }) => id)

  const checks = await checksOf([], all)
  t.same(checks.filter(({ status }) => status === 'failed').map(({ id, detail }) => `${id}: ${detail}`), [], 'a correct client')
  t.same(checks.filter(({ id, status }) => id in CAUGHT && status !== 'passed').map(({ id, detail }) => `${id}: ${detail}`), [], 'each profile and rule was exercised')
  t.notOk(JSON.stringify(checks).includes(token), 'the credential of the server is in no report')

  t.same(Object.keys(CAUGHT).sort(), [...all, ...AUTHORIZATION_RULES.map(({ id }) => id)].sort())
  t.same(all.filter((id) => PROFILES.some((profile) => profile.id === id)), [], 'no id has two meanings')
  for (const [id, defect] of Object.entries(CAUGHT)) {
    const found = (await checksOf([defect], [id])).find((check) => check.id === id)
    t.equal(found?.status, 'failed', `${id}: ${defect}`, { detail: found?.detail })
  }
})
