// Rows of a provider's answer become ours.

/**
 * Each row as `map` makes it. A row that `map` cannot read is handed on as it came: the action's output schema judges it,
 * and the runner leaves it out of the answer.
 */
export function mapRows<Raw, Row>(list: readonly Raw[], map: (row: Raw) => Row): Row[] {
  return list.map((row) => {
    try {
      return map(row)
    } catch (thrown) {
      if (thrown instanceof TypeError) return row as unknown as Row
      throw thrown
    }
  })
}
