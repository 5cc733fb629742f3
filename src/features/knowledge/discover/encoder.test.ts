import { expect, test } from 'vitest'
import { loadEncoder, readEncoder, readTokenizer, vectorSize } from './encoder.ts'

const encoder = loadEncoder()
const embed = (text: string) => encoder.embed(text) ?? new Float64Array()
const cosine = (one: Float64Array, other: Float64Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

test('similar meanings are near, different ones far, and vectors have length 1', () => {
  const raised = embed('which companies raised money?')
  const funding = embed('startup funding rounds')
  const dog = embed('my dog barks at night')
  expect(raised).toHaveLength(vectorSize)
  expect(cosine(raised, raised)).toBeCloseTo(1, 6)
  expect(cosine(raised, funding)).toBeGreaterThan(cosine(raised, dog) + 0.1)
})

test('a text without any known token has no vector', () => {
  expect(encoder.embed('')).toBeUndefined()
  expect(encoder.embed('   ')).toBeUndefined()
})

test('of all ways to split a text, the likeliest one counts, and unknown characters are left out', () => {
  const tokenize = readTokenizer('▁\t-2\n▁a\t-3\nb\t-4\nc\t-4\nbc\t-5\n▁ab\t-9\n')
  // ▁a and bc have -8 together: more than ▁ab and c, or ▁a, b and c.
  expect(tokenize('ABC')).toEqual([1, 4])
  expect(tokenize(' a  €bc ')).toEqual([1, 0, 4])
})

test('a sentence is the sum of its tokens at length 1', () => {
  const vectors = new Int8Array(2 * vectorSize)
  vectors[0] = 3
  vectors[vectorSize + 1] = -4
  const own = readEncoder('▁sun\t-1\n▁moon\t-1\n', new Uint8Array(vectors.buffer))
  const [first, second] = own.embed('sun moon') ?? []
  expect(first).toBeCloseTo(0.6, 9)
  expect(second).toBeCloseTo(-0.8, 9)
})

test('a long text is the sum of all its tokens, which are counted', async () => {
  const signal = new AbortController().signal
  const short = await encoder.encode('which companies raised money?', signal)
  expect(short.vector).toEqual([...embed('which companies raised money?')])
  const long = await encoder.encode('which companies raised money? '.repeat(500), signal)
  expect(long.tokens).toBe(500 * short.tokens)
  expect(
    cosine(Float64Array.from(long.vector ?? []), embed('which companies raised money?')),
  ).toBeCloseTo(1, 9)
  expect(await encoder.encode('   ', signal)).toEqual({ vector: undefined, tokens: 0 })
})

test('another table has another version', () => {
  const tokens = '▁sun\t-1\n'
  const one = readEncoder(tokens, new Uint8Array(vectorSize))
  const other = readEncoder(tokens, new Uint8Array(vectorSize).fill(1))
  expect(one.version).not.toBe(other.version)
})
