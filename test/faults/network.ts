/** A network of its own for one replica, with a cable to each service that can be pulled. */
import { execFileSync } from 'node:child_process'

const ip = (...args: string[]): void => { execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] }) }

export const network = () => {
  const name = `faults${process.pid}`
  const cable = (id: string, net: number): [here: string, there: string] => {
    const ends = [`f${process.pid}${id}h`, `f${process.pid}${id}n`] as const
    ip('link', 'add', ends[0], 'type', 'veth', 'peer', 'name', ends[1], 'netns', name)
    ip('addr', 'add', `10.213.${net}.1/24`, 'dev', ends[0])
    ip('-n', name, 'addr', 'add', `10.213.${net}.2/24`, 'dev', ends[1])
    ip('link', 'set', ends[0], 'up')
    ip('-n', name, 'link', 'set', ends[1], 'up')
    return [...ends]
  }
  ip('netns', 'add', name)
  try {
    ip('-n', name, 'link', 'set', 'lo', 'up')
    cable('d', 1)
    const [here] = cable('v', 2)
    return {
      name,
      /** The replica's address, and this machine's on each cable. */
      host: '10.213.1.2',
      database: '10.213.1.1',
      valkey: '10.213.2.1',
      /** Nothing passes between the replica and Valkey any more, and neither is told. */
      pull: () => ip('link', 'set', here, 'down'),
      plug: () => ip('link', 'set', here, 'up'),
      remove: () => ip('netns', 'del', name)
    }
  } catch (error) {
    ip('netns', 'del', name)
    throw error
  }
}
