/**
 * Maps the rows of a provider's answer. A row that makes `map` throw a TypeError is passed on unchanged: it does not
 * fit the action's output schema, so the runner leaves it out of the answer.
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
