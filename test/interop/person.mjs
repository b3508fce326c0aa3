// A person with a passkey, in Chromium.
import { addAuthenticator } from '../helpers/chromium.mjs'

/** Opens a page of the person with this address, who has a passkey and is not signed in. */
export const openSignedOut = async ({ browser, product }, email, options) => {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(300_000)
  await addAuthenticator(page)
  const link = new URL((await product.command('sign-in-link', '--user', email)).url)
  link.search = `?return=${encodeURIComponent('/settings/account')}`
  await page.goto(link.href)
  await page.getByRole('button', { name: 'Add a passkey' }).first().click()
  await page.getByText('Passkey added').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  return page
}

/** On the page that an application led to: signs in with the passkey if that is asked for, and allows. */
export const signInAndAllow = async (page) => {
  const passkey = page.getByRole('button', { name: 'Use a passkey' })
  const button = page.getByRole('button', { name: 'Allow' })
  await passkey.or(button).waitFor()
  if (await passkey.isVisible()) await passkey.click()
  await button.click()
}
