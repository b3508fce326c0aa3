// The simulation of cells: its queues against the theory, and what it says of losses, moves and revocations.
import t from 'tap'
import { createStation } from '../../scripts/scale/cell.mjs'
import { exponential, seeded } from '../../scripts/scale/random.mjs'
import { simulate } from '../../scripts/scale/simulate.mjs'

t.test('a station waits as long as Erlang C says', async (t) => {
  // By the number of servers, their load, and the mean time in the queue in times of the mean work.
  for (const [servers, load, expected] of [[1, 0.5, 1], [2, 0.8, 16 / 9], [8, 0.8, 0.286]] as const) {
    const random = seeded(7)
    const begin = createStation(servers)
    const calls = 30_000
    let at = 0
    let waited = 0
    for (let count = 0; count < calls; count++) {
      at += exponential(random, 1 / (servers * load))
      const work = exponential(random, 1)
      waited += begin(at, work) - work - at
    }
    t.ok(Math.abs(waited / calls / expected - 1) < 0.1, `${servers} servers, load ${load}: ${waited / calls}, expected ${expected}`)
  }
})

t.test('the same seed gives the same figures, another one others', async (t) => {
  const figures = simulate(1, 'steady', 1)
  t.same(simulate(1, 'steady', 1), figures)
  t.not(simulate(1, 'steady', 2).calls, figures.calls)
})

t.test('a lost cell is felt by its own tenants only; a tenant that moves makes the busiest less busy', async (t) => {
  const [steady, lost, moved, cached] = (['steady', 'a cell is lost', 'a tenant moves', 'verified once in 2 s'] as const).map((scenario) => simulate(5, scenario, 1))
  t.ok(lost!.unavailable > 0)
  t.equal(lost!.unavailableElsewhere, 0)
  t.ok(lost!.tenantsHit < 0.3, `${lost!.tenantsHit}`)
  t.ok(moved!.busiest < steady!.busiest)
  for (const { revoked, afterRevocation, scenario } of [steady!, lost!, moved!]) {
    t.ok(revoked > 0, scenario)
    t.equal(afterRevocation, 0, `${scenario}: no call is answered after the revocation of its credential`)
  }
  t.ok(cached!.afterRevocation > 0, 'unless someone caches')
})
