// Chromium for the tests with other people's clients.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const PATH = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((path) => path !== undefined && existsSync(path))

/** Why tests are skipped; false where there is one. */
export const noChromium = PATH === undefined && 'there is no Chromium: install it, or name it in CHROMIUM'

/** @param {string[]} args further arguments of Chromium */
export const launchChromium = (...args) =>
  chromium.launch({ executablePath: PATH, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...args] })

/** Passkeys without a device: it always agrees. */
export const addAuthenticator = async (page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
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
}
