// Chromium as the system has it, for tests in TypeScript and for those with other people's clients. `CHROMIUM` names another one. The one
// that never has a window draws the same pages with a quarter less computing.
import { existsSync, statfsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const PATH = [
  process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'
].find((path) => path !== undefined && existsSync(path))

/** Why tests are skipped; false where there is one. */
export const noChromium = PATH === undefined && 'there is no Chromium: install it, or name it in CHROMIUM'

// What its processes share lies on the disk unless there is room in memory: 64 MB, as containers have, are too few.
const { bavail, bsize } = existsSync('/dev/shm') ? statfsSync('/dev/shm') : { bavail: 0, bsize: 0 }
const ignoreDefaultArgs = bavail * bsize > 2 ** 30 ? ['--disable-dev-shm-usage'] : []

/**
 * Starts it without a window. Its sandbox needs another user than root.
 * @param {string[]} args further arguments of Chromium
 */
export const launchChromium = (...args) => chromium.launch({
  executablePath: PATH ?? '', timeout: 180_000, ignoreDefaultArgs, args: ['--no-sandbox', '--disable-gpu', ...args]
})

/**
 * A virtual authenticator that always says yes, as a device with a fingerprint reader. Gives a function that tells how many passkeys it has.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<() => Promise<number>>}
 */
export const addAuthenticator = async (page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
}
