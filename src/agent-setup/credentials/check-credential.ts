/** Checks the form and the checksum of a credential before anything is sent. */
import { kindOf } from '../../access/credentials/credential-form.js'
import { diagnoseToken, hasChecksum, parseTokenKind, tagOf } from '../../access/credentials/secret.js'
import { failed, passed, skipped, type CheckResult } from '../doctor/finding.js'

const NAMES = { api_key: 'an API key', personal_access_token: 'a personal access token' }

const DAMAGE = {
  cut: 'its end is missing',
  lengthened: 'something stands behind it',
  lower_case: 'it was changed to lower case',
  mistyped: 'its checksum does not fit'
}

/** @param text undefined when there is none; it is never part of the result */
export const checkCredential = (text: string | undefined): CheckResult => {
  if (text === undefined) return skipped('there is none')
  const kind = kindOf(text)
  if (kind === undefined) {
    return parseTokenKind(text) === 'mistyped'
      ? failed(`it begins like a credential, but ${DAMAGE[diagnoseToken(text)]}; it is not sent`,
        'Copy the whole of it again, alone.')
      : failed('it is no credential of such a server, and is not sent',
        'Give one that begins with svc_key_ or svc_pat_, alone in its file or variable.')
  }
  if (!hasChecksum(text)) {
    return skipped(`${NAMES[kind]} without a checksum that fits: it is of before tokens had one, or mistyped`)
  }
  const tag = tagOf(text)
  return passed(`${NAMES[kind]}${tag === undefined ? '' : ` of deployment ${tag}`}, its checksum fits`)
}
