// Writes an ffmpeg filter graph: chains of filters between named streams.

export interface FilterGraph {
  /** Adds a chain and answers with the name of its output. Without filters that is its input. */
  chain(inputs: readonly string[], filters: readonly string[]): string
  /** Adds a filter with two outputs. */
  fork(input: string, filter: string): [string, string]
  text(): string
}

export function createFilterGraph(): FilterGraph {
  const lines: string[] = []
  let streams = 0
  const fresh = () => `s${streams++}`
  const add = (inputs: readonly string[], filters: readonly string[], outputs: readonly string[]) =>
    void lines.push(
      `${inputs.map((name) => `[${name}]`).join('')}${filters.join(',')}${outputs.map((name) => `[${name}]`).join('')}`,
    )
  return {
    chain(inputs, filters) {
      const [only] = inputs
      if (only !== undefined && filters.length === 0) return only
      const output = fresh()
      add(inputs, filters, [output])
      return output
    },
    fork(input, filter) {
      const outputs: [string, string] = [fresh(), fresh()]
      add([input], [filter], outputs)
      return outputs
    },
    text: () => `${lines.join(';\n')}\n`,
  }
}
