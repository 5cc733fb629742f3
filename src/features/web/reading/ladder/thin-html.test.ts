import { expect, test } from 'vitest'
import { thinHtml } from './thin-html.ts'

async function thin(text: string, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const source = async function* () {
    for (let from = 0; from < bytes.length; from += chunkBytes)
      yield bytes.subarray(from, from + chunkBytes)
  }
  const kept: Buffer[] = []
  for await (const chunk of thinHtml(source())) kept.push(chunk)
  return Buffer.concat(kept).toString()
}

const data = (length: number) => 'iVBORw0+/'.repeat(Math.ceil(length / 9)).slice(0, length)
const page = (length: number) =>
  `<p>Bücher</p><img src="data:image/png;base64,${data(length)}"><p>after</p><a href="x;base64">`

test.each([1, 7, 64, 100_000])(
  'long data leaves HTML that comes in pieces of %s bytes',
  async (size) => {
    expect(await thin(page(50_000), size)).toBe(page(2_000))
  },
)

test.each([1, 7, 64, 100_000])('all else stays, in pieces of %s bytes', async (size) => {
  const html = `${page(1_500)}<code>;base64,</code>${page(3)};base6`
  expect(await thin(html, size)).toBe(html)
})
