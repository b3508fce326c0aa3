/** A station with several servers and one queue, first come, first served. */

/** @typedef {{ begin: (arrival: number, work: number) => number }} Station gives the time at which work ends */

/**
 * Calls must be given in the order of their arrivals.
 * @param {number} servers
 * @returns {Station}
 */
export const createStation = (servers) => {
  // A heap of the times at which the servers are free: the first is the earliest.
  const free = new Float64Array(servers)
  return {
    begin (arrival, work) {
      const end = Math.max(arrival, free[0] ?? 0) + work
      let place = 0
      for (;;) {
        const left = 2 * place + 1
        if (left >= servers) break
        const right = left + 1
        const child = right < servers && (free[right] ?? 0) < (free[left] ?? 0) ? right : left
        if ((free[child] ?? 0) >= end) break
        free[place] = free[child] ?? 0
        place = child
      }
      free[place] = end
      return end
    }
  }
}

/**
 * The mean time in the queue of an M/M/c station (Erlang C), in the unit of `work`.
 * @param {{ rate: number, work: number, servers: number }} station calls per unit of time; mean work of one
 */
export const erlangWait = ({ rate, work, servers }) => {
  const offered = rate * work
  if (offered >= servers) return Infinity
  let blocked = 1
  for (let count = 1; count <= servers; count++) blocked = offered * blocked / (count + offered * blocked)
  const waits = blocked / (1 - offered / servers * (1 - blocked))
  return waits * work / (servers - offered)
}
