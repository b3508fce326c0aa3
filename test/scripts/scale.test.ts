// The simulation of cells: its queues against the theory, and what it says of losses, moves and revocations.
import t from 'tap'
import { createStation, erlangWait } from '../../scripts/scale/queue.mjs'
import { exponential, seeded } from '../../scripts/scale/random.mjs'
import { simulate } from '../../scripts/scale/simulate.mjs'

t.test('a station waits as long as Erlang C says', async (t) => {
  for (const [servers, load] of [[1, 0.5], [2, 0.8], [8, 0.8]] as const) {
    const random = seeded(7)
    const station = createStation(servers)
    const calls = 200_000
    let at = 0
    let waited = 0
    for (let count = 0; count < calls; count++) {
      at += exponential(random, 1 / (servers * load))
      const work = exponential(random, 1)
      waited += station.begin(at, work) - work - at
    }
    const expected = erlangWait({ rate: servers * load, work: 1, servers })
    t.ok(Math.abs(waited / calls / expected - 1) < 0.1, `${servers} servers, load ${load}: ${waited / calls}, expected ${expected}`)
  }
  t.equal(erlangWait({ rate: 3, work: 1, servers: 2 }), Infinity)
})

t.test('the same seed gives the same figures, another one others', async (t) => {
  t.same(simulate(1, 'steady', 1), simulate(1, 'steady', 1))
  t.not(simulate(1, 'steady', 1).calls, simulate(1, 'steady', 2).calls)
})

t.test('a lost cell is felt by its own tenants only', async (t) => {
  const { tenantsHit, unavailable, unavailableElsewhere } = simulate(10, 'a cell is lost', 1)
  t.ok(unavailable > 0)
  t.equal(unavailableElsewhere, 0)
  t.ok(tenantsHit < 0.2, `${tenantsHit}`)
})

t.test('a tenant that moves makes the busiest cell less busy', async (t) => {
  t.ok(simulate(10, 'a tenant moves', 1).busiest < simulate(10, 'steady', 1).busiest)
})

t.test('no call is answered after the revocation of its credential, unless someone caches', async (t) => {
  for (const scenario of ['steady', 'a cell is lost', 'a tenant moves'] as const) {
    const { revoked, afterRevocation } = simulate(10, scenario, 3)
    t.ok(revoked > 0, scenario)
    t.equal(afterRevocation, 0, scenario)
  }
  t.ok(simulate(10, 'verified once in 2 s', 3).afterRevocation > 0)
})
