/** The credential of clients under test. */
import { mint } from '../access/credentials/secret.js'

/** Creates a random token in the form of a key of this server, which redaction knows. It is worth nothing elsewhere. */
export const createTestToken = (): string => mint('api_key')
