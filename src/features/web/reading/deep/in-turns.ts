// The order in which a job reads its pages.

/** One page of each host, then the next of each. Otherwise a slow host with many pages would occupy all readers. */
export function inTurns(urls: readonly string[]) {
  const counts = new Map<string, number>()
  return urls
    .map((url, index) => {
      const { host } = new URL(url)
      const round = counts.get(host) ?? 0
      counts.set(host, round + 1)
      return { index, url, round }
    })
    .sort((one, other) => one.round - other.round)
}
