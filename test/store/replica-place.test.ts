// Replicas that share nothing but the database are not let in beside others.
import t from 'tap'
import { takePlace } from '../../src/store/replica-place.js'
import { ownDatabase, SERVER } from '../helpers/database.js'

t.test('alone, or all sharing', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const take = (sharing: boolean) => takePlace(url, sharing, () => {})
  const alone = await take(false)
  t.ok(alone)
  t.equal(await take(false), undefined, 'a second that shares nothing')
  t.equal(await take(true), undefined, 'one that would share, beside one that does not')
  await alone!.close()
  const [one, two] = [await take(true), await take(true)]
  t.ok(one && two)
  t.equal(await take(false), undefined)
  await one!.close()
  await two!.close()
})
