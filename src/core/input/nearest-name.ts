// The name that was meant, where it is misspelt.

/** The nearest of the known names, with at most one typo per six letters and three in all, or at least `slipsLeast`. */
export function nearestName(
  name: string,
  known: Iterable<string>,
  slipsLeast = 0,
): string | undefined {
  let nearest: { name: string; slips: number } | undefined
  for (const candidate of known) {
    const most = Math.max(slipsLeast, Math.min(3, Math.floor(candidate.length / 6)))
    if (Math.abs(candidate.length - name.length) > most) continue
    const slips = slipsBetween(name, candidate)
    if (slips <= most && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY))
      nearest = { name: candidate, slips }
  }
  return nearest?.name
}

/** How many letters must be added, dropped, changed or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const slips = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + same,
      )
      rows[row]?.push(row > 1 && swapped ? Math.min(slips, at(row - 2, column - 2) + 1) : slips)
    }
  }
  return at(one.length, other.length)
}
